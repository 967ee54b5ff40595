package io.reprise.engine.replication;

import io.reprise.catalog.Catalog;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Work;

/** The tables and procedures of an engine, for the records of a stream. */
public interface StreamSchema {
    /** The tables. */
    Catalog catalog();

    /** The procedure version with this number, or null. */
    Work procedure(int version);

    /** An ad hoc statement. */
    Work statement(String text);

    /** The partition of each bucket. */
    BucketMap buckets();
}
