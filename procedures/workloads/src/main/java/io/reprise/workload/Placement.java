package io.reprise.workload;

/**
 * The placement of partitioning values. Asked for each generated call, so implementations are a computation and an
 * array.
 */
public interface Placement {
    /** The number of partitions; they are numbered from 0. */
    int partitions();

    /** The partition that owns the rows with this partitioning value. */
    int partitionOf(long partitioningValue);

    /** A database with one partition. */
    static Placement single() {
        return new Placement() {
            @Override
            public int partitions() {
                return 1;
            }

            @Override
            public int partitionOf(long partitioningValue) {
                return 0;
            }
        };
    }
}
