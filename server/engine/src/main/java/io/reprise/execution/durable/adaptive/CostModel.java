package io.reprise.execution.durable.adaptive;

/**
 * The costs of a recovery, in nanoseconds, and the benefit of data records: equations 1 to 3 of the paper "Adaptive Logging".
 *
 * @param commandShare replay time of a command as a share of its execution time
 * @param recordNs time to store a data record again, without its bytes
 * @param byteNs time for each of its bytes
 */
public record CostModel(double commandShare, double recordNs, double byteNs) {
    /** Constants of a machine that has not replayed anything yet. */
    public static final CostModel DEFAULTS = new CostModel(0.9, 300, 3);

    /** The replay of a command with this execution time. */
    public double commandNs(double executionNs) {
        return commandShare * executionNs;
    }

    /** The replay of a data record with so many bytes. */
    public double dataNs(double bytes) {
        return recordNs + byteNs * bytes;
    }

    /**
     * Equation 3: the cost of later commands that write the same rows, so that the data record cuts nothing before them.
     *
     * @param probability the sum of the rows' probabilities to be written by a transaction
     */
    public static double laterNs(double probability, double averageCommandNs) {
        return probability * averageCommandNs;
    }

    /**
     * Equation 2 for each byte: the commands that need not run again, less those that write the same rows later, less the data record.
     *
     * @param chainNs replay time of the commands that the transaction depends on
     */
    public static double benefit(double chainNs, double laterNs, double dataNs, double bytes) {
        return (chainNs - laterNs - dataNs) / Math.max(1, bytes);
    }

    /**
     * The nanoseconds that a form saves in a recovery beyond the price of the bytes that it adds. Of several forms the one with the largest
     * surplus is worth its bytes most.
     *
     * @param benefit for each byte
     * @param threshold the price of a byte
     */
    public static double surplus(double benefit, double threshold, double bytes) {
        return (benefit - threshold) * Math.max(1, bytes);
    }

    /**
     * The largest benefit that a data record can be expected to have.
     *
     * @param transactions the number of transactions up to a failure
     * @param probability the sum of all rows' probabilities to be written by a transaction
     */
    public static double bestBenefit(
            double transactions,
            double averageCommandNs,
            double probability,
            double averageDataNs,
            double averageBytes) {
        return (transactions * averageCommandNs * probability - averageDataNs) / Math.max(1, averageBytes);
    }
}
