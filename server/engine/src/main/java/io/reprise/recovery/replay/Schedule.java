package io.reprise.recovery.replay;

import io.reprise.log.LogRecords;

/**
 * The third stage of a replay: decides when, and in which lane, an analysed record is applied. The lanes' owners apply it, each on its own
 * thread. Confined to the replaying thread.
 *
 * <p>Each lane must apply the records that concern it as if in log order. A method that waits throws the failure of the earliest record
 * that has failed.
 */
interface Schedule extends AutoCloseable {
    /** An empty command of a bounded pool. Waits until one is free. */
    InFlight acquire();

    /** Schedules a command at all its participants. */
    void command(InFlight analysed);

    /** Schedules a data record at the lanes that its analysis names. */
    void data(LogRecords record, RecordAnalysis analysis);

    /**
     * A frame has been scheduled.
     *
     * @param position the position behind it
     * @param sourceEnd the position at which the source ends, as far as it is known
     */
    void frameScheduled(long position, long sourceEnd);

    /** Hands over what was gathered so far, without waiting: no frame is expected soon. */
    void flush();

    /** Waits until all that was scheduled has been applied, and no rows are prepared ahead. Lanes may do anything else then. */
    void drain();

    /** Waits for what is under way after a failure. An earlier record's failure replaces it. */
    void abandon(Throwable failure);

    /** Frees memory. The lanes' owners have ended. */
    @Override
    void close();
}
