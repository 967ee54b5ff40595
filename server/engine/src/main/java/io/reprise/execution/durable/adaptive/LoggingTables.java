package io.reprise.execution.durable.adaptive;

import io.reprise.id.Buckets;

/** The advisor's published knowledge. Immutable: its arrays are not changed any more. */
final class LoggingTables {
    /** Cells of the sketch of access frequencies. */
    static final int CELLS = 1 << 14;

    /** Nothing is known, so all but the first transactions of a class are commands. */
    static final LoggingTables EMPTY = new LoggingTables(new Costs[0], null, 0, 0, null);

    private final Costs[] costs;
    private final float[] frequencies;
    private final double averageCommandNs;
    private final double threshold;
    private final double[] shares;

    /**
     * The costs of a class of transactions.
     *
     * @param homeChainNs replay time of the commands that a transaction's part at home depends on
     * @param otherChainNs replay time of those that its parts elsewhere depend on
     * @param dataNs replay time of a data record
     * @param dataBytes bytes that a data record adds to a command
     * @param boundaryNs replay time of the rows and the answers of a boundary record
     * @param boundaryBytes bytes that a boundary record adds to a command
     */
    record Costs(
            double homeChainNs,
            double otherChainNs,
            double dataNs,
            double dataBytes,
            double boundaryNs,
            double boundaryBytes) {
        /** The bytes of a form of which no record has been logged yet. */
        static final double UNKNOWN = Double.MAX_VALUE;

        double chainNs() {
            return homeChainNs + otherChainNs;
        }

        double bytes(LoggedForm form) {
            return switch (form) {
                case COMMAND -> 0;
                case DATA -> dataBytes;
                case BOUNDARY -> boundaryBytes;
            };
        }
    }

    /**
     * Tables.
     *
     * @param costs by class
     * @param frequencies by cell, the probability that a transaction writes one of the cell's rows
     * @param threshold the benefit from which a record longer than a command is written
     * @param shares by site, of the quota
     */
    LoggingTables(Costs[] costs, float[] frequencies, double averageCommandNs, double threshold, double[] shares) {
        this.costs = costs;
        this.frequencies = frequencies;
        this.averageCommandNs = averageCommandNs;
        this.threshold = threshold;
        this.shares = shares;
    }

    /** The hash of a row. */
    static long hash(int table, long row) {
        return Buckets.mix(Buckets.mix(0, table + 1L), row);
    }

    /** The cell of a row by its hash. */
    static int cell(long hash) {
        return (int) hash & CELLS - 1;
    }

    boolean isEmpty() {
        return frequencies == null;
    }

    /** The probability that a transaction writes the row, or another one of its cell. */
    float frequency(int table, long row) {
        return frequencies[cell(hash(table, row))];
    }

    Costs costs(int transactionClass) {
        return costs[transactionClass];
    }

    double threshold() {
        return threshold;
    }

    double share(int site) {
        return shares[site];
    }

    /** The benefit of a data record whose rows have this sum of frequencies. */
    double dataBenefit(int transactionClass, double frequency) {
        Costs of = costs[transactionClass];
        double later = CostModel.laterNs(frequency, averageCommandNs);
        return CostModel.benefit(of.chainNs(), later, of.dataNs, of.dataBytes);
    }

    /** The benefit of a boundary record whose rows elsewhere have this sum of frequencies. */
    double boundaryBenefit(int transactionClass, double frequencyElsewhere) {
        Costs of = costs[transactionClass];
        double later = CostModel.laterNs(frequencyElsewhere, averageCommandNs);
        return CostModel.benefit(of.otherChainNs, later, of.boundaryNs, of.boundaryBytes);
    }

    /**
     * The benefit of logging the rows of a part at home that otherwise is logged as calls with their answers from elsewhere.
     *
     * @param rowsNs replay time of the rows
     * @param moreBytes the bytes that the rows take more than the calls
     */
    double rowsBenefit(int transactionClass, double frequency, double rowsNs, double moreBytes) {
        double later = CostModel.laterNs(frequency, averageCommandNs);
        return CostModel.benefit(costs[transactionClass].homeChainNs, later, rowsNs, moreBytes);
    }

    /**
     * The form with the largest saving, if each added byte costs the threshold.
     *
     * @param cuts whether a boundary record is possible
     */
    LoggedForm best(int transactionClass, boolean cuts, double frequency, double frequencyElsewhere) {
        Costs of = costs[transactionClass];
        double data = of.dataBytes == Costs.UNKNOWN
                ? 0
                : CostModel.surplus(dataBenefit(transactionClass, frequency), threshold, of.dataBytes);
        double boundary = !cuts || of.boundaryBytes == Costs.UNKNOWN
                ? 0
                : CostModel.surplus(boundaryBenefit(transactionClass, frequencyElsewhere), threshold, of.boundaryBytes);
        if (data <= 0 && boundary <= 0) {
            return LoggedForm.COMMAND;
        }
        return data >= boundary ? LoggedForm.DATA : LoggedForm.BOUNDARY;
    }
}
