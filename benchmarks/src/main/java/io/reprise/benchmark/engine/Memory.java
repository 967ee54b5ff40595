package io.reprise.benchmark.engine;

/** How much memory engines may take. Orders only grow, so a long run needs some gigabytes. */
final class Memory {
    /** For an engine with one partition. */
    static final long FOR_ONE = 12L << 30;

    /** For each of two partitions. */
    static final long FOR_EACH = 6L << 30;

    private Memory() {}
}
