package io.reprise.torture;

import io.reprise.node.RawConnection;
import io.reprise.runtime.SeededRandomness;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.CallWriter;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Replies;
import io.reprise.wire.message.Reply;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that never believes: makes each of its last calls again whenever it is connected, and now and then between, also
 * those that it knows the answers of, and says so late that it knows them. Each must be answered as before.
 */
final class RepeatingCaller implements Runnable {
    private static final int AT_ONCE = 8;
    private static final int REMEMBERED = 160;
    private static final long PAUSE_NS = 5_000_000;

    private final InetSocketAddress address;
    private final CallLedger ledger;
    private final int caller;
    private final SeededRandomness random;
    private final long clientId;
    private final AtomicBoolean stop;
    private final Deque<Numbered> last = new ArrayDeque<>();

    /**
     * A call that may come again: its number in the ledger is one less than that in the protocol.
     *
     * @param arguments as they were the first time
     */
    private record Numbered(int number, Tickets.Kind kind, ArgumentWriter arguments) {
        long sequence() {
            return number + 1L;
        }
    }

    RepeatingCaller(
            InetSocketAddress address, CallLedger ledger, int caller, SeededRandomness random, AtomicBoolean stop) {
        this.address = address;
        this.ledger = ledger;
        this.caller = caller;
        this.random = random;
        this.stop = stop;
        clientId = random.nextLong() | 1;
    }

    @Override
    public void run() {
        try {
            while (!stop.get()) {
                try (RawConnection connection = RawConnection.greeted(address, clientId)) {
                    call(connection);
                } catch (IOException killed) {
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        } catch (RuntimeException e) {
            ledger.failed(caller, -1, e);
        }
    }

    private void call(RawConnection connection) throws IOException {
        Map<Tickets.Kind, Integer> handles = new EnumMap<>(Tickets.Kind.class);
        for (Tickets.Kind kind : Tickets.Kind.values()) {
            handles.put(kind, connection.handle(kind.procedure));
        }
        make(connection, handles, List.copyOf(last));
        while (!stop.get()) {
            make(connection, handles, newCalls());
            if (random.nextInt(10) == 0) {
                make(connection, handles, List.copyOf(last));
            }
        }
        make(connection, handles, List.copyOf(last));
    }

    private List<Numbered> newCalls() {
        List<Numbered> calls = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            Tickets.Kind kind = Callers.anyKind(random);
            int number = ledger.ask(caller, kind);
            ArgumentWriter arguments = new ArgumentWriter();
            for (Object argument : Callers.arguments(kind, caller, number, random)) {
                arguments.add((long) argument);
            }
            calls.add(new Numbered(number, kind, arguments));
        }
        last.addAll(calls);
        while (last.size() > REMEMBERED) {
            last.remove();
        }
        return calls;
    }

    /** In one frame; waits for all replies. */
    private void make(RawConnection connection, Map<Tickets.Kind, Integer> handles, List<Numbered> calls)
            throws IOException {
        if (calls.isEmpty()) {
            return;
        }
        MessageWriter bytes = new MessageWriter(1 << 10);
        int begin = CallWriter.beginFrame(bytes, -1, last.element().sequence());
        for (Numbered call : calls) {
            CallWriter.call(bytes, call.sequence(), handles.get(call.kind()), 0, call.sequence(), call.arguments());
        }
        bytes.endFrame(begin);
        connection.send(bytes.toBytes());
        for (int left = calls.size(); left > 0; ) {
            Replies replies = connection.readReplies();
            replies.getReplyList().forEach(this::hear);
            left -= replies.getReplyCount();
        }
    }

    private void hear(Reply reply) {
        int number = (int) reply.getId() - 1;
        if (!reply.hasFailure()) {
            ledger.answered(caller, number, reply.getValue().getInteger());
        } else if (reply.getFailure().getCode() == Failure.Code.USER_ABORT) {
            ledger.rolledBack(caller, number);
        } else if (reply.getFailure().getCode() != Failure.Code.OVERLOADED) {
            ledger.failed(
                    caller,
                    number,
                    new IllegalStateException(reply.getFailure().getCode() + " "
                            + reply.getFailure().getMessage()));
        }
    }
}
