package io.reprise.engine;

import io.reprise.execution.SlowTransaction;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Limits of calls and statements.
 *
 * @param time the longest run of a transaction
 * @param planning the longest planning of an ad hoc statement; zero: any
 * @param slowAfter the duration of a transaction from which on it is told of; zero: never
 * @param slowListener is told of such transactions
 */
record LimitSettings(Duration time, Duration planning, Duration slowAfter, Consumer<SlowTransaction> slowListener) {}
