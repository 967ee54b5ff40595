package io.reprise.recovery.rebuild;

import io.reprise.recovery.demand.TailIndex;

/**
 * The data records of runs behind a snapshot, by bucket, in the place of the log that they were made of. A rebuild applies them to the snapshot's
 * rows, and reads the log from their end.
 *
 * @param records data records only
 * @param end the log position up to which they go
 */
public record SortedRecords(TailIndex records, long end) implements AutoCloseable {
    /** Gives the memory back, and closes the runs. */
    @Override
    public void close() {
        records.close();
    }
}
