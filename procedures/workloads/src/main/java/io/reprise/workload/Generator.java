package io.reprise.workload;

/** An endless source of calls, owned by one thread. Makes them without allocating. */
public interface Generator {
    /** Writes the next call. Returns the procedure's position in {@link Workload#procedures}. */
    int next(Call call);

    /**
     * Told of each call's end, in any order, so that a checker can compare what was promised with what is stored.
     *
     * @param procedure the procedure's position
     * @param committed false: rolled back, by the procedure or otherwise
     * @param value the result of a committed procedure that returns an integer; 0 for other results
     */
    default void completed(int procedure, boolean committed, long value) {}
}
