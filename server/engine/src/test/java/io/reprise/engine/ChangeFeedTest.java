package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Column;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.changes.Change;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A copy that applies nothing but the feed's changes holds what the database holds, whatever stops and begins again. */
final class ChangeFeedTest {
    private static final String TABLE =
            "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, v VARCHAR(20));" + " PARTITION TABLE t ON COLUMN id;";

    private final SimulatedClock clock = new SimulatedClock();
    private final List<AutoCloseable> open = new ArrayList<>();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    /** A copy of the rows by table, kept by the changes alone; a change of the schema alters the rows of the feed's own copy. */
    private static final class Copy implements ChangeFeed.Listener {
        private final Map<String, List<List<Object>>> rows = new TreeMap<>();
        private final Map<String, Table> tables = new TreeMap<>();
        private final List<String> told = new ArrayList<>();
        private ChangeFeed feed;
        private LogPlace last;

        @Override
        public void row(LogPlace place, Table table, List<Object> values) {
            tables.put(table.name(), table);
            rows(table).add(values);
            last = place;
        }

        @Override
        public void transaction(LogPlace place, long id, List<Change> changes) {
            assertThat(last == null || place.compareTo(last) > 0)
                    .as("%s behind %s", place, last)
                    .isTrue();
            last = place;
            for (Change change : changes) {
                told.add(change.operation() + " " + change.table().name() + " " + change.before() + " -> "
                        + change.after());
                apply(change);
            }
        }

        private void apply(Change change) {
            List<List<Object>> of = rows(change.table());
            tables.put(change.table().name(), change.table());
            if (change.operation() == Change.Operation.TRUNCATE) {
                of.clear();
            }
            if (!change.before().isEmpty()) {
                assertThat(of.remove(change.before())).as("%s is there", change).isTrue();
            }
            if (!change.after().isEmpty()) {
                of.add(change.after());
            }
        }

        @Override
        public void schema(LogPlace place, long id, String script) {
            last = place;
            told.add("SCHEMA " + script);
            rows.clear();
            tables.clear();
            feed.tellRows();
            last = place;
        }

        private List<List<Object>> rows(Table table) {
            return rows.computeIfAbsent(table.name(), name -> new ArrayList<>());
        }

        Map<String, List<String>> dump(Reprise engine) {
            Map<String, List<String>> dump = new TreeMap<>();
            engine.catalog().tables().keySet().forEach(name -> dump.put(name, new ArrayList<>()));
            rows.forEach((name, of) -> {
                List<String> lines = dump.get(name);
                of.forEach(values -> lines.add(line(tables.get(name), values)));
                Collections.sort(lines);
            });
            return dump;
        }

        private static String line(Table table, List<Object> values) {
            StringBuilder line = new StringBuilder();
            for (Column column : table.columns()) {
                line.append(column.name())
                        .append('=')
                        .append(text(column.type(), values.get(column.position())))
                        .append(' ');
            }
            return line.toString();
        }

        private static String text(SqlType type, Object value) {
            return switch (value) {
                case null -> "NULL";
                case String string ->
                    type.kind() == SqlType.Kind.VARBINARY && !type.isArray() ? string : "'" + string + "'";
                case BigDecimal decimal -> decimal.stripTrailingZeros().toPlainString();
                case Instant time -> Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, time));
                case LocalDate date -> Long.toString(date.toEpochDay());
                case LocalTime time -> Long.toString(time.toNanoOfDay() / 1000);
                case Boolean flag -> flag ? "1" : "0";
                default -> value.toString();
            };
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private Options options() {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(32 << 20)
                .files(disk)
                .durability(Durability.standard()
                        .with(LogSettings.DEFAULTS
                                .withSizes(4096, 16 << 10, 1 << 16, 128 << 10)
                                .withSegmentBytes(256 << 10)));
    }

    private ChangeFeed feed(Optional<LogPlace> from, Copy copy) {
        ChangeFeed feed = new ChangeFeed(DataDirectory.of(disk), from, copy);
        open.add(feed);
        copy.feed = feed;
        return feed;
    }

    /** A feed behind the last place of the copy; null if the log is gone there. */
    private ChangeFeed resume(Copy copy) {
        try {
            return copy.last == null ? null : feed(Optional.of(copy.last), copy);
        } catch (IllegalStateException outpaced) {
            assertThat(outpaced).hasMessageContaining("Begin anew without a place");
            return null;
        }
    }

    @Test
    void shouldKeepACopyWhenItAppliesTheChangesOfARandomLoad() {
        Seeds.forEach(4, ChangeFeedTest::run);
    }

