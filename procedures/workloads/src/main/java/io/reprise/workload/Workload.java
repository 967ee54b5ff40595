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
     * Fills a part of the empty tables. Several drivers at a time, each with another part, fill all of them.
     *
     * @param part from 0
     */
    default void load(Database database, int part, int parts) {
        if (part == 0) {
            load(database);
        }
    }

    /**
     * Makes a source of calls.
     *
     * @param seed the same seed gives the same calls
     * @param placement the placement of partitioning values
     * @param partition only calls that start in this partition; -1 for calls to all of them
     */
    Generator generator(long seed, Placement placement, int partition);

    /** The amount that {@link #held} counts after the load. */
    default long loaded() {
        return 0;
    }

    /**
     * The amount in a database that calls add to: votes, cents, records. Asked before a run on a database that has
     * been driven before, so that the run can be checked. 0 for a workload whose invariants need no such number.
     */
    default long held(Database database) {
        return 0;
    }

    /**
     * Checks the database against the workload's invariants after a run; an empty list: all hold. The database must
     * be at rest.
     *
     * @param before the result of {@link #held} before the run
     * @param ran the generators of the run, which know the promised results
     */
    List<Violation> check(Database database, long before, List<Generator> ran);

    /** The same for a run that was the first after the load. */
    default List<Violation> check(Database database, List<Generator> ran) {
        return check(database, loaded(), ran);
    }

    /** An invariant that does not hold. */
    record Violation(String condition, String details) {}
}
