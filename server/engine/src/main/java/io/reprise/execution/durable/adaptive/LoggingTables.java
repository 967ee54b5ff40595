package io.reprise.execution.durable.adaptive;

import io.reprise.id.Buckets;

/** The advisor's published knowledge. Immutable: its arrays are not changed any more. */
final class LoggingTables {
    /** Cells of the sketch of access frequencies. */
    static final int CELLS = 1 << 14;

    /** Nothing is known, so all but the first transactions of a class are commands. */
    static final LoggingTables EMPTY = new LoggingTables(new double[0], new double[0], new double[0], null, 0, 0, null);

    private final double[] chainNs;
    private final double[] dataNs;
    private final double[] bytes;
    private final float[] frequencies;
    private final double averageCommandNs;
    private final double threshold;
    private final double[] shares;

    /**
     * Tables.
     *
     * @param chainNs by class, the replay time of the commands that a transaction depends on
     * @param dataNs by class, the replay time of a data record
     * @param bytes by class, the bytes that a data record adds
     * @param frequencies by cell, the probability that a transaction writes one of the cell's rows
     * @param threshold the benefit from which a data record is written
     * @param shares by site, of the quota
     */
    LoggingTables(
            double[] chainNs,
            double[] dataNs,
            double[] bytes,
            float[] frequencies,
            double averageCommandNs,
            double threshold,
            double[] shares) {
        this.chainNs = chainNs;
        this.dataNs = dataNs;
        this.bytes = bytes;
        this.frequencies = frequencies;
        this.averageCommandNs = averageCommandNs;
        this.threshold = threshold;
        this.shares = shares;
    }

    static int cell(int table, long row) {
        return (int) Buckets.mix(Buckets.mix(0, table + 1L), row) & CELLS - 1;
    }

    boolean isEmpty() {
        return frequencies == null;
    }

    /** The probability that a transaction writes the row, or another one of its cell. */
    float frequency(int table, long row) {
        return frequencies[cell(table, row)];
    }

    /** The bytes that a data record adds. */
    double bytes(int transactionClass) {
        return bytes[transactionClass];
    }

    double chainNs(int transactionClass) {
        return chainNs[transactionClass];
    }

    double threshold() {
        return threshold;
    }

    double share(int site) {
        return shares[site];
    }

    /** The benefit of a data record whose rows have this sum of frequencies. */
    double benefit(int transactionClass, double frequency) {
        return CostModel.benefit(
                chainNs[transactionClass],
                CostModel.laterNs(frequency, averageCommandNs),
                dataNs[transactionClass],
                bytes[transactionClass]);
    }
}
