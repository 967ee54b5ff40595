package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Callers.Answer;
import io.reprise.engine.Callers.Call;
import io.reprise.execution.deploy.SourceCompiler;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.id.DatabaseId;
import io.reprise.log.Compression;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A data directory with calls that have numbers, with results of each kind, in commands, in data records and in the snapshot
 * between them; with each operation of data records, and with tables that are gone. An earlier version wrote it, and it is read and
 * written as ever. If this fails, either the change is wrong, or a format needs a new number and the server has to go on reading
 * the old one.
 *
 * <p>{@code -Dreprise.golden=DIRECTORY} writes the files anew, but compares with those that are there. The jar is one of them, because
 * other compilers make other classes.
 */
final class GoldenCallsTest {
    private static final long CLIENT = 0x0102030405060708L;
    private static final long OTHER_CLIENT = -2;
    private static final int CALLS = 9;

    private static final String DDL = """
            CREATE TABLE thing (id BIGINT NOT NULL PRIMARY KEY, n INTEGER, name VARCHAR(200));
            PARTITION TABLE thing ON COLUMN id;
            CREATE TABLE event (id BIGINT NOT NULL, what VARCHAR(20));
            PARTITION TABLE event ON COLUMN id;
            CREATE TABLE rate (name VARCHAR(20) NOT NULL PRIMARY KEY, pct INTEGER NOT NULL);
            CREATE TABLE gone (id BIGINT NOT NULL PRIMARY KEY);
            CREATE INDEX thing_by_n ON thing (n);
            CREATE PROCEDURE Tally PARTITION ON TABLE thing COLUMN id FROM CLASS Tally;
            CREATE PROCEDURE Ask PARTITION ON TABLE thing COLUMN id FROM CLASS Ask;
            CREATE PROCEDURE Half PARTITION ON TABLE thing COLUMN id FROM CLASS Half;
            CREATE PROCEDURE Say PARTITION ON TABLE thing COLUMN id FROM CLASS Say;
            CREATE PROCEDURE Hush PARTITION ON TABLE thing COLUMN id FROM CLASS Hush;
            CREATE PROCEDURE Listed PARTITION ON TABLE thing COLUMN id FROM CLASS Listed;
            CREATE PROCEDURE Everything FROM CLASS Everything;
            CREATE PROCEDURE Fill FROM CLASS Fill;
            CREATE PROCEDURE Useless AS INSERT INTO gone (id) VALUES (?);
            """;

    private static final String DROPS = """
            DROP PROCEDURE Useless;
            DROP TABLE gone;
            DROP INDEX thing_by_n;
            ALTER TABLE event DROP COLUMN what;
            """;

    /** The result of the first of each nine calls, which depends on all rows. */
    private static final long[] OF_EVERYTHING = {301, 1401, 221401, 1101};

    private static final Map<String, List<String>> CONTENT = Map.of(
            "EVENT", List.of("ID=0 ", "ID=1 ", "ID=100 ", "ID=2 ", "ID=3 ", "ID=99 "),
            "RATE", List.of("NAME='usual' PCT=301 "),
            "THING",
                    List.of(
                            "ID=0 N=301 NAME='everything' ",
                            "ID=1 N=302 NAME='Tally 302' ",
                            "ID=2 N=301 NAME='everything' ",
                            "ID=3 N=304 NAME='Half 304' ",
                            "ID=4 N=305 NAME='Say 305' ",
                            "ID=5 N=306 NAME='Hush 306' ",
                            "ID=6 N=307 NAME='Listed 307' ",
                            "ID=7 N=-1 NAME='Ask -1' ",
                            "ID=8 N=309 NAME='Tally 309' "));

    /** Rows of each table go in all partitions, others come, and some come and go. */
    private static final String EVERYTHING = """
            import io.reprise.procedure.*;
            public final class Everything extends Procedure {
                private final Statement clear = sql("TRUNCATE TABLE event");
                private final Statement note = sql("INSERT INTO event (id) VALUES (?)");
                private final Statement forget = sql("DELETE FROM event WHERE id > 100");
                private final Statement put = sql("UPSERT INTO thing (id, n, name) VALUES (?, ?, 'everything')");
                private final Statement raise = sql("UPDATE thing SET n = n + 1 WHERE n < ?");
                private final Statement remove = sql("DELETE FROM thing WHERE id = ?");
                private final Statement rate = sql("UPSERT INTO rate (name, pct) VALUES ('usual', ?)");
                public long run(long from, long n) {
                    long sum = clear.update();
                    for (long id = from; id < from + 4; id++) {
                        note.set(0, id + 99).update();
                        note.set(0, id).update();
                        put.set(0, id).set(1, n).update();
                    }
                    sum += forget.update();
                    sum += remove.set(0, from + 1).update();
                    sum += raise.set(0, n).update();
                    return 100 * sum + rate.set(0, n).update();
                }
            }
            """;

