package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.log.LogDirectory;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.recovery.replay.RecoveryChoice;
import io.reprise.recovery.replay.RecoveryChoice.Action;
import io.reprise.redo.DivergedReplayException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A database whose log can't be run as it was goes on by an explicit choice, and each later start makes the same one. */
final class RecoveryChoiceTest {
    private static final String DDL = """
            CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(300));
            PARTITION TABLE note ON COLUMN id;
            CREATE PROCEDURE Put PARTITION ON TABLE note COLUMN id AS UPSERT INTO note (id, text) VALUES (?, ?);
            """;
    private static final String REMEMBER =
            "CREATE PROCEDURE Remember PARTITION ON TABLE note COLUMN id FROM CLASS " + Remember.class.getName();

    private final SimulatedClock clock = new SimulatedClock();
    private final SimulatedFileStore disk = new SimulatedFileStore(3);
    private final long[] ids = new long[6];
    private boolean reuses;

    /** Counts its calls where the scan does not look. */
    public static final class Remember extends Procedure {
        private final Statement put = sql("UPSERT INTO note (id, text) VALUES (?, ?)");
        private final int[] calls = new int[1];

        /** Returns how often it was called, by this instance. */
        public long run(long id) {
            calls[0]++;
            put.set(0, id).set(1, "call " + calls[0]).update();
            return calls[0];
        }
    }

    private Options options() {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl(DDL + REMEMBER)
                .files(disk)
                .sortedLog(SmallDurability.runs(6000)
                        .withSorting(reuses)
                        .withImages(reuses)
                        .withReuse(reuses))
                .durability(Durability.standard()
                        .with(SmallDurability.logOfSchemas(64 << 10))
                        .with(SmallDurability.snapshots(2)));
    }

    /** Transactions 0 and 1 are in a snapshot; of those behind it 3 and 4 differ, because instances begin to count anew. */
    private void makeDatabase() {
        try (Reprise engine = options().open()) {
            ids[0] = engine.call("Remember", 0).transactionId();
            ids[1] = engine.call("Remember", 1).transactionId();
            assertThat(engine.snapshot().succeeded()).isTrue();
            if (reuses) {
                putUntilSegmentsAreUsedAgain(engine);
            }
            ids[2] = engine.call("Put", 2, "usual").transactionId();
            ids[3] = engine.call("Remember", 3).transactionId();
            ids[4] = engine.call("Remember", 4).transactionId();
            ids[5] = engine.call("Put", 5, "last").transactionId();
        }
        assertThatThrownBy(() -> options().open())
                .isInstanceOf(DivergedReplayException.class)
                .hasMessageContaining("reprise recover")
                .hasMessageContaining("--accept 0x" + Long.toHexString(ids[3]));
    }

    private void recover(RecoveryChoice... choices) {
        OfflineRecovery.run(options(), List.of(choices), line -> {});
    }

    private List<String> notes() {
        try (Reprise engine = options().open()) {
            return notes(engine);
        }
    }

    private static List<String> notes(Reprise engine) {
        List<String> notes = new ArrayList<>();
        var rows = engine.sql("SELECT id, text FROM note ORDER BY id").rows();
        while (rows.next()) {
            notes.add(rows.longAt(0) + " " + rows.stringAt(1));
        }
        return notes;
    }

    private void removeSnapshots(boolean newestOnly) {
        List<String> names = disk.list("snapshot").stream()
                .filter(name -> disk.exists("snapshot/" + name + "/manifest"))
                .sorted()
                .toList();
        String newest = "snapshot/" + names.getLast();
        assertThat(newestOnly).isTrue();
        disk.delete(newest + "/manifest");
    }

    @Test
    void shouldTakeWhatTheTransactionWritesNowWhenItIsAccepted() {
        makeDatabase();

        recover(RecoveryChoice.of(Action.ACCEPT, ids[3]), RecoveryChoice.of(Action.ACCEPT, ids[4]));

        List<String> expected = List.of("0 call 1", "1 call 2", "2 usual", "3 call 1", "4 call 2", "5 last");
        assertThat(notes()).isEqualTo(expected);
    }

