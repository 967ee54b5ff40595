package io.reprise.simulation.engines;

import java.nio.ByteBuffer;

/** A call or its reply on a simulated link. */
record Message(int number, Kind kind, int account, long value) {
    enum Kind {
        DEPOSIT,
        READ,
        COMMITTED,
        FAILED
    }

    byte[] encode() {
        return ByteBuffer.allocate(17)
                .putInt(number)
                .put((byte) kind.ordinal())
                .putInt(account)
                .putLong(value)
                .array();
    }

    static Message decode(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        return new Message(in.getInt(), Kind.values()[in.get()], in.getInt(), in.getLong());
    }
}
