package io.reprise.engine;

import io.reprise.catalog.Sequence;
import io.reprise.catalog.Table;
import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.sql.bind.SequenceUse;
import io.reprise.sql.plan.StatementTraits;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Draws the values of sequences for statements, before they run. A node reserves some values at once, by a transaction that moves the
 * sequence's state behind them, and hands them out from memory. Reserved values are lost when the node ends. Any thread but those of
 * sites; a thread that reserves waits for that transaction.
 */
final class Sequences {
    /** The values that are reserved at once where the sequence doesn't say how many. */
    private static final int RESERVED = 32;

    /** The attempts to reserve values when other nodes reserve some at the same time. */
    private static final int ATTEMPTS = 1000;

    private static final long VERSION_BITS = 0xF000;
    private static final long VERSION_4 = 0x4000;
    private static final long VARIANT_BITS = 0xC000_0000_0000_0000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final Runner runner;

    /** Guarded by itself. */
    private final Randomness randomness = SeededRandomness.unpredictable();

    private final Map<Integer, Reserve> reserves = new ConcurrentHashMap<>();

    /** Runs a statement as a transaction of its own. */
    @FunctionalInterface
    interface Runner {
        /** Runs it and waits for its end. */
        Reply run(String sql, Object... arguments);
    }

    Sequences(Runner runner) {
        this.runner = runner;
    }

    /** The reserved values of a sequence. Guarded by itself. */
    private static final class Reserve {
        private long next;
        private long left;
    }

    /**
     * The arguments of a statement with the values of sequences that it takes behind them.
     *
     * @param session the values drawn before; null: there is no session
     */
    Object[] filled(StatementTraits statement, DrawnValues session, Object... arguments) {
        if (statement.sequences().isEmpty() || arguments.length != statement.givenParameters()) {
            return arguments;
        }
        Object[] all = java.util.Arrays.copyOf(arguments, statement.parameters().size());
        int at = arguments.length;
        for (SequenceUse use : statement.sequences()) {
            if (use.kind() == SequenceUse.Kind.SET) {
                set(use, session, arguments);
            } else {
                all[at++] = use.kind() == SequenceUse.Kind.UUID ? uuid() : Long.valueOf(value(use, session));
            }
        }
        return all;
    }

    /** A random UUID, of version 4. */
    private byte[] uuid() {
        synchronized (randomness) {
            long high = randomness.nextLong() & ~VERSION_BITS | VERSION_4;
            long low = randomness.nextLong() & ~VARIANT_BITS | VARIANT;
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(high)
                    .putLong(low)
                    .array();
        }
    }

    /** Adds the values of sequences that an INSERT takes to its arguments. */
    void fill(StatementTraits statement, DrawnValues session, Arguments to) {
        for (SequenceUse use : statement.sequences()) {
            if (use.kind() == SequenceUse.Kind.UUID) {
                to.add(uuid());
            } else if (use.isParameter()) {
                to.add(value(use, session));
            }
        }
    }

