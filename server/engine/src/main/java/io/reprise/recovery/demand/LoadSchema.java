package io.reprise.recovery.demand;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Work;

/** The procedures and buckets of an engine that loads its rows on demand. */
public interface LoadSchema {
    /** The procedure version with this number, or null. */
    Work procedure(int version);

    /** An ad hoc statement. */
    Work statement(String text);

    /** The partition of each bucket. */
    BucketMap buckets();
}
