package io.reprise.engine;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Calls that are to come to a good end at an engine whose time limit is short for the sake of those that come to none: on a busy
 * machine any call may take longer than that, and is made again then, because it was rolled back.
 */
final class Unhurried {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Unhurried() {}

    static <T> T call(Supplier<T> call) {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return call.get();
            } catch (ProcedureException late) {
                if (late.code() != ErrorCode.TIME_LIMIT || System.nanoTime() > deadlineNs) {
                    throw late;
                }
            }
        }
    }
}
