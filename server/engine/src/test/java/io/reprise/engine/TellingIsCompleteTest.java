package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.RandomSteps.Step;
import io.reprise.footprint.AccessTable;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogTail;
import io.reprise.log.RecordKind;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.recovery.closure.BackwardPass;
import io.reprise.recovery.closure.LogHistory;
import io.reprise.recovery.closure.LoggedTransaction;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Footprints name all that transactions depend on: of a random log, some transactions run again in a {@link Shadow} with nothing but what
 * their recovery set writes. Each writes the same and tells the same rows as in the full run.
 */
final class TellingIsCompleteTest {
    private static final int SEEDS = 1;
    private static final int STEPS = 90;
    private static final int TRIALS = 3;
    private static final int MOST_DRAWN = 1_500;
    private static final int GENERATED = 20;

    /** A statement with a condition; {@code :id} and {@code :n} are parameters. */
    private record Write(String table, String sql) {}

    private static final List<Write> WRITES = List.of(
            new Write("account", "UPDATE account SET balance = balance + :n WHERE id = :id AND "),
            new Write("account", "UPDATE account SET ratio = :n WHERE id = :id AND "),
            new Write("item", "UPDATE item SET amount = amount + :n WHERE id = :id AND "),
            new Write("item", "UPDATE item SET text = 'y' WHERE id = :id AND line > :n AND "),
            new Write("item", "DELETE FROM item WHERE id = :id AND line = :n AND "),
            new Write("event", "DELETE FROM event WHERE id = :id AND n < :n AND "),
            new Write("event", "UPDATE event SET n = n + 1 WHERE id = :id AND n < :n AND "),
            new Write(
                    "item",
                    "INSERT INTO event (id, what, n) SELECT id, 'made', line FROM item WHERE id = :id AND line < :n AND "),
            new Write(
                    "account",
                    "INSERT INTO event (id, what, n) SELECT id, owner, 3 FROM account WHERE id = :id AND balance > :n AND "));

    private static final String[] CONDITIONS = {
        "1 = 1",
        "EXISTS (SELECT * FROM item AS i WHERE i.id = $.id AND i.amount > 3)",
        "EXISTS (SELECT * FROM event AS e WHERE e.id = $.id AND e.n > 5)",
        "NOT EXISTS (SELECT * FROM event AS e WHERE e.id = $.id AND e.what = 'made')",
        "(SELECT COUNT(*) FROM item AS i WHERE i.id = $.id) > 2",
        "(SELECT MAX(e.n) FROM event AS e WHERE e.id = $.id) > 4",
        "(SELECT SUM(a.balance) FROM account AS a JOIN item AS i ON i.id = a.id WHERE a.id = $.id) > 10",
        "EXISTS (SELECT * FROM item AS i WHERE i.id = $.id AND i.line BETWEEN 1 AND 4)",
        "(SELECT i.line FROM item AS i WHERE i.id = $.id ORDER BY i.line DESC LIMIT 1) > 2",
        "EXISTS (SELECT i.text FROM item AS i WHERE i.id = $.id GROUP BY i.text HAVING COUNT(*) > 1)",
        "EXISTS (SELECT a.id FROM account AS a LEFT JOIN event AS e ON e.id = a.id WHERE a.id = $.id AND e.n IS NULL)",
        "$.id IN (SELECT e.id FROM event AS e WHERE e.id = $.id UNION SELECT i.id FROM item AS i WHERE i.id = $.id)"
    };

    /** The kinds of elements that a mutation leaves out: rows that were only read, changed ones, and deleted ones. */
    private static final int KINDS = 3;

    private static final int READ = 0;
    private static final int CHANGED = 1;
    private static final int DELETED = 2;

    /** A generated procedure and the order of its parameters. */
    private record Generated(String name, String sql) {
        String ddl() {
            return "CREATE PROCEDURE " + name + " AS " + sql.replaceAll(":(id|n)\\b", "?") + ";\n";
        }

        Object[] arguments(int id, int n) {
            List<Object> arguments = new ArrayList<>();
            for (int at = sql.indexOf(':'); at >= 0; at = sql.indexOf(':', at + 1)) {
                arguments.add(sql.startsWith(":id", at) ? id : n);
            }
            return arguments.toArray();
        }
    }

    private static List<Generated> generated(SeededRandomness random) {
        List<Generated> procedures = new ArrayList<>();
        for (int i = 0; i < GENERATED; i++) {
            Write write = WRITES.get(random.nextInt(WRITES.size()));
            String sql = write.sql() + CONDITIONS[random.nextInt(CONDITIONS.length)];
            if (random.nextInt(2) == 0) {
                sql += " AND " + CONDITIONS[random.nextInt(CONDITIONS.length)];
            }
            procedures.add(new Generated("G" + i, sql.replace("$", write.table())));
        }
        return procedures;
    }

