package io.reprise.workload.ycsb;

/**
 * The core workload and its size.
 *
 * @param mix A to F
 * @param records number of loaded records
 * @param maxScanLength of workload E
 * @param distribution of requests; the mix has its own, which {@link #standard} takes
 * @param seed of the loaded values
 */
public record YcsbOptions(Mix mix, int records, int maxScanLength, Distribution distribution, long seed) {
    /** The core workloads: shares in percent and the distribution of requests. */
    public enum Mix {
        /** Update heavy. */
        A(50, 50, 0, 0, 0, Distribution.ZIPFIAN),
        /** Read mostly. */
        B(95, 5, 0, 0, 0, Distribution.ZIPFIAN),
        /** Read only. */
        C(100, 0, 0, 0, 0, Distribution.ZIPFIAN),
        /** Reads what was inserted last. */
        D(95, 0, 5, 0, 0, Distribution.LATEST),
        /** Short ranges. */
        E(0, 0, 5, 0, 95, Distribution.ZIPFIAN),
        /** Read-modify-write. */
        F(50, 0, 0, 50, 0, Distribution.ZIPFIAN);

        private final int[] shares;
        private final Distribution distribution;

        Mix(int read, int update, int insert, int readModifyWrite, int scan, Distribution distribution) {
            this.shares = new int[] {read, update, insert, readModifyWrite, scan};
            this.distribution = distribution;
        }

        /** The share in percent of the procedure with this position in {@code Ycsb.procedures}. */
        int share(int procedure) {
            return shares[procedure];
        }

        Distribution distribution() {
            return distribution;
        }

        boolean scans() {
            return shares[Ycsb.SCAN] > 0;
        }
    }

    /** The distribution of requests over records. */
    public enum Distribution {
        /** All alike. */
        UNIFORM,
        /** A few popular ones, anywhere. */
        ZIPFIAN,
        /** The newer, the more popular. */
        LATEST
    }

    /** Refuses an empty database. */
    public YcsbOptions {
        if (records < 2 || maxScanLength < 1) {
            throw new IllegalArgumentException("YCSB: there must be at least 2 records, and scans of at least 1");
        }
    }

    /** The specification's parameters with so many records. */
    public static YcsbOptions standard(Mix mix, int records) {
        return new YcsbOptions(mix, records, 100, mix.distribution(), 1);
    }
}