    /** So many rows in each partition that a truncation is logged as one. */
    private static final String FILL = """
            import io.reprise.procedure.*;
            public final class Fill extends Procedure {
                private final Statement note = sql("INSERT INTO event (id) VALUES (?)");
                public void run(long id) {
                    for (int i = 0; i < 1100; i++) {
                        note.set(0, id).update();
                        note.set(0, id + 1).update();
                    }
                }
            }
            """;

    private final SimulatedClock clock = new SimulatedClock();
    private final Callers callers = new Callers();

    private static byte[] compiled() {
        return SourceCompiler.jar(Map.of(
                "Tally", put("Tally", "long", "return -7 * n;"),
                "Ask", put("Ask", "boolean", "return n > 0;"),
                "Half", put("Half", "double", "return n / 2.0;"),
                "Say", put("Say", "String", "return \"said \" + n;"),
                "Hush", put("Hush", "void", "return;"),
                "Listed", put("Listed", "Rows", "return all.set(0, id).query();"),
                "Everything", EVERYTHING,
                "Fill", FILL));
    }

    private static String put(String name, String type, String end) {
        return """
                import io.reprise.procedure.*;
                public final class %s extends Procedure {
                    private final Statement put = sql("UPSERT INTO thing (id, n, name) VALUES (?, ?, ?)");
                    private final Statement all = sql("SELECT id, n FROM thing WHERE id = ?");
                    public %s run(long id, long n) {
                        put.set(0, id).set(1, n).set(2, "%s " + n).update();
                        %s
                    }
                }
                """.formatted(name, type, name, end);
    }

    private static byte[] jar() throws IOException {
        return GoldenFiles.load("calls-jar.zip").get("calls.jar");
    }

