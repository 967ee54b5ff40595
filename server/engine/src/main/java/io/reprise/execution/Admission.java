package io.reprise.execution;

/** Decides whether a partition of this node may run a transaction now. Owned by the site's thread. */
@FunctionalInterface
public interface Admission {
    /** Whether the partition may run it; if not, the execution has failed with the reason and was not run. */
    boolean admits(Execution execution);
}
