package io.reprise.benchmark.engine;

import io.reprise.execution.Invocation;
import io.reprise.procedure.ErrorCode;

/** Tells failures that a workload provokes from those that mean that a measurement is worth nothing. */
final class Unexpected {
    private Unexpected() {}

    /** Throws unless the transaction was rolled back by its own wish or by a constraint that its workload runs into. */
    static void check(Invocation failed) {
        if (failed.error() != ErrorCode.USER_ABORT && failed.error() != ErrorCode.CONSTRAINT_VIOLATION) {
            throw new IllegalStateException(
                    failed.work().name() + " failed: " + failed.error() + ": " + failed.message());
        }
    }
}
