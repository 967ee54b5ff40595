package io.reprise.benchmark.tcp;

/** What is logged in a run, and when calls are answered; commands, if nothing else is said. */
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
