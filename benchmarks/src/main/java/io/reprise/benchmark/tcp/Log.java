package io.reprise.benchmark.tcp;

/** How a run's commands are logged. */
enum Log {
    /** Nowhere. */
    NONE,
    /** Replies wait until they are on disk. */
    SYNCHRONOUS,
    /** They are on disk soon after. */
    ASYNCHRONOUS
}
