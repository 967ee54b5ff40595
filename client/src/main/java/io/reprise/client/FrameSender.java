package io.reprise.client;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;

/** Copies frames into a connection's channel, and counts their bytes. The network thread's. */
final class FrameSender {
    private final Channel channel;
    private final Counters counters;

    FrameSender(Channel channel, Counters counters) {
        this.channel = channel;
        this.counters = counters;
    }

    /** Whole frames; they leave with the next {@link #flush}. */
    void write(MessageWriter frames) {
        ByteBuf buffer = channel.alloc().directBuffer(frames.length(), frames.length());
        buffer.writeBytes(frames.array(), 0, frames.length());
        counters.bytesSent.add(frames.length());
        channel.write(buffer, channel.voidPromise());
    }

    void flush() {
        channel.flush();
    }

    /** A message in a frame of its own, which leaves at once. */
    void send(byte kind, MessageLite message) {
        MessageWriter bytes = new MessageWriter(message.getSerializedSize() + Wire.HEADER_BYTES);
        int begin = bytes.beginFrame(kind);
        bytes.raw(message.toByteArray());
        bytes.endFrame(begin);
        write(bytes);
        flush();
    }
}
