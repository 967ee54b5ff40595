package io.reprise.execution;

/** What happens to an invocation whose work was replaced or dropped while it waited. */
public final class Succession {
    private Succession() {}

    /** Gives the invocation the work that is in service now; false, with a failure, if that can't run it. */
    public static boolean resolve(Invocation invocation) {
        Work routedFor = invocation.work();
        Work current = routedFor;
        while (current != null && current.retired()) {
            current = current.successor();
        }
        if (current != null && current.canReplace(routedFor)) {
            invocation.replaceWork(current);
            return true;
        }
        invocation.failStale(
                current == null
                        ? "procedure " + routedFor.name() + " was dropped while this call waited"
                        : "procedure " + routedFor.name()
                                + " was replaced by one with other parameters or another scope while this call waited;"
                                + " call it again");
        return false;
    }
}