    private Reprise open(SimulatedFileStore disk, byte[] jar, LoggingMethod method, Compression compression) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .siteAgent(callers::at)
                .jar(jar)
                .ddl(DDL)
                .files(disk)
                .durability(Durability.standard()
                        .with(method)
                        .with(log(compression))
                        .with(SmallDurability.snapshots(2)))
                .open();
    }

    private static LogSettings log(Compression compression) {
        return SmallDurability.logOfSchemas(48 << 10).withCompression(compression);
    }

    /** One call of each kind, and some more; of two clients. */
    private static List<Call> calls(long first) {
        List<Call> calls = new ArrayList<>();
        List<String> names = List.of("Everything", "Tally", "Ask", "Half", "Say", "Hush", "Listed", "Ask", "Tally");
        for (int i = 0; i < CALLS; i++) {
            long client = i % 3 == 1 ? OTHER_CLIENT : CLIENT;
            long n = i == 7 ? -1 : first + i;
            calls.add(new Call(i % 2, client, first + 1000 * i, 1, names.get(i), (long) i, n));
        }
        return calls;
    }

    private static List<String> answersAgain(long first, long ofEverything) {
        return List.of(
                "INTEGER " + ofEverything,
                "INTEGER " + -7 * (first + 1),
                "BOOLEAN 1",
                "DOUBLE " + Double.doubleToRawLongBits((first + 3) / 2.0),
                "RESULT_LOST 0",
                "NOTHING 0",
                "RESULT_LOST 0",
                "BOOLEAN 0",
                "INTEGER " + -7 * (first + 8));
    }

    /** Makes the calls one after the other. */
    private List<Answer> make(Reprise engine, List<Call> calls) {
        List<Answer> answers = new ArrayList<>();
        for (Call call : calls) {
            clock.advance(1_000_000);
            answers.addAll(callers.run(engine, List.of(call)));
        }
        return answers;
    }

    private SimulatedFileStore write(byte[] jar, Compression compression) {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        LogTail.create(disk, log(compression), new DatabaseId(0x0123456789ABCDEFL, 0x112233445566770AL));
        try (Reprise engine = open(disk, jar, LoggingMethod.COMMAND, compression)) {
            assertThat(make(engine, calls(1))).allMatch(Answer::wrote);
            assertThat(engine.snapshot().problem()).isEmpty();
            engine.ddl(DROPS);
            assertThat(make(engine, calls(101))).allMatch(Answer::wrote);
            engine.call("Fill", 0);
        }
        try (Reprise engine = open(disk, jar, LoggingMethod.PHYSIOLOGICAL, compression)) {
            assertThat(make(engine, calls(201))).allMatch(Answer::wrote);
            callers.run(engine, calls(301));
        }
        return disk;
    }

    @Test
    void shouldWriteTheSameBytesAsEver() throws IOException {
        if (System.getProperty("reprise.golden") != null) {
            writeAnew();
        }
        Map<String, byte[]> written = GoldenFiles.of(write(jar(), Compression.NONE), "");

        Map<String, byte[]> golden = GoldenFiles.load("calls-log-3.zip");
        assertThat(written).containsOnlyKeys(golden.keySet());
        written.forEach((path, bytes) -> assertThat(bytes).as(path).isEqualTo(golden.get(path)));
    }

    private void writeAnew() throws IOException {
        byte[] jar = compiled();
        GoldenFiles.writeIfAsked("calls-jar.zip", Map.of("calls.jar", jar));
        GoldenFiles.writeIfAsked(
                "calls-log-3.zip", GoldenFiles.of(new GoldenCallsTest().write(jar, Compression.NONE), ""));
        GoldenFiles.writeIfAsked(
                "calls-log-3-lz4.zip", GoldenFiles.of(new GoldenCallsTest().write(jar, Compression.ALWAYS), ""));
    }

    /** The subject of this test has to be there. */
    @Test
    void shouldHaveEachOperationOfDataRecordsOnSeveralPartitions() throws IOException {
        List<String> lines = new ArrayList<>();
        LogPrinting.print(
                DataDirectory.of(GoldenFiles.disk(GoldenFiles.load("calls-log-3.zip"))),
                LogPrinting.Range.all(),
                lines::add);

        assertThat(lines)
                .anyMatch(line -> line.contains(" DATA ")
                        && line.contains(" several partitions ")
                        && List.of("TRUNCATE", "DELETE ", "SPENT ", "INSERT ", "UPDATE ").stream()
                                .allMatch(line::contains));
        assertThat(lines).anyMatch(line -> line.contains(" CATALOG ") && line.contains("DROP TABLE gone"));
    }

    @Test
    void shouldHaveFramesThatAreCompressed() throws IOException {
        assertThat(endOfLog("calls-log-3-lz4.zip")).isLessThan(endOfLog("calls-log-3.zip"));
    }

    private static long endOfLog(String name) throws IOException {
        return LogTail.find(GoldenFiles.disk(GoldenFiles.load(name)), log(Compression.NONE), 0)
                .position();
    }

    /** Compressed frames are read; their bytes depend on the version of LZ4. */
    @ParameterizedTest
    @CsvSource({
        "calls-log-3.zip, true",
        "calls-log-3.zip, false",
        "calls-log-3-lz4.zip, true",
        "calls-log-3-lz4.zip, false"
    })
    void shouldKnowWhatWasAnsweredOnceUponATime(String name, boolean withSnapshot) throws IOException {
        Map<String, byte[]> golden = GoldenFiles.load(name);
        if (!withSnapshot) {
            golden.keySet().removeIf(path -> path.startsWith("snapshot/"));
        }

        try (Reprise engine = open(GoldenFiles.disk(golden), new byte[0], LoggingMethod.COMMAND, Compression.NONE)) {
            assertThat(engine.recovery().snapshot().isPresent()).isEqualTo(withSnapshot);
            assertThat(engine.recovery().stateCompared()).isTrue();
            assertThat(Dump.of(engine)).isEqualTo(CONTENT);
            for (int i = 0; i < OF_EVERYTHING.length; i++) {
                long first = 100L * i + 1;
                assertThat(make(engine, calls(first)).stream().map(Answer::shown))
                        .containsExactlyElementsOf(answersAgain(first, OF_EVERYTHING[i]));
            }
            assertThat(Dump.of(engine)).isEqualTo(CONTENT);
        }
    }
}
