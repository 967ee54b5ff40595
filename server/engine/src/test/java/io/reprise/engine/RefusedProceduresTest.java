package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Partition;
import io.reprise.execution.deploy.ProcedureLoader;
import io.reprise.execution.work.ProcedureWork;
import io.reprise.execution.work.RefusedWork;
import io.reprise.execution.work.StatementCollector;
import io.reprise.log.Compression;
import io.reprise.log.LogRewriting;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Statement;
import io.reprise.redo.DivergedReplayException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.storage.PartitionStore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Procedures that a database has a record of, and that this program refuses, as if an earlier version had taken them. */
final class RefusedProceduresTest {
    private static final String TABLE = """
            CREATE TABLE thing (id BIGINT NOT NULL PRIMARY KEY, a INTEGER NOT NULL);
            PARTITION TABLE thing ON COLUMN id;
            """;
    private static final String STATEMENTS = TABLE + """
            CREATE PROCEDURE Put AS UPSERT INTO thing (id, a) VALUES (?, ?);
            CREATE PROCEDURE Look AS SELECT a FROM thing WHERE id = ?;
            CREATE PROCEDURE Raise AS UPDATE thing SET a = a + 1 WHERE id = ?;
            """;
    private static final String GOOD = "SELECT a FROM thing";
    private static final String BAD = "SELECT z FROM thing";

    private final SimulatedClock clock = new SimulatedClock();
    private final SimulatedFileStore disk = new SimulatedFileStore(4);

    /** Reads what is there. */
    public static final class Reader extends Procedure {
        private final Statement look = sql("SELECT a FROM thing WHERE id = ?");

        /** The row's value. */
        public long run(long id) {
            return look.set(0, id).query().count();
        }
    }

    /** Is looked at when it is made for the first time, and is another one then. */
    public static final class Changing extends Procedure {
        private static int made;

        /** Declares what nobody has planned. */
        public Changing() {
            sql(made++ == 0 ? "SELECT a FROM thing WHERE id = ?" : "SELECT id FROM thing WHERE id = ?");
        }

        /** Nothing. */
        public void run(long id) {}
    }

