package io.reprise.cluster.transaction;

import java.nio.ByteBuffer;

/** One execution of a transaction, at an id. A vote counts for its run only. */
public record Run(long id) {
    static final int BYTES = 8;

    void write(ByteBuffer out) {
        out.putLong(id);
    }

    static Run read(ByteBuffer in) {
        return new Run(in.getLong());
    }
}
