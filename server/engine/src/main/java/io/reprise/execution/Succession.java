package io.reprise.execution;

/** Decides about an execution whose work was replaced or dropped while it waited. */
public final class Succession {
    private Succession() {}

    /** Gives the execution the work that is in service now; false, with a failure, if that can't run it. */
    public static boolean resolve(Execution execution) {
        Work routedFor = execution.work();
        Work current = routedFor;
        while (current != null && current.retired()) {
            current = current.successor();
        }
        // Works that only read are called without a number, and by users who may not write.
        if (current != null && current.readOnly() == routedFor.readOnly() && current.canReplace(routedFor)) {
            execution.replaceWork(current);
            return true;
        }
        execution
                .outcome()
                .failStale(
                        current == null
                                ? "procedure " + routedFor.name() + " was dropped while this call waited"
                                : "procedure " + routedFor.name()
                                        + " was replaced by one with other parameters or another scope, or that writes where this"
                                        + " one reads, while this call waited;"
                                        + " call it again");
        return false;
    }
}
