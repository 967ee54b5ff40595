package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.metric.Counter;
import io.reprise.runtime.metric.Distribution;
import io.reprise.runtime.metric.Histogram;

/**
 * The measurements of one site of one procedure, over all its versions. Written by the site's thread, read by any.
 *
 * <p>Reading the clock twice would take a twentieth of the shortest transactions, so of those one in {@value #EVERY}
 * is timed by itself. A procedure whose transactions take {@value #LONG_NS} ns or more on average is timed each time.
 */
public final class ProcedureMeter {
    private static final int EVERY = 64;
    private static final long LONG_NS = 4_000;
    private static final int WEIGHT = 8;
    private static final ErrorCode[] CODES = ErrorCode.values();

    private final String name;
    private final Histogram latency = new Histogram();
    private final Histogram execution = new Histogram();
    private final Counter committed = new Counter();
    private final Counter[] failed = new Counter[CODES.length];
    private int untilTimed = 1;
    private long averageNs;

    /** A meter of a procedure with this name. */
    public ProcedureMeter(String name) {
        this.name = name;
        for (int i = 0; i < failed.length; i++) {
            failed[i] = new Counter();
        }
    }

    /** The procedure's name. */
    public String name() {
        return name;
    }

    /** Whether the transaction that begins now is timed by itself. */
    boolean takesTime() {
        if (--untilTimed > 0) {
            return false;
        }
        untilTimed = averageNs >= LONG_NS ? 1 : EVERY;
        return true;
    }

    /** The number of transactions that the timed one stands for. */
    int standsFor() {
        return untilTimed;
    }

    /** The average of the last timed transactions. */
    long averageNs() {
        return averageNs;
    }

    void executed(long ns) {
        execution.record(ns);
        averageNs += (ns - averageNs) / WEIGHT;
    }

    void ended(ErrorCode error) {
        (error == null ? committed : failed[error.ordinal()]).increment();
    }

    void answered(long ns, int transactions) {
        latency.record(ns, transactions);
    }

    /** Any thread: times of its transactions from being admitted to being answered. */
    public Distribution latency() {
        return latency.distribution();
    }

    /** Any thread: execution times of the transactions that were timed by themselves. */
    public Distribution execution() {
        return execution.distribution();
    }

    /** Any thread: the number of committed transactions. */
    public long committed() {
        return committed.get();
    }

    /** Any thread: the number of transactions that ended with this failure. */
    public long failed(ErrorCode code) {
        return failed[code.ordinal()].get();
    }
}
