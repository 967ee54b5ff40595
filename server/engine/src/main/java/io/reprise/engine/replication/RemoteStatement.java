package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Result;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowCodec;
import io.reprise.sql.compile.runtime.RowShape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A statement of a {@link Member} that runs at other participants, or the place at which the procedure returned to a point before
 * some. Owned by the home's thread.
 */
final class RemoteStatement {
    private static final int UNSENT = -1;

    final int number;
    final byte[] parameters;
    final int[] partitions;
    final RowShape shape;
    final boolean writes;

    /** The round in which it was sent, or -1. */
    int round = UNSENT;

    /** The rows of each partition, and the first failure, or null. */
    private final List<HeapRows> rows = new ArrayList<>();

    Result failure;

    RemoteStatement(int number, byte[] parameters, int[] partitions, RowShape shape, boolean writes) {
        this.number = number;
        this.parameters = parameters;
        this.partitions = partitions;
        this.shape = shape;
        this.writes = writes;
    }

    /** The return to a point. */
    static RemoteStatement back() {
        return new RemoteStatement(0, null, null, null, false);
    }

    boolean isReturn() {
        return partitions == null;
    }

    boolean isSent() {
        return round != UNSENT;
    }

    /** Its changes were taken back: it is to be sent again. */
    void sendAgain() {
        round = UNSENT;
        rows.clear();
        failure = null;
    }

    /** Whether it is the same statement with the same parameters. */
    boolean isLike(int otherNumber, byte[] otherParameters) {
        return !isReturn() && number == otherNumber && Arrays.equals(parameters, otherParameters);
    }

    /** The result of the next of its partitions. */
    void take(Result result) {
        if (result.aborted()) {
            failure = failure == null ? result : failure;
        } else if (failure == null) {
            HeapRows decoded = new HeapRows();
            RowCodec.decode(ByteBuffer.wrap(result.rows()), shape, decoded);
            rows.add(decoded);
        }
    }

    /** The rows of each partition, rewound. */
    List<HeapRows> rows() {
        rows.forEach(HeapRows::rewind);
        return rows;
    }
}
