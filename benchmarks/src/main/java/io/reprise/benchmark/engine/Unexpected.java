package io.reprise.benchmark.engine;

import io.reprise.execution.Execution;
import io.reprise.procedure.ErrorCode;

/** Tells failures that a workload provokes from those that mean that a measurement is worth nothing. */
final class Unexpected {
    private Unexpected() {}

    /** Throws unless the transaction was rolled back by its own wish or by a constraint that its workload runs into. */
    static void check(Execution failed) {
        if (failed.outcome().error() != ErrorCode.USER_ABORT
                && failed.outcome().error() != ErrorCode.CONSTRAINT_VIOLATION) {
            throw new IllegalStateException(failed.work().name() + " failed: "
                    + failed.outcome().error() + ": " + failed.outcome().message());
        }
    }
}