    /** A log of random calls, and what it says. */
    private static final class Source {
        private final SimulatedFileStore disk;
        private final List<LoggedTransaction> history = new ArrayList<>();

        Source(long seed, int partitions) {
            SeededRandomness random = new SeededRandomness(seed);
            disk = new SimulatedFileStore(seed);
            SimulatedClock clock = new SimulatedClock();
            Callers callers = new Callers();
            RandomSteps steps = new RandomSteps(random, true, 1);
            List<Generated> generated = generated(random);
            Reprise engine = Options.create()
                    .partitions(partitions)
                    .threads(Options.Threads.CALLER)
                    .clock(clock)
                    .memoryPerPartition(32 << 20)
                    .siteAgent(callers::at)
                    .ddl(Medley.DDL
                            + String.join(
                                    "", generated.stream().map(Generated::ddl).toList()))
                    .files(disk)
                    .footprints(new FootprintBuffer.Settings(2, 1 << 14, 1 << 13, 1))
                    .durability(Durability.standard()
                            .withFootprints(true)
                            .with(SmallDurability.logOfSchemas(256 << 10))
                            .with(SmallDurability.snapshots(1)))
                    .open();
            for (int i = 0; i < STEPS; i++) {
                clock.advance(1_000_000);
                if (random.nextInt(3) == 0) {
                    Generated procedure = generated.get(random.nextInt(GENERATED));
                    call(engine, procedure.name(), procedure.arguments(random.nextInt(12), random.nextInt(9)));
                } else {
                    Step step = steps.next();
                    // Most ad hoc statements are left out: they are coarse, and need everything.
                    if (step.calls() != null
                            || step.what().matches("(Near|Written|Move|Far|Flag|Share|Tell).*")
                            || random.nextInt(12) == 0) {
                        step.run(engine, callers, false);
                    }
                }
                engine.runSites();
            }
            engine.close();
            new LogHistory(tail()::read, 0, 16 << 10).backward(new LogHistory.Visitor() {
                @Override
                public void transaction(LoggedTransaction transaction) {
                    history.addFirst(transaction.copy());
                }

                @Override
                public void catalogChange() {
                    history.addFirst(null);
                }
            });
        }

        private static void call(Reprise engine, String procedure, Object... arguments) {
            try {
                engine.call(procedure, arguments);
            } catch (ProcedureException refused) {
                // As when a text is too long for a column; the transaction leaves no record.
                assertThat(refused.code()).isEqualTo(ErrorCode.VALUE_TOO_LONG);
            }
        }

        LogTail tail() {
            return LogTail.find(disk, SmallDurability.logOfSchemas(256 << 10), 0);
        }

        Set<Long> closure(List<LoggedTransaction> of, Set<Long> targets) {
            BackwardPass pass = new BackwardPass(1 << 20);
            Set<Long> needed = new TreeSet<>();
            for (LoggedTransaction transaction : of.reversed()) {
                if (transaction == null) {
                    pass.visitCatalogChange();
                } else if (targets.contains(transaction.id())) {
                    pass.visitNeeded(transaction);
                    needed.add(transaction.id());
                } else if (pass.visit(transaction)) {
                    needed.add(transaction.id());
                }
            }
            return needed;
        }

        /** Runs some transactions alone; null, or the first difference. */
        String runAlone(Set<Long> needed) {
            TreeMap<Long, LoggedTransaction> byId = new TreeMap<>();
            for (LoggedTransaction transaction : history) {
                if (transaction != null) {
                    byId.put(transaction.id(), transaction);
                }
            }
            LogRecords records = new LogRecords();
            try (Shadow shadow = new Shadow();
                    LogReader log = tail().read(0);
                    LogFrame frame = new LogFrame()) {
                while (log.next(frame)) {
                    records.wrap(frame);
                    while (records.next()) {
                        if (records.kind() == RecordKind.CATALOG) {
                            shadow.change(records.payloadCopy(), records.transactionId());
                        } else if (records.kind() == RecordKind.COMMAND) {
                            LoggedTransaction logged = byId.get(records.transactionId());
                            if (!needed.contains(logged.id())) {
                                shadow.skip(logged);
                                continue;
                            }
                            String difference = shadow.run(records, logged);
                            if (difference != null) {
                                return difference;
                            }
                        }
                    }
                }
            }
            return null;
        }
    }

    @Test
    void shouldRunAloneWithItsRecoverySetAndDoTheSame() {
        Seeds.forEach(SEEDS, seed -> {
            SeededRandomness random = new SeededRandomness(~seed);
            Source source = new Source(seed, 1);
            int smaller = 0;
            for (int trial = 0; trial < TRIALS; trial++) {
                Set<Long> targets = targets(random, source);
                Set<Long> needed = source.closure(source.history, targets);
                smaller += needed.size() < commands(source) ? 1 : 0;

                assertThat(source.runAlone(needed)).as("targets %s", targets).isNull();
            }
            assertThat(smaller).as("closures that are not everything").isPositive();
        });
    }