    private static void run(long seed) throws Exception {
        SeededRandomness random = new SeededRandomness(seed);
        ChangeFeedTest test = new ChangeFeedTest();
        test.disk = new SimulatedFileStore(seed);
        RandomSteps steps = new RandomSteps(random, true, 5);
        Copy copy = new Copy();
        try {
            ChangeFeed feed = null;
            for (int openings = 0; openings < 5; openings++) {
                Callers callers = new Callers();
                LoggingMethod method = random.nextInt(2) == 0 ? LoggingMethod.COMMAND : LoggingMethod.PHYSIOLOGICAL;
                Reprise engine = test.options()
                        .partitions(1 + random.nextInt(4))
                        .durability(test.options().durability.with(method))
                        .siteAgent(callers::at)
                        .ddl(Medley.DDL)
                        .open();
                for (int i = 0; i < 25; i++) {
                    test.clock.advance(300_000_000);
                    if (random.nextInt(10) == 0) {
                        assertThat(engine.snapshot().problem()).isEmpty();
                    }
                    steps.next().run(engine, callers, false);
                    if (feed == null) {
                        feed = test.feed(Optional.empty(), copy);
                    }
                    try {
                        feed.poll();
                    } catch (StorageException outpaced) {
                        assertThat(outpaced).hasMessageContaining("begin anew without a place");
                        copy = new Copy();
                        feed = test.feed(Optional.empty(), copy);
                    }
                }
                boolean orderly = random.nextInt(2) == 0;
                if (orderly) {
                    Map<String, List<String>> expected = Dump.of(engine);
                    engine.close();
                    feed.poll();
                    assertThat(dumpAfter(test, copy)).isEqualTo(expected);
                } else {
                    test.disk = test.disk.crash();
                    abandon(engine);
                    feed = null;
                }
                if (feed == null || random.nextInt(2) == 0) {
                    feed = test.resume(copy);
                    copy = feed == null ? new Copy() : copy;
                }
            }
        } finally {
            test.close();
        }
    }

    /** The copy as a dump by the schema at the end. */
    private static Map<String, List<String>> dumpAfter(ChangeFeedTest test, Copy copy) {
        try (Reprise engine = test.options().open()) {
            return copy.dump(engine);
        }
    }

    private static void abandon(Reprise engine) {
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    @Test
    void shouldTellValuesBeforeAndAfterWhenCallsWereLoggedAsCommands() {
        Copy copy = new Copy();
        try (Reprise engine = options().ddl(TABLE).open()) {
            engine.sql("INSERT INTO t VALUES (1, 'one')");
            engine.sql("UPDATE t SET v = 'two' WHERE id = 1");
            engine.sql("UPDATE t SET v = 'two' WHERE id = 1");
            engine.sql("DELETE FROM t WHERE id = 1");
        }

        feed(Optional.empty(), copy).poll();

        assertThat(copy.told.stream().filter(line -> !line.startsWith("SCHEMA")))
                .containsExactly("INSERT T [] -> [1, one]", "UPDATE T [1, one] -> [1, two]", "DELETE T [1, two] -> []");
    }

    @Test
    void shouldTellATruncationOfManyRowsAsOneChange() {
        Copy copy = new Copy();
        try (Reprise engine = options().ddl(TABLE).open()) {
            for (int i = 0; i < 200; i++) {
                engine.sql("INSERT INTO t VALUES (?, 'x')", i);
            }
            engine.sql("TRUNCATE TABLE t");
            engine.sql("INSERT INTO t VALUES (7, 'after')");
        }

        feed(Optional.empty(), copy).poll();

        assertThat(copy.told.getLast()).isEqualTo("INSERT T [] -> [7, after]");
        assertThat(copy.rows.get("T")).containsExactly(List.of(7L, "after"));
    }

    @Test
    void shouldTellOnlyWhatFollowsWhenItBeginsAtAPlace() {
        Copy first = new Copy();
        try (Reprise engine = options().ddl(TABLE).open()) {
            engine.sql("INSERT INTO t VALUES (1, 'one')");
        }
        feed(Optional.empty(), first).poll();
        try (Reprise engine = options().open()) {
            engine.sql("INSERT INTO t VALUES (2, 'two')");
        }
        Copy second = new Copy();

        feed(Optional.of(first.last), second).poll();

        assertThat(second.told).containsExactly("INSERT T [] -> [2, two]");
    }

    @Test
    void shouldTellNothingBeforeItIsDurable() {
        Copy copy = new Copy();
        Reprise engine = options().ddl(TABLE).open();
        open.add(engine);
        clock.advance(2_000_000_000L);
        engine.runSites();
        ChangeFeed feed = feed(Optional.of(ChangeFeed.end(DataDirectory.of(disk))), copy);
        engine.sql("INSERT INTO t VALUES (1, 'one')");

        feed.poll();

        assertThat(copy.told).isEmpty();
        clock.advance(2_000_000_000L);
        engine.runSites();
        feed.poll();
        assertThat(copy.told).containsExactly("INSERT T [] -> [1, one]");
    }

    @Test
    void shouldSayHowToBeginAnewWhenTheLogIsGone() {
        try (Reprise engine = options().ddl(TABLE).open()) {
            for (int round = 0; round < 8; round++) {
                for (int i = 0; i < 400; i++) {
                    engine.sql("UPSERT INTO t VALUES (?, ?)", i, "x".repeat(20));
                    clock.advance(1_000_000);
                }
                engine.snapshot();
            }
        }

        assertThat(DataDirectory.of(disk).segments().getFirst()).isPositive();
        assertThatThrownBy(() -> feed(Optional.of(new LogPlace(600, 0)), new Copy()))
                .hasMessageContaining("Begin anew without a place");
    }

    @Test
    void shouldRefuseAPlaceThatTheLogHasNotReached() {
        options().ddl(TABLE).open().close();

        assertThatThrownBy(() -> feed(Optional.of(LogPlace.parse("0x4000000#1")), new Copy()))
                .hasMessageContaining("before the place 0x4000000#1");
    }

    @Test
    void shouldReadThePlacesThatItWrites() {
        for (LogPlace place : List.of(new LogPlace(0x4000, 3), new LogPlace(512, -1))) {
            assertThat(LogPlace.parse(place.toString())).isEqualTo(place);
        }
        assertThatThrownBy(() -> LogPlace.parse("here")).hasMessageContaining("0x4000#3, not here");
    }
}
