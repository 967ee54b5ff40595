package io.reprise.runtime;

/**
 * The events of a component, in order. A simulation hashes them: two runs with one seed must have the same trace. In
 * production {@link #NONE} takes its place, a call that the JIT compiler removes.
 */
@FunctionalInterface
public interface EventTrace {
    /** A trace that drops its events. */
    EventTrace NONE = (event, first, second) -> {};

    /** Something happened; the name is a constant, the numbers say to what. */
    void event(String event, long first, long second);
}