    private long value(SequenceUse use, DrawnValues session) {
        if (use.kind() == SequenceUse.Kind.NEXT) {
            Table sequence = use.sequence().orElseThrow();
            long value = next(sequence);
            if (session != null) {
                session.drawn(sequence.id(), value);
            }
            return value;
        }
        String name = use.sequence().map(Table::name).orElse("");
        if (session == null) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST, "CURRVAL and LASTVAL need a session; use RETURNING, or SELECT NEXTVAL");
        }
        OptionalLong drawn = use.kind() == SequenceUse.Kind.LAST
                ? session.last()
                : session.current(use.sequence().orElseThrow().id());
        return drawn.orElseThrow(() -> new ProcedureException(
                ErrorCode.INVALID_REQUEST,
                (name.isEmpty() ? "LASTVAL" : "CURRVAL of sequence " + name)
                        + " is not yet defined in this session; NEXTVAL defines it"));
    }

    private long next(Table sequence) {
        Reserve reserve = reserves.computeIfAbsent(sequence.id(), id -> new Reserve());
        synchronized (reserve) {
            if (reserve.left == 0) {
                reserve(sequence, reserve);
            }
            long value = reserve.next;
            reserve.left--;
            if (reserve.left > 0) {
                reserve.next += sequence.sequence().orElseThrow().increment();
            }
            return value;
        }
    }

    /** Moves the sequence's state behind the values that are reserved; another node may be faster. */
    private void reserve(Table table, Reserve reserve) {
        Sequence sequence = table.sequence().orElseThrow();
        String name = quoted(table.name());
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Rows state =
                    runner.run("SELECT \"LAST_VALUE\", IS_CALLED FROM " + name).rows();
            boolean present = state.next();
            long last = present ? state.longAt(0) : 0;
            boolean called = present && state.booleanAt(1);
            long first = first(table, sequence, present, last, called);
            long count = count(sequence, first);
            long end = first + (count - 1) * sequence.increment();
            Reply written = present
                    ? runner.run(
                            "UPDATE " + name
                                    + " SET \"LAST_VALUE\" = ?, IS_CALLED = TRUE WHERE LOG_CNT = 0 AND \"LAST_VALUE\" = ?"
                                    + " AND IS_CALLED = ?",
                            end,
                            last,
                            called)
                    : runner.run(
                            "INSERT INTO " + name + " (\"LAST_VALUE\", LOG_CNT, IS_CALLED) VALUES (?, 0, TRUE)"
                                    + " ON CONFLICT DO NOTHING",
                            end);
            if (written.longValue() == 1) {
                reserve.next = first;
                reserve.left = count;
                return;
            }
        }
        throw new ProcedureException(
                ErrorCode.OVERLOADED,
                "other nodes draw values of sequence " + table.name() + " all the time; try again");
    }

    private static long first(Table table, Sequence sequence, boolean present, long last, boolean called) {
        if (!present) {
            return sequence.start();
        } else if (!called) {
            return last;
        }
        boolean rising = sequence.increment() > 0;
        long next = last + sequence.increment();
        boolean overflow = rising ? next < last : next > last;
        if (!overflow && next >= sequence.min() && next <= sequence.max()) {
            return next;
        } else if (sequence.cycle()) {
            return rising ? sequence.min() : sequence.max();
        }
        throw new ProcedureException(
                ErrorCode.NUMERIC_OVERFLOW,
                "reached the " + (rising ? "greatest" : "least") + " value of sequence " + table.name() + ", "
                        + (rising ? sequence.max() : sequence.min())
                        + "; ALTER SEQUENCE ... RESTART begins anew");
    }

    private static long count(Sequence sequence, long first) {
        int wanted = sequence.cache() > 1 ? sequence.cache() : RESERVED;
        // Differences within the range of 64 bits may need all of them.
        long room = sequence.increment() > 0
                ? Long.divideUnsigned(sequence.max() - first, sequence.increment())
                : Long.divideUnsigned(first - sequence.min(), -sequence.increment());
        return Long.compareUnsigned(room, wanted - 1L) < 0 ? room + 1 : wanted;
    }

    private void set(SequenceUse use, DrawnValues session, Object... arguments) {
        Table table = use.sequence().orElseThrow();
        Sequence sequence = table.sequence().orElseThrow();
        long value = use.value();
        if (use.parameter() >= 0) {
            if (!(arguments[use.parameter()] instanceof Number number)) {
                throw new ProcedureException(ErrorCode.INVALID_VALUE, "SETVAL takes a whole number as its value");
            }
            value = number.longValue();
        }
        if (value < sequence.min() || value > sequence.max()) {
            throw new ProcedureException(
                    ErrorCode.NUMERIC_OVERFLOW,
                    value + " is outside of the range of sequence " + table.name() + ", " + sequence.min() + " to "
                            + sequence.max());
        }
        Reserve reserve = reserves.computeIfAbsent(table.id(), id -> new Reserve());
        synchronized (reserve) {
            runner.run(
                    "UPSERT INTO " + quoted(table.name()) + " (\"LAST_VALUE\", LOG_CNT, IS_CALLED) VALUES (?, 0, ?)",
                    value,
                    use.called());
            reserve.left = 0;
        }
        if (session != null && use.called()) {
            session.drawn(table.id(), value);
        }
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
