package io.reprise.benchmark.drive;

import io.reprise.client.CallException;
import io.reprise.workload.Workload;
import java.util.List;
import java.util.function.Supplier;

/**
 * The verdict on a run's data.
 *
 * @param good whether a script may go on: nothing is wrong, and no check is missing but those that the user left out
 * @param text the same as a sentence
 */
record Verdict(boolean good, String text) {
    /**
     * Checks the data, unless the run's outcome makes the check meaningless.
     *
     * @param wanted whether the user asked for the check
     * @param stopped whether the run was stopped early
     * @param check finds what is wrong
     */
    static Verdict of(boolean wanted, boolean stopped, List<Trial> trials, Supplier<List<Workload.Violation>> check) {
        if (!wanted) {
            return new Verdict(true, "The data were not checked.");
        }
        if (trials.stream().anyMatch(Trial::someUnknown)) {
            return new Verdict(
                    false,
                    "The data were not checked: some calls got no reply, so it is unknown whether they committed.");
        }
        if (stopped) {
            return new Verdict(true, "The data were not checked: the run was stopped.");
        }
        try {
            List<Workload.Violation> violations = check.get();
            return violations.isEmpty()
                    ? new Verdict(true, "The data are what the replies say: all invariants of the workload hold.")
                    : new Verdict(false, "THE DATA ARE WRONG, unless another client changed them too: " + violations);
        } catch (CallException failure) {
            return new Verdict(false, "The data could not be checked: " + failure.getMessage());
        }
    }
}
