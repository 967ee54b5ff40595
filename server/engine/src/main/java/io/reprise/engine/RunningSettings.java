package io.reprise.engine;

import java.time.Duration;

/**
 * The settings of an engine that change while it runs.
 *
 * @param timeLimit after which a transaction is rolled back; without a limit in {@link Options} it has no effect, nor has zero
 * @param slowAfter after which a transaction is told of; zero: never; without such a time in {@link Options} it has no effect
 * @param snapshotEvery time from the beginning of a snapshot to that of the next; zero: only when asked for
 * @param snapshotAfterLog bytes of log after which a snapshot begins; 0: never for that
 */
public record RunningSettings(Duration timeLimit, Duration slowAfter, Duration snapshotEvery, long snapshotAfterLog) {}
