package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.Execution;
import io.reprise.execution.deploy.ClassJar;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of schema and procedures while the engine runs. */
class SchemaChangeTest {
    private static final int ACCOUNTS = 60;

    private static Reprise bank(int partitions) {
        Reprise engine = Options.create()
                .partitions(partitions)
                .memoryPerPartition(256 << 20)
                .ddl(Bank.DDL)
                .open();
        for (int id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 1000 + id % 2, "owner " + id % 10);
        }
        return engine;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldKeepRowsWhenTableIsAltered(int partitions) {
        try (Reprise engine = bank(partitions)) {
            engine.ddl("ALTER TABLE account ADD COLUMN branch VARCHAR(20) DEFAULT 'main' NOT NULL");
            engine.ddl("DROP PROCEDURE OpenAccount; DROP PROCEDURE Report; DROP PROCEDURE Find;"
                    + " ALTER TABLE account DROP COLUMN owner");

            Rows rows = engine.sql("SELECT id, branch, balance FROM account WHERE id = 5")
                    .rows();
            assertThat(rows.next()).isTrue();
            assertThat(rows.stringAt(1)).isEqualTo("main");
            assertThat(rows.longAt(2)).isEqualTo(1001);
            assertThat(engine.call("Total").longValue()).isEqualTo(ACCOUNTS * 1000 + ACCOUNTS / 2);
        }
    }

