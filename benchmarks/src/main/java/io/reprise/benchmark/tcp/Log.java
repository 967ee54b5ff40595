package io.reprise.benchmark.tcp;

/** The log of a run, and the time of answers; commands by default. */
enum Log {
    /** Nowhere. */
    NONE,
    /** Replies wait until they are on disk. */
    SYNCHRONOUS,
    /** The same with data records. */
    SYNCHRONOUS_DATA,
    /** They are on disk soon after. */
    ASYNCHRONOUS
}
