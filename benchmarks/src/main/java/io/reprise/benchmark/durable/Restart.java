package io.reprise.benchmark.durable;

import io.reprise.benchmark.Samples;

/**
 * A state in which a node was killed, and how long it took until the next one answered.
 *
 * @param name for people and keys
 * @param rows of the snapshot that was loaded
 * @param transactions of the log behind it
 * @param logBytes the same in bytes
 * @param partitions of the node
 * @param procedures deployed besides those of the workload
 * @param ms from the start of the process to the first answer, in each round
 */
record Restart(
        String name, double rows, double transactions, double logBytes, int partitions, int procedures, Samples ms) {
    private static final double MILLION = 1e6;
    private static final double MIB = 1 << 20;
    private static final double HUNDRED = 100;

    /** The names of the model's coefficients. */
    static final String[] TERMS = {
        "fixed_ms", "ms_per_million_rows", "ms_per_log_mib", "ms_per_partition", "ms_per_100_procedures"
    };

    /** The features that {@link #TERMS} belong to. The first partition and the workload's own procedures are in the fixed term. */
    double[] features() {
        return new double[] {1, rows / MILLION, logBytes / MIB, partitions - 1, procedures / HUNDRED};
    }

    /** The measured time beyond the model's, in percent of the measured time. */
    double residualPercent(LinearModel model) {
        return 100 * (ms.median() - model.predict(features())) / ms.median();
    }
}