    /** A dropped column takes its values along, also if the script then adds one that looks the same. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldForgetValuesWhenColumnIsDroppedAndAddedAlike(int partitions) {
        try (Reprise engine = Options.create().partitions(partitions).open()) {
            engine.ddl("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, note VARCHAR(20), n INTEGER DEFAULT 7);"
                    + " PARTITION TABLE t ON COLUMN id");
            engine.ddl("CREATE PROCEDURE Notes AS SELECT COUNT(note), SUM(n) FROM t");
            for (int id = 0; id < 20; id++) {
                engine.sql("INSERT INTO t VALUES (?, 'secret', 8)", id);
            }

            engine.ddl("ALTER TABLE t DROP COLUMN n; ALTER TABLE t DROP COLUMN note;"
                    + " ALTER TABLE t ADD COLUMN note VARCHAR(20); ALTER TABLE t ADD COLUMN n INTEGER DEFAULT 7");
            engine.sql("INSERT INTO t VALUES (99, 'new', 1)");

            Rows rows =
                    engine.sql("SELECT COUNT(note), SUM(n), COUNT(*) FROM t").rows();
            rows.next();
            assertThat(List.of(rows.longAt(0), rows.longAt(1), rows.longAt(2))).containsExactly(1L, 141L, 21L);
            Rows called = engine.call("Notes").rows();
            called.next();
            assertThat(List.of(called.longAt(0), called.longAt(1))).containsExactly(1L, 141L);
        }
    }

    @Test
    void shouldRefuseDroppedColumnWhenProcedureUsesIt() {
        try (Reprise engine = bank(2)) {
            assertThatThrownBy(() -> engine.ddl("ALTER TABLE account DROP COLUMN balance"))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageContaining("BALANCE");

            assertThat(engine.call("Balance", 5).longValue()).isEqualTo(1001);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldLeaveEverythingAsItWasWhenUniqueIndexMeetsDuplicates(int partitions) {
        try (Reprise engine = bank(partitions)) {
            long[] before = engine.contentHashes();

            assertThatThrownBy(() -> engine.ddl("ALTER TABLE account ADD COLUMN n INTEGER DEFAULT 1;"
                            + " CREATE UNIQUE INDEX by_n ON account (id, n); CREATE TABLE extra (x INTEGER NOT NULL);"
                            + " CREATE UNIQUE INDEX once ON rate (pct);"
                            + " DROP PROCEDURE Total; CREATE UNIQUE INDEX twice ON account (balance, owner, id);"
                            + " CREATE TABLE account (id BIGINT NOT NULL)"))
                    .hasMessageContaining("ACCOUNT");
            engine.call("SetRate", "a", 1);
            engine.call("SetRate", "b", 1);
            assertThatThrownBy(() -> engine.ddl("ALTER TABLE account ADD COLUMN n INTEGER DEFAULT 1;"
                            + " CREATE TABLE extra (x INTEGER NOT NULL); DROP PROCEDURE Total;"
                            + " CREATE UNIQUE INDEX once ON rate (pct)"))
                    .isInstanceOfSatisfying(
                            ProcedureException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION));
            engine.sql("DELETE FROM rate");

            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(engine.catalog().table("EXTRA")).isEmpty();
            assertThat(engine.call("Total").longValue()).isEqualTo(ACCOUNTS * 1000 + ACCOUNTS / 2);
            assertThatThrownBy(() -> engine.sql("SELECT n FROM account")).hasMessageContaining("N");
        }
    }

    /** Its plan does without the table, but it could not be planned again. */
    @Test
    void shouldRefuseDroppedTableWhenAPartOfAStatementNamesItThatNothingNeeds() {
        try (Reprise engine = Options.create()
                .ddl("CREATE TABLE t (a INTEGER); CREATE TABLE \"Odd \"\"one\" (a INTEGER); CREATE TABLE u (b INTEGER);"
                        + " CREATE PROCEDURE p AS WITH x AS (SELECT a FROM T) SELECT b FROM u;"
                        + " CREATE PROCEDURE q AS WITH x AS (SELECT a FROM \"Odd \"\"one\") SELECT b FROM u")
                .open()) {
            for (String table : List.of("t", "\"Odd \"\"one\"")) {
                assertThatThrownBy(() -> engine.ddl("DROP TABLE " + table))
                        .as(table)
                        .isInstanceOfSatisfying(
                                ProcedureException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
            }
        }
    }

    @Test
    void shouldMakeAProcedureAnewThatIsDroppedAndCreatedInOneScript() {
        try (Reprise engine = bank(1)) {
            Object before = engine.procedure("Total");

            engine.ddl("DROP PROCEDURE Total; CREATE PROCEDURE Total FROM CLASS io.reprise.engine.Bank$Total");

            assertThat(engine.procedure("Total")).isNotSameAs(before);
            assertThat(engine.call("Total").longValue()).isEqualTo(ACCOUNTS * 1000 + ACCOUNTS / 2);
        }
    }

    private static long ofOwner(Reprise engine, String owner) {
        Rows rows = engine.call("OfOwner", owner).rows();
        rows.next();
        return rows.longAt(0);
    }

    /** The index is dropped at the first partition, and made anew, before the second one refuses. */
    @Test
    void shouldFindRowsByAnIndexWhoseReplacementWasRefused() {
        try (Reprise engine = bank(2)) {
            engine.ddl("CREATE INDEX by_owner ON account (owner);"
                    + " CREATE PROCEDURE OfOwner AS SELECT COUNT(*) FROM account WHERE owner = ?");
            engine.ddl("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(20))");
            engine.sql("INSERT INTO note VALUES (1, 'same')");
            engine.sql("INSERT INTO note VALUES (2, 'same')");

            assertThatThrownBy(() -> engine.ddl("DROP INDEX by_owner; CREATE INDEX by_owner ON account (owner, id);"
                            + " CREATE UNIQUE INDEX once ON note (text)"))
                    .isInstanceOfSatisfying(
                            ProcedureException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION));
            for (int i = 0; i < 3_000; i++) {
                engine.sql("INSERT INTO account (id, owner, balance) VALUES (?, 'somebody', 0)", ACCOUNTS + i);
            }

            assertThat(ofOwner(engine, "somebody")).isEqualTo(3_000);
            assertThat(ofOwner(engine, "owner 3")).isEqualTo(6);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldUseNewIndexWhenItWasCreatedOverRows(int partitions) {
        try (Reprise engine = bank(partitions)) {
            String query = "SELECT COUNT(*) FROM account WHERE owner = 'owner 3'";
            Rows before = engine.sql(query).rows();
            assertThat(before.next()).isTrue();

            engine.ddl("CREATE INDEX by_owner ON account (owner)");

            assertThat(engine.explain(query)).contains("BY_OWNER");
            Rows after = engine.sql(query).rows();
            assertThat(after.next()).isTrue();
            assertThat(after.longAt(0)).isEqualTo(before.longAt(0)).isEqualTo(6);
        }
    }

    @Test
    void shouldAnswerEveryCallWhenSchemaChangesMeanwhile() throws Exception {
        try (Reprise engine = bank(2)) {
            AtomicBoolean stop = new AtomicBoolean();
            List<Throwable> failures = new ArrayList<>();
            Thread caller = Thread.ofPlatform().start(() -> {
                for (int i = 0; !stop.get(); i++) {
                    try {
                        engine.call("Transfer", i % ACCOUNTS, (i + 1) % ACCOUNTS, 1);
                        engine.sql("SELECT COUNT(*) FROM account WHERE balance > ?", i % 1000);
                        engine.call("Find", i % ACCOUNTS);
                    } catch (Throwable e) {
                        failures.add(e);
                        return;
                    }
                }
            });
            for (int i = 0; i < 10; i++) {
                engine.ddl("CREATE INDEX by_owner ON account (owner, balance)");
                engine.ddl("ALTER TABLE account ADD COLUMN c" + i + " INTEGER DEFAULT " + i + "; DROP INDEX by_owner");
            }
            stop.set(true);
            caller.join();

            assertThat(failures).isEmpty();
            assertThat(engine.call("Total").longValue()).isEqualTo(ACCOUNTS * 1000 + ACCOUNTS / 2);
        }
    }

    /** Returns more than Balance does. */
    public static final class RicherBalance extends Procedure {
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");

        /** Returns the balance and a million. */
        public long run(long id) {
            read.set(0, id).first();
            return 1_000_000 + read.rows().longAt(0);
        }
    }

    @Test
    void shouldRunNewVersionWhenProcedureIsReplaced() {
        try (Reprise engine = bank(2)) {
            List<CompletableFuture<Reply>> calls = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                calls.add(engine.callAsync("Balance", i % ACCOUNTS));
            }
            engine.ddl("CREATE OR REPLACE PROCEDURE Balance PARTITION ON TABLE account COLUMN id"
                    + " FROM CLASS io.reprise.engine.SchemaChangeTest$RicherBalance");

            assertThat(engine.call("Balance", 4).longValue()).isEqualTo(1_001_000);
            for (CompletableFuture<Reply> call : calls) {
                assertThat(call.join().longValue() % 1_000_000).isBetween(1000L, 1001L);
            }
            engine.ddl("DROP PROCEDURE Balance");
            assertThatThrownBy(() -> engine.call("Balance", 4)).hasMessageContaining("there is no procedure Balance");
        }
    }

    /** Runs everywhere, and returns the sum of all balances beside the one asked for. */
    public static final class FarBalance extends Procedure {
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement sum = sql("SELECT SUM(balance) FROM account");

        /** Returns the balance and a million. */
        public long run(long id) {
            sum.first();
            read.set(0, id).first();
            return 1_000_000 + read.rows().longAt(0);
        }
    }

    /** A bank whose sites the test runs itself; a change is stamped before the calls that wait at the second site. */
    private static Reprise steppedBank(AtomicInteger answers) {
        Reprise engine = Options.create()
                .partitions(2)
                .memoryPerPartition(256 << 20)
                .threads(Options.Threads.CALLER)
                .replies(answer -> {
                    answers.incrementAndGet();
                    answer.run();
                })
                .ddl(Bank.DDL)
                .open();
        for (int id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 1000 + id % 2, "owner " + id % 10);
        }
        return engine;
    }