    @Test
    void shouldTakeAllThatDifferWhenAllAreAccepted() {
        makeDatabase();

        recover(RecoveryChoice.acceptAll());

        assertThat(notes()).containsExactly("0 call 1", "1 call 2", "2 usual", "3 call 1", "4 call 2", "5 last");
    }

    @Test
    void shouldLeaveTransactionsOutWhenTheyAreSkipped() {
        makeDatabase();

        recover(RecoveryChoice.of(Action.SKIP, ids[3]), RecoveryChoice.of(Action.SKIP, ids[4]));

        assertThat(notes()).containsExactly("0 call 1", "1 call 2", "2 usual", "5 last");
    }

    @Test
    void shouldDiscardAllBehindTheTransactionWhenItIsRecoveredUpToIt() {
        makeDatabase();

        recover(RecoveryChoice.of(Action.UP_TO, ids[3]));

        assertThat(notes()).containsExactly("0 call 1", "1 call 2", "2 usual");
        try (Reprise engine = options().open()) {
            engine.call("Put", 6, "new");
        }
        assertThat(notes()).containsExactly("0 call 1", "1 call 2", "2 usual", "6 new");
    }

    /** The snapshot of the outcome is lost: the log is run again from the older one, by the choices that it has. */
    @Test
    void shouldMakeTheSameChoiceAgainWhenTheSnapshotOfTheOutcomeIsLost() {
        for (Action action : List.of(Action.SKIP, Action.UP_TO)) {
            RecoveryChoiceTest each = new RecoveryChoiceTest();
            each.makeDatabase();
            each.recover(
                    action == Action.UP_TO
                            ? new RecoveryChoice[] {RecoveryChoice.of(action, each.ids[3])}
                            : new RecoveryChoice[] {
                                RecoveryChoice.of(action, each.ids[3]), RecoveryChoice.of(action, each.ids[4])
                            });
            try (Reprise engine = each.options().open()) {
                engine.call("Put", 7, "behind");
            }
            List<String> before = each.notes();
            each.removeSnapshots(true);

            assertThat(each.notes()).as("%s", action).isEqualTo(before).contains("7 behind");
        }
    }

    private void putUntilSegmentsAreUsedAgain(Reprise engine) {
        long before = firstPosition();
        for (int i = 0; firstPosition() == before; i++) {
            clock.advance(1_000_000);
            engine.call("Put", 2, "often " + i + "x".repeat(i % 200));
            assertThat(i).isLessThan(20_000);
        }
    }

    private long firstPosition() {
        return new LogDirectory(disk, "log").positions().getFirst();
    }

    /** Runs have the place of the log before the transactions that differ. Choices are followed, and followed again. */
    @Test
    void shouldFollowChoicesWhereRunsHaveThePlaceOfTheLog() {
        for (Action action : List.of(Action.SKIP, Action.UP_TO, Action.ACCEPT)) {
            RecoveryChoiceTest each = new RecoveryChoiceTest();
            each.reuses = true;
            each.makeDatabase();
            each.recover(
                    action == Action.UP_TO
                            ? new RecoveryChoice[] {RecoveryChoice.of(action, each.ids[3])}
                            : new RecoveryChoice[] {
                                RecoveryChoice.of(action, each.ids[3]), RecoveryChoice.of(action, each.ids[4])
                            });
            List<String> before = each.notes();
            assertThat(before)
                    .as("%s", action)
                    .contains("2 usual")
                    .anyMatch(note -> note.startsWith("3 ") == (action == Action.ACCEPT));
            try (Reprise engine = each.options().open()) {
                for (int i = 0; i < 300; i++) {
                    each.clock.advance(1_000_000);
                    engine.call("Put", 7, "behind " + i + "x".repeat(200));
                }
                before = notes(engine);
            }
            each.removeSnapshots(true);

            assertThat(each.notes()).as("%s", action).isEqualTo(before);
        }
    }