    private Options options(String ddl) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl(ddl)
                .files(disk)
                .durability(Durability.standard()
                        .with(SmallDurability.logOfSchemas(96 << 10).withCompression(Compression.NONE))
                        .with(SmallDurability.snapshots(2)));
    }

    private Reprise open(String ddl) {
        return options(ddl).open();
    }

    private static void assertRefused(Reprise engine, String name, String reason, Object... arguments) {
        assertThat(engine.procedures().get(name)).isInstanceOf(RefusedWork.class);
        assertThatThrownBy(() -> engine.call(name, arguments))
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
                .hasMessageContaining(
                        "procedure " + engine.procedures().get(name).name())
                .hasMessageContaining("this version of the server can't run it")
                .hasMessageContaining(reason)
                .hasMessageContaining("deploy it anew, or DROP it");
    }

    @Test
    void shouldBeKeptAndRefusedAndOpenedAgainFromLogAndSnapshots() {
        try (Reprise engine = open(STATEMENTS)) {
            engine.call("Put", 1, 5);
            engine.call("Look", 1);
        }
        assertThat(LogRewriting.replace(disk, GOOD, BAD)).isPositive();

        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        Logger log = (Logger) LoggerFactory.getLogger("io.reprise.schema");
        log.addAppender(told);
        try (Reprise engine = open("")) {
            assertThat(engine.recovery().snapshot()).isEmpty();
            assertRefused(engine, "Look", "Z", 1);
            assertRefused(engine, "Look", "Z");
            engine.call("Put", 2, 6);
            assertThat(engine.snapshot().problem()).isEmpty();
            engine.call("Put", 3, 7);
            engine.ddl("ALTER TABLE thing ADD COLUMN note VARCHAR(10) DEFAULT 'none'");
            assertRefused(engine, "Look", "Z", 1);
        } finally {
            log.detachAppender(told);
        }
        assertThat(told.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .startsWith("Procedure LOOK was deployed earlier, and this version of the server can't run it: ")
                .contains("Z", "DROP it");

        try (Reprise engine = open("")) {
            assertThat(engine.recovery().snapshot()).isPresent();
            assertThat(engine.recovery().stateCompared()).isTrue();
            assertRefused(engine, "Look", "Z", 1);
            assertThat(engine.call("Put", 3, 8).longValue()).isEqualTo(1);
        }
    }

    @Test
    void shouldBeDeployedAnewOrDropped() {
        try (Reprise engine = open(STATEMENTS + "CREATE PROCEDURE Other AS SELECT a FROM thing WHERE id = ? + 1;")) {
            engine.call("Put", 1, 5);
        }
        LogRewriting.replace(disk, GOOD, BAD);

        try (Reprise engine = open("")) {
            assertRefused(engine, "Other", "Z", 1);
            assertThatThrownBy(() -> engine.ddl("CREATE OR REPLACE PROCEDURE Look AS " + BAD))
                    .hasMessageContaining("procedure LOOK can't be deployed");
            engine.ddl("CREATE OR REPLACE PROCEDURE Look AS SELECT a FROM thing WHERE id = ?; DROP PROCEDURE Other");
            assertThat(engine.call("Look", 1).rows().count()).isEqualTo(1);
        }
        try (Reprise engine = open("")) {
            assertThat(engine.call("Look", 1).rows().count()).isEqualTo(1);
            assertThat(engine.procedures()).doesNotContainKey("Other");
        }
    }

    /** The first is what its code says, the second how it is declared. */
    @ParameterizedTest
    @CsvSource({
        "SELECT a FROM, SELECT z FROM, Z",
        "COLUMN id PARAMETER 0, COLUMN id PARAMETER 7, it is partitioned on PARAMETER 7"
    })
    void shouldBeKeptWithItsCodeWhenItIsAClass(String good, String bad, String reason) {
        String ddl = TABLE + "CREATE PROCEDURE Reader PARTITION ON TABLE thing COLUMN id PARAMETER 0 FROM CLASS "
                + Reader.class.getName() + ";";
        try (Reprise engine = open(ddl)) {
            engine.call("Reader", 1);
        }
        assertThat(LogRewriting.replace(disk, good, bad)).isPositive();

        try (Reprise engine = open("")) {
            assertRefused(engine, "Reader", reason, 1);
            assertThat(engine.snapshot().problem()).isEmpty();
        }
        try (Reprise engine = open("")) {
            assertThat(engine.recovery().snapshot()).isPresent();
            assertRefused(engine, "Reader", reason, 1);
            RefusedWork refused = (RefusedWork) engine.procedures().get("Reader");
            assertThat(refused.classFiles().orElseThrow()).containsKey(Reader.class.getName());
            engine.ddl(
                    "DROP PROCEDURE Reader; CREATE PROCEDURE Reader PARTITION ON TABLE thing COLUMN id PARAMETER 0 FROM CLASS "
                            + Reader.class.getName());
            assertThat(engine.call("Reader", 1).longValue()).isZero();
        }
    }

    /** An application that brings the same class again is not asked for another one. */
    @Test
    void shouldNotKeepAnApplicationFromOpeningThatBringsTheSameClass() {
        // Put together, so that it is not in this class too, whose code is recorded with the procedure's.
        String column = "PRIMARY KEY, %s BIGINT";
        String table = "CREATE TABLE thing (id BIGINT NOT NULL " + column.formatted("a")
                + "); PARTITION TABLE thing ON COLUMN id";
        try (Reprise engine = options(table).procedures(Reader.class).open()) {
            engine.call("Reader", 1);
        }
        assertThat(LogRewriting.replace(disk, column.formatted("a"), column.formatted("z")))
                .isPositive();

        try (Reprise engine = options(table).procedures(Reader.class).open()) {
            assertRefused(engine, "Reader", "Column 'A' not found", 1);
            engine.ddl("ALTER TABLE thing ADD COLUMN a INTEGER");
        }
        try (Reprise engine = options(table).procedures(Reader.class).open()) {
            assertRefused(engine, "Reader", "Column 'A' not found", 1);
            assertThat(engine.snapshot().problem()).isEmpty();
        }
        try (Reprise engine = options(table).procedures(Reader.class).open()) {
            assertThat(engine.procedures().get("Reader")).isInstanceOf(ProcedureWork.class);
            assertThat(engine.call("Reader", 1).longValue()).isZero();
        }
    }

    @Test
    void shouldSayWhichVersionToGoOnWithWhenTheLogHasItsCommands() {
        try (Reprise engine = open(STATEMENTS)) {
            engine.call("Put", 1, 5);
            clock.advance(1_000_000);
            engine.call("Raise", 1);
        }
        LogRewriting.replace(disk, "SET a = a + 1", "SET a = z + 1");

        assertThatThrownBy(() -> open(""))
                .isInstanceOfSatisfying(
                        DivergedReplayException.class,
                        e -> assertThat(e)
                                .hasMessageContaining("Transaction 0x" + Long.toHexString(e.transactionId())
                                        + " (procedure RAISE, in the log's frame at position "))
                .hasMessageContaining(") had committed, and this version of the server can't run it again: ")
                .hasMessageContaining("Z")
                .hasMessageContaining(
                        "Go on with the version that wrote the log; or start that one, have it make a snapshot");
    }

    @Test
    void shouldSayTheSameOfAStatementThatWasNoProcedure() {
        try (Reprise engine = open(STATEMENTS)) {
            engine.call("Put", 1, 5);
            engine.sql("UPDATE thing SET a = a + 7 WHERE id = ?", 1);
        }
        LogRewriting.replace(disk, "SET a = a + 7", "SET a = z + 7");

        assertThatThrownBy(() -> open(""))
                .isInstanceOfSatisfying(
                        DivergedReplayException.class,
                        e -> assertThat(e)
                                .hasMessageContaining("Transaction 0x" + Long.toHexString(e.transactionId())
                                        + " (UPDATE thing SET a = z + 7 WHERE id = ?, in the log's frame at position "))
                .hasMessageContaining(") had committed, and this version of the server can't run it again: ")
                .hasMessageContaining("Go on with the version that wrote the log");
    }

    /** Planned it was, but what its instances declare when they are made for partitions is something else. */
    @Test
    void shouldBeRefusedWhenItCantBeBound() {
        BucketMap buckets = BucketMap.dealt(1);
        SchemaRecord record = new SchemaRecord(
                1,
                2,
                4,
                TABLE + "CREATE PROCEDURE Changing FROM CLASS " + Changing.class.getName()
                        + "; CREATE PROCEDURE Look AS SELECT a FROM thing WHERE id = ?",
                List.of(),
                List.of(new TreeMap<>(ProcedureLoader.classFilesOf(Changing.class))),
                List.of(
                        new SchemaRecord.MadeProcedure("CHANGING", 2, 0),
                        new SchemaRecord.MadeProcedure("LOOK", 3, -1)));
        SchemaChange change = SchemaChange.again(Schema.empty(), record, new StatementCollector());

        try (PartitionStore store = StoreOptions.open(0, buckets, 1 << 22, null)) {
            change.apply(Partition.over(List.of(store)), 0);

            Schema after = change.after();
            assertThat(after.works().get("changing"))
                    .isInstanceOfSatisfying(
                            RefusedWork.class,
                            refused -> assertThat(refused.version()).isEqualTo(2));
            assertThat(after.works().get("Look")).isNotInstanceOf(RefusedWork.class);
            assertThat(after.refused()).containsOnlyKeys("Changing");
            SchemaRecord image = after.image(List.of());
            assertThat(image.procedures()).contains(new SchemaRecord.MadeProcedure("CHANGING", 2, 0));
            assertThat(image.classSets())
                    .singleElement()
                    .satisfies(
                            classes -> assertThat((Map<String, byte[]>) classes).containsKey(Changing.class.getName()));
        }
    }
}