    /** By account; none of them has run yet. */
    private static Map<Integer, CompletableFuture<Reply>> callsAtSecondSite(Reprise engine) {
        List<Integer> accounts = new ArrayList<>();
        for (int id = 0; id < ACCOUNTS; id++) {
            if (engine.call("Balance", id).partition() == 1) {
                accounts.add(id);
            }
        }
        Map<Integer, CompletableFuture<Reply>> calls = new TreeMap<>();
        accounts.forEach(id -> calls.put(id, engine.callAsync("Balance", id)));
        return calls;
    }

    @Test
    void shouldSendAsynchronousCallAgainWhenScopeOfProcedureChanged() {
        AtomicInteger answers = new AtomicInteger();
        try (Reprise engine = steppedBank(answers)) {
            Map<Integer, CompletableFuture<Reply>> calls = callsAtSecondSite(engine);

            engine.ddl("CREATE OR REPLACE PROCEDURE Balance FROM CLASS " + FarBalance.class.getName());
            engine.runSites();

            calls.forEach((id, call) -> {
                assertThat(call).isCompleted();
                assertThat(call.join().longValue() % 1_000_000).isEqualTo(1000 + id % 2);
            });
            assertThat(answers.get()).as("some were stale").isGreaterThan(calls.size());
        }
    }

    /** Has the parameters and the place of the one that reads, and writes. */
    public static final class SpendingBalance extends Procedure {
        private final Statement spend = sql("UPDATE account SET balance = balance - 1 WHERE id = ?");
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");

        /** Returns the balance, one less than it was. */
        public long run(long id) {
            spend.set(0, id).update();
            read.set(0, id).first();
            return read.rows().longAt(0);
        }
    }

