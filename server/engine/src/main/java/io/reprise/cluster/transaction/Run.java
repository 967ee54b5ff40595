package io.reprise.cluster.transaction;

import java.nio.ByteBuffer;

/**
 * One execution of a transaction: its id, and how often it began anew at this id because a member of its batch failed. A
 * vote counts for its run only.
 */
public record Run(long id, int attempt) {
    static final int BYTES = 12;

    void write(ByteBuffer out) {
        out.putLong(id).putInt(attempt);
    }

    static Run read(ByteBuffer in) {
        return new Run(in.getLong(), in.getInt());
    }
}
