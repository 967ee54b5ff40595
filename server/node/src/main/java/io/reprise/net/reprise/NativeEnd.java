package io.reprise.net.reprise;

import com.google.protobuf.MessageLite;
import io.reprise.net.listen.ClientChannel;
import io.reprise.runtime.LogText;
import io.reprise.runtime.LogThrottle;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a client's connection, with a Goodbye where the client can read one. The first of several ends counts. */
final class NativeEnd {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");

    private final ClientChannel client;
    private final BooleanSupplier greeted;
    private final Consumer<MessageWriter> out;
    private final LogThrottle strangers;
    private final LongSupplier clock;
    private final AtomicBoolean open = new AtomicBoolean(true);

    /**
     * The end of an open connection.
     *
     * @param greeted whether the client has logged in
     * @param out writes to the client, also when the connection is not open any more; on the loop
     * @param strangers the throttle of log messages about connections without a user
     */
    NativeEnd(
            ClientChannel client,
            BooleanSupplier greeted,
            Consumer<MessageWriter> out,
            LogThrottle strangers,
            LongSupplier clock) {
        this.client = client;
        this.greeted = greeted;
        this.out = out;
        this.strangers = strangers;
        this.clock = clock;
    }

    boolean isOpen() {
        return open.get();
    }

    /** Notes that the client has gone. */
    void closed() {
        open.set(false);
    }

    /** Ends the connection with a reason. Calls under way run on without replies. Any thread. */
    void close(Goodbye.Reason reason, String message) {
        if (open.getAndSet(false)) {
            client.onLoop(() -> sayGoodbye(reason, message));
        }
    }

    static MessageWriter framed(byte kind, MessageLite message) {
        MessageWriter bytes = new MessageWriter(message.getSerializedSize() + Wire.HEADER_BYTES);
        int frame = bytes.beginFrame(kind);
        bytes.raw(message.toByteArray());
        bytes.endFrame(frame);
        return bytes;
    }

    private void sayGoodbye(Goodbye.Reason reason, String message) {
        switch (reason) {
            // Logins that were checked are in the log already, and must not fill it.
            case SHUTTING_DOWN, NOT_AUTHENTICATED, TOO_MANY_LOGINS ->
                LOG.debug("The connection of {} ends: {}", client.remoteAddress(), message);
            default -> logEnd(reason + ": " + message);
        }
        out.accept(framed(
                Wire.GOODBYE,
                Goodbye.newBuilder().setReason(reason).setMessage(message).build()));
        client.closeAfterFlush();
    }

    /** Logs all ends of connections with a user, and one a second of others. */
    private void logEnd(String reason) {
        String why = LogText.of(reason);
        if (greeted.getAsBoolean()) {
            LOG.warn("The connection of {} is closed: {}", client.remoteAddress(), why);
        } else {
            strangers.tell(
                    clock.getAsLong(),
                    others -> LOG.warn("The connection of {} is closed: {}{}", client.remoteAddress(), why, others));
        }
    }

    /** Answers a browser in HTTP, which it understands, and ends. */
    void askedByHttp() {
        if (open.getAndSet(false)) {
            logEnd("it asked by HTTP, and this port is for calls");
            byte[] answer = HttpAnswer.bytes();
            MessageWriter bytes = new MessageWriter(answer.length);
            bytes.raw(answer);
            out.accept(bytes);
            client.closeAfterFlush();
        }
    }

    /** Ends the connection without a Goodbye. Any thread. */
    void cutOff(String why) {
        open.set(false);
        client.onLoop(() -> {
            LOG.warn("The connection of {} is ended: {}", client.remoteAddress(), why);
            client.abort();
        });
    }
}