    /** Nobody has given it a number, nor asked whether who calls it may write. */
    @Test
    void shouldNotRunWhatWritesInPlaceOfWhatReadsUnlessItIsCalledAgain() {
        AtomicInteger answers = new AtomicInteger();
        try (Reprise engine = steppedBank(answers)) {
            Map<Integer, CompletableFuture<Reply>> calls = callsAtSecondSite(engine);
            int answered = answers.get();

            engine.ddl("CREATE OR REPLACE PROCEDURE Balance PARTITION ON TABLE account COLUMN id FROM CLASS "
                    + SpendingBalance.class.getName());
            engine.runSites();

            calls.forEach((id, call) -> assertThat(call.join().longValue()).isBetween(999L + id % 2, 1000L + id % 2));
            long spent = calls.entrySet().stream()
                    .filter(call -> call.getValue().join().longValue() == 999 + call.getKey() % 2)
                    .count();
            assertThat(spent).as("calls of the new version").isPositive();
            assertThat((long) answers.get() - answered)
                    .as("answers, one more for each that came again")
                    .isGreaterThanOrEqualTo(calls.size() + spent);
        }
    }

    @Test
    void shouldAnswerAsynchronousCallWhenProcedureWasDropped() {
        AtomicInteger answers = new AtomicInteger();
        try (Reprise engine = steppedBank(answers)) {
            Map<Integer, CompletableFuture<Reply>> calls = callsAtSecondSite(engine);

            engine.ddl("DROP PROCEDURE Balance");
            engine.runSites();

            List<Reply> refused = calls.values().stream()
                    .map(CompletableFuture::join)
                    .filter(r -> !r.committed())
                    .toList();
            assertThat(refused).isNotEmpty().allSatisfy(response -> {
                assertThat(response.error()).isEqualTo(ErrorCode.INVALID_REQUEST);
                assertThat(response.message()).startsWith("there is no procedure Balance");
            });
        }
    }

    @Test
    void shouldGiveUpWhenCallIsOvertakenEachTime() {
        AtomicInteger sent = new AtomicInteger();
        FutureReply reply = new FutureReply(Runnable::run, Reply::new, 3, again -> {
            sent.incrementAndGet();
            Execution late = new Execution();
            late.outcome().failStale("replaced");
            again.complete(late);
        });
        Execution first = new Execution();
        first.outcome().failStale("replaced");

        reply.complete(first);

        assertThat(sent.get()).isEqualTo(3);
        assertThat(reply.future().join().message()).isEqualTo("replaced");
    }

    @Test
    void shouldNameStatementWhenDeclarationContradictsIt() {
        try (Reprise engine = bank(2)) {
            assertThatThrownBy(() -> engine.ddl("CREATE PROCEDURE Total2 PARTITION ON TABLE account COLUMN id"
                            + " AS SELECT SUM(balance) FROM account WHERE balance > ?"))
                    .hasMessageContaining("SUM(balance)")
                    .hasMessageContaining("PARTITION");
        }
    }

    @Test
    void shouldRunProcedureOfJarWhenItIsDeployed() {
        try (Reprise engine = bank(2)) {
            engine.deploy(
                    ClassJar.of(RicherBalance.class, SchemaChangeTest.class),
                    "CREATE PROCEDURE Rich PARTITION ON TABLE account COLUMN id FROM CLASS "
                            + RicherBalance.class.getName());
            Object first = engine.procedure("Rich");
            assertThat(engine.call("Rich", 4).longValue()).isEqualTo(1_001_000);

            engine.deploy(ClassJar.of(RicherBalance.class, SchemaChangeTest.class), "");

            assertThat(engine.procedure("Rich")).isNotSameAs(first);
            assertThat(engine.call("Rich", 5).longValue()).isEqualTo(1_001_001);
            assertThatThrownBy(() -> engine.deploy(new byte[10], "")).hasMessageContaining("jar");
            assertThatThrownBy(() -> engine.ddl("CREATE PROCEDURE FROM CLASS com.example.Missing"))
                    .hasMessageContaining("com.example.Missing");
        }
    }

    @Test
    void shouldCountRowsAndMemoryWhenAskedForStats() {
        try (Reprise engine = bank(2)) {
            Stats stats = engine.stats();

            assertThat(stats.partitions()).hasSize(2);
            long rows = 0;
            long committed = 0;
            for (Stats.PartitionStats partition : stats.partitions()) {
                rows += partition.tables().get("ACCOUNT").rows();
                committed += partition.committed();
                assertThat(partition.tables().get("ACCOUNT").memory().total()).isPositive();
                assertThat(partition.memoryUsed()).isPositive().isLessThan(partition.memoryLimit());
            }
            assertThat(rows).isEqualTo(ACCOUNTS);
            assertThat(committed).isGreaterThanOrEqualTo(ACCOUNTS);
        }
    }
}
