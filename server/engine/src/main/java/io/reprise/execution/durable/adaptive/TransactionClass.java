package io.reprise.execution.durable.adaptive;

/**
 * The class of a transaction by which costs are kept, as a number: its procedure's version, and whether it has several partitions. Versions
 * far apart may share a class.
 */
final class TransactionClass {
    /** The number of classes. */
    static final int COUNT = 1 << 10;

    private TransactionClass() {}

    static int of(int version, boolean distributed) {
        return (version << 1 | (distributed ? 1 : 0)) & COUNT - 1;
    }
}