    private static Set<Long> targets(SeededRandomness random, Source source) {
        Set<Long> targets = new TreeSet<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            LoggedTransaction target = source.history.get(random.nextInt(source.history.size()));
            if (target != null) {
                targets.add(target.id());
            }
        }
        return targets;
    }

    private static int commands(Source source) {
        return (int) source.history.stream().filter(t -> t != null).count();
    }

    @Test
    void shouldBeCaughtWhenAnElementIsMissing() {
        int[] dropped = new int[KINDS];
        int[] caught = new int[KINDS];
        Seeds.forEach(SEEDS, seed -> {
            SeededRandomness random = new SeededRandomness(seed + 1);
            Source source = new Source(seed, 1);
            int[] before = dropped.clone();
            for (int trial = 0; trial < MOST_DRAWN; trial++) {
                int kind = trial % KINDS;
                if (dropped[kind] - before[kind] < TRIALS) {
                    drop(random, source, kind, dropped, caught);
                }
            }
        });

        // Rows that are changed after another transaction's change are few in one short log: more seeds have them.
        assertThat(dropped[READ]).as("mutations by which a row is missing").isPositive();
        assertThat(caught).as("those that were caught").isEqualTo(dropped);
    }

    private static int kind(LoggedTransaction target, int element) {
        return target.deleted(element) ? DELETED : target.written(element) != 0 ? CHANGED : READ;
    }

    /**
     * Leaves out a row of a transaction. If the row's insert is not needed without it, or the last writer of a changed piece, running the
     * transaction must show that: a write hash depends on old values.
     */
    private static void drop(SeededRandomness random, Source source, int kind, int[] drops, int[] caught) {
        int at = random.nextInt(source.history.size());
        LoggedTransaction target = source.history.get(at);
        if (target == null || target.isCoarse() || target.size() == 0) {
            return;
        }
        int dropped = random.nextInt(target.size());
        if (target.inserted(dropped) || kind(target, dropped) != kind) {
            return;
        }
        // With an element that is no row, a footprint without rows is one all the same.
        LoggedTransaction mutated = new LoggedTransaction(target.id(), false, null)
                .add(AccessTable.tableOfParts(1), AccessTable.PARTS, 0, 0, 0);
        for (int i = 0; i < target.size(); i++) {
            if (target.table(i) != target.table(dropped) || target.row(i) != target.row(dropped)) {
                mutated.add(target.table(i), target.flags(i), target.row(i), target.read(i), target.written(i));
            }
        }
        // Later writers of replicated tables would need most rows anyway.
        List<LoggedTransaction> history = new ArrayList<>(source.history.subList(0, at));
        history.add(mutated);
        Set<Long> needed = source.closure(history, Set.of(target.id()));
        long writer = kind == CHANGED ? lastWriterOf(source, target, dropped) : writerOf(source, target, dropped);
        if (needed.contains(writer)) {
            return;
        }
        drops[kind]++;
        caught[kind] += source.runAlone(needed) != null ? 1 : 0;
    }

    /** The last transaction before another one that wrote a piece which that one changed; the other one itself if there is none. */
    private static long lastWriterOf(Source source, LoggedTransaction target, int element) {
        long last = target.id();
        for (LoggedTransaction transaction : source.history) {
            if (transaction != null && transaction.id() == target.id()) {
                return last;
            }
            for (int i = 0; transaction != null && i < transaction.size(); i++) {
                if (transaction.table(i) == target.table(element)
                        && transaction.row(i) == target.row(element)
                        && (transaction.written(i) & target.written(element)) != 0) {
                    last = transaction.id();
                }
            }
        }
        return target.id();
    }

    private static long writerOf(Source source, LoggedTransaction target, int element) {
        for (LoggedTransaction transaction : source.history) {
            for (int i = 0; transaction != null && i < transaction.size(); i++) {
                if (transaction.inserted(i)
                        && transaction.table(i) == target.table(element)
                        && transaction.row(i) == target.row(element)) {
                    return transaction.id();
                }
            }
        }
        // A coarse transaction may have inserted it, which is then in the set or not.
        return target.id();
    }

    @Test
    void shouldWriteTheSameAloneWhenItRanOnSeveralPartitions() {
        Seeds.forEach(SEEDS, seed -> {
            SeededRandomness random = new SeededRandomness(seed + 2);
            Source source = new Source(seed, 3);
            for (int trial = 0; trial < TRIALS; trial++) {
                Set<Long> needed = source.closure(source.history, targets(random, source));
                String difference = source.runAlone(needed);

                // A scan of one partition looks at fewer rows than one of all.
                assertThat(difference == null || difference.contains(" tells "))
                        .as(difference)
                        .isTrue();
            }
        });
    }
}
