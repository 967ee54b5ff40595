package io.reprise.workload;

import java.util.List;

/**
 * A benchmark's database and its load, independent of where the database runs. An instance carries the sizes and options
 * and no other state: the same instance may load one database and drive another.
 */
public interface Workload {
    /** A short name in lower case. */
    String name();

    /** Tables, partitioning, indexes and CREATE PROCEDURE statements. */
    String ddl();

    /** The names of the procedures that generators call, in the order of the numbers that they are called by. */
    List<String> procedures();

    /** Fills the empty tables; the same content for the same options. */
    void load(Database database);

    /**
     * Makes a source of calls.
     *
     * @param seed the same seed gives the same calls
     * @param placement where partitioning values live
     * @param partition only calls that start in this partition; -1 for calls to all of them
     */
    Generator generator(long seed, Placement placement, int partition);

    /** Checks the database against the workload's invariants after a run; an empty list: all hold. */
    List<Violation> check(Database database, List<Generator> ran);

    /** An invariant that does not hold. */
    record Violation(String condition, String details) {}
}
