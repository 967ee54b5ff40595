package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import java.util.Optional;

/**
 * The time of a slow transaction, by phase.
 *
 * @param id the transaction's id
 * @param procedure its procedure
 * @param partition whose thread ran it
 * @param participants number of partitions that took part
 * @param queuedNs from being admitted until it began, other participants included
 * @param executingNs its execution; of a short one that was not timed by itself, that of its group
 * @param timed whether it was timed by itself
 * @param loggingNs from its end in memory until it was answered: the log had to be durable first
 * @param error its failure; empty if it committed
 * @param answeredMicros its end, in microseconds since 1970
 */
public record SlowTransaction(
        long id,
        String procedure,
        int partition,
        int participants,
        long queuedNs,
        long executingNs,
        boolean timed,
        long loggingNs,
        Optional<ErrorCode> error,
        long answeredMicros) {
    /** All of it. */
    public long tookNs() {
        return queuedNs + executingNs + loggingNs;
    }
}
