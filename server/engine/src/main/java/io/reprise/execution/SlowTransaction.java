package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import java.util.Optional;

/**
 * Where the time of a transaction went that took long.
 *
 * @param id the transaction's id
 * @param procedure what it ran
 * @param partition whose thread ran it
 * @param participants how many partitions took part
 * @param queuedNs from being admitted until it began, other participants included
 * @param executingNs how long it ran; of a short one that was not timed by itself, how long the group took that it was in
 * @param timed whether it was timed by itself
 * @param loggingNs from its end in memory until it was answered: the log had to be durable first
 * @param error how it failed; empty if it committed
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
        Optional<ErrorCode> error) {
    /** All of it. */
    public long tookNs() {
        return queuedNs + executingNs + loggingNs;
    }
}
