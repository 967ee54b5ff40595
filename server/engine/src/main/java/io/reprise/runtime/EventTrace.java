package io.reprise.runtime;

/**
 * What components tell about what they do, in the order in which they do it. A simulation hashes it: two runs with one
 * seed must tell the same. In production {@link #NONE} takes its place, a call that the JIT compiler removes.
 */
@FunctionalInterface
public interface EventTrace {
    /** Tells nobody. */
    EventTrace NONE = (event, first, second) -> {};

    /** Something happened; the name is a constant, the numbers say to what. */
    void event(String event, long first, long second);
}