    /** Runs remember numbered calls that a choice discards, and calls before them that the log has no more. */
    @Test
    void shouldRunDiscardedCallsAgainThatRunsRemember() {
        reuses = true;
        Callers callers = new Callers();
        List<Callers.Call> calls = new ArrayList<>();
        List<Long> made = new ArrayList<>();
        try (Reprise engine = options().siteAgent(callers::at).open()) {
            assertThat(engine.snapshot().succeeded()).isTrue();
            long before = firstPosition();
            for (int i = 1, behind = 0; behind < 10; i++) {
                clock.advance(1_000_000);
                String text = "text " + i + "x".repeat(i % 200);
                calls.add(new Callers.Call(0, 5 + i % 2, i, 1, "Put", (long) i % 50, text));
                made.add(
                        callers.run(engine, List.of(calls.getLast())).getFirst().id());
                behind += firstPosition() == before ? 0 : 1;
                assertThat(i).isLessThan(20_000);
            }
        }
        long cut = idsInLog().get(3);
        assertThat(made).contains(cut);

        recover(RecoveryChoice.of(Action.UP_TO, cut));

        try (Reprise engine = options().siteAgent(callers::at).open()) {
            for (int i = 0; i < calls.size(); i++) {
                Callers.Answer again =
                        callers.run(engine, List.of(calls.get(i))).getFirst();
                assertThat(again.wrote())
                        .as("call %s of %s", i, calls.size())
                        .isEqualTo(Long.compareUnsigned(made.get(i), cut) >= 0);
            }
        }
    }

    private List<Long> idsInLog() {
        List<Long> found = new ArrayList<>();
        LogSettings log = options().durability.log();
        LogTail tail = LogTail.find(disk, log, firstPosition());
        try (LogReader reader = tail.read(firstPosition());
                LogFrame frame = new LogFrame()) {
            LogRecords records = new LogRecords();
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    if (records.kind().isTransaction()) {
                        found.add(records.transactionId());
                    }
                }
            }
        }
        return found;
    }

    @Test
    void shouldChangeNothingWhenAnotherTransactionDiffersStill() {
        makeDatabase();

        assertThatThrownBy(() -> recover(RecoveryChoice.of(Action.ACCEPT, ids[3])))
                .isInstanceOf(DivergedReplayException.class)
                .hasMessageContaining(Long.toHexString(ids[4]));

        recover(RecoveryChoice.of(Action.SKIP, ids[3]), RecoveryChoice.of(Action.SKIP, ids[4]));
        assertThat(notes()).containsExactly("0 call 1", "1 call 2", "2 usual", "5 last");
    }

    @Test
    void shouldRefuseAChoiceAboutATransactionThatIsNotInTheLog() {
        makeDatabase();

        assertThatThrownBy(() -> recover(RecoveryChoice.acceptAll(), RecoveryChoice.of(Action.SKIP, 4711)))
                .hasMessageContaining("has not met the transaction of the choice to skip transaction 0x1267");
    }

    /** A call that was discarded may be made again; its id is not given out again. */
    @Test
    void shouldGiveOutHigherIdsThanThoseOfDiscardedTransactions() {
        makeDatabase();

        recover(RecoveryChoice.of(Action.UP_TO, ids[2]));

        try (Reprise engine = options().open()) {
            assertThat(engine.call("Put", 2, "again").transactionId()).isGreaterThan(ids[5]);
        }
    }

    /** A procedure that can't be replayed does no harm where its transactions are logged by what they wrote. */
    @Test
    void shouldStoreWhatWasWrittenWhenTheProcedureIsLoggedAsData() {
        Options options = options().ddl(";" + REMEMBER.replace("PROCEDURE Remember", "PROCEDURE Kept LOGGED AS DATA"));
        try (Reprise engine = options.open()) {
            engine.call("Kept", 0);
            engine.call("Kept", 1);
            assertThat(engine.snapshot().succeeded()).isTrue();
            engine.call("Kept", 2);
            engine.call("Put", 3, "a command");
            engine.ddl("CREATE OR REPLACE PROCEDURE Kept PARTITION ON TABLE note COLUMN id FROM CLASS "
                    + Remember.class.getName() + " LOGGED AS DATA");
            engine.call("Kept", 4);
        }

        assertThat(notes()).containsExactly("0 call 1", "1 call 2", "2 call 3", "3 a command", "4 call 1");
    }
}
