package io.reprise.recovery.rebuild;

import io.reprise.catalog.Catalog;
import io.reprise.log.LogReader;
import io.reprise.recovery.demand.LoadProxy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.Manifest;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.LongConsumer;

/** The engine as a rebuild sees it. Tasks run between two transactions; a task that throws has told the rebuild before. */
public interface RebuildPorts {
    /** The number of sites. */
    int sites();

    /** Wakes a site's thread; null if it need not be woken. */
    Waker waker(int site);

    /** Runs a task on a partition's thread. Returns false if there is no room for it now. */
    boolean atPartition(int partition, Runnable task);

    /** A partition of a site. */
    int partitionOf(int site);

    /** On a site's thread: from now on calls of these buckets wait at its initiator. */
    void fence(int site, LoadProxy loads, BitSet buckets);

    /**
     * Runs a task while all partitions are held, behind all that a site's initiator has admitted. Returns false if there is no room for it
     * now.
     *
     * @param task gets the transaction's id
     */
    boolean atAll(int site, LongConsumer task);

    /** While all partitions are held: hands the collected footprints over, and marks the ends of the logs. */
    void mark();

    /** Whether the log is durable up to the mark, footprints included. */
    boolean isMarkDurable();

    /** Whether no snapshot is under way, but perhaps one that has not begun. */
    boolean isQuiet();

    /** Whether no snapshot reads rows of a partition; on the partition's thread. */
    boolean isUnswept(int partition);

    /** The position up to which the log is durable. */
    long durable();

    /** The first position of the log that is still there. */
    long firstPosition();

    /** The log is not used again from this position on; {@code Long.MAX_VALUE}: it may be. */
    void holdLog(long from);

    /** The rows that runs have behind a snapshot; empty if the log is to be read. */
    Optional<SortedRecords> sorted(Manifest base);

    /** Reads the durable log up to a position. */
    LogReader read(long from, long to);

    /** The data directory. */
    FileStore files();

    /** The schema at present. No change is under way while a partition is fenced. */
    Catalog catalog();

    /** The rebuild's thread has urgent work from now on, or takes a small share of a core that sites want. */
    void hurry(boolean urgent);

    /** A store without tables, for all buckets. */
    ShadowStore.Parts shadow();
}
