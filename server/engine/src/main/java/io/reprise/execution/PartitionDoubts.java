package io.reprise.execution;

/**
 * Keeps the partitions whose rows are in doubt after a failure of the engine in them, as of an invariant or of the memory. Such a partition
 * refuses transactions until it is empty, and its keeper has it rebuilt. Called on the thread that holds the partition.
 */
public interface PartitionDoubts {
    /** No partition can be rebuilt, so each failure ends the engine. */
    PartitionDoubts NONE = new PartitionDoubts() {
        @Override
        public boolean canBegin() {
            return false;
        }

        @Override
        public void begin(Partition partition, Throwable failure) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void end(Partition partition) {}
    };

    /** Whether a rebuild can make the rows anew now. */
    boolean canBegin();

    /** The partition refuses transactions from now on. */
    void begin(Partition partition, Throwable failure);

    /** The partition is empty, and its buckets open as they are rebuilt. */
    void end(Partition partition);
}
