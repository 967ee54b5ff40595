package io.reprise.execution.durable;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Work;

/** The procedures, statements and buckets that commands of a log refer to. */
public interface CommandSchema {
    /** The procedure version with this number, or null. */
    Work procedure(int version);

    /** An ad hoc statement. */
    Work statement(String text);

    /** A work that a client of another node composed. */
    default Work composed(byte[] content) {
        throw new UnsupportedOperationException("works of clients are not logged");
    }

    /** The partition of each bucket. */
    BucketMap buckets();
}
