package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.archive.ArchiveSettings;
import io.reprise.archive.FolderObjects;
import io.reprise.engine.PastRestore.Moment;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.id.TransactionId;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogSettings;
import io.reprise.procedure.Rows;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database as it was at a moment in the past. */
final class PastRestoreTest {
    private static final Moment END = new Moment(Optional.empty(), OptionalLong.empty());
    private static final String TABLE =
            "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE t ON COLUMN id;";

    @TempDir
    private Path folder;

    private Options options(String name) {
        return Options.create().directory(folder.resolve(name)).partitions(2).memoryPerPartition(64 << 20);
    }

    /** Each prefix of the log is restored, and has just the rows that were there then. */
    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldHoldWhatThereWasBeforeEachTransaction(LoggingMethod method) {
        Durability durability = Durability.standard().with(method).withStateHash(false);
        List<Long> ids = new ArrayList<>();
        Path base;
        try (Reprise engine = options("data").durability(durability).ddl(TABLE).open()) {
            base = folder.resolve(
                    "data/" + SnapshotDirectory.path(engine.snapshot().transactionId()));
            for (int i = 0; i < 6; i++) {
                ids.add(engine.sql("INSERT INTO t VALUES (?)", i).transactionId());
            }
        }

        for (int i = 0; i < ids.size(); i++) {
            Path restored = folder.resolve("restored" + i);
            PastRestore.run(
                    base,
                    folder.resolve("data"),
                    new Moment(Optional.empty(), OptionalLong.of(ids.get(i))),
                    restored,
                    line -> {});

            assertThat(rows("restored" + i)).isEqualTo(i);
            assertThat(folder.resolve("restored" + i + ".partial")).doesNotExist();
        }
    }

    /** A table that was dropped by mistake comes back, although its end is a change of the schema and no transaction. */
    @Test
    void shouldBringBackADroppedTable() {
        Path base;
        Instant before;
        try (Reprise engine = options("data").ddl(TABLE).open()) {
            base = folder.resolve(
                    "data/" + SnapshotDirectory.path(engine.snapshot().transactionId()));
            long id = engine.sql("INSERT INTO t VALUES (7)").transactionId();
            before = Instant.EPOCH.plus(TransactionId.epochMicros(id), ChronoUnit.MICROS);
            engine.ddl("DROP TABLE t");
            engine.ddl("CREATE TABLE u (id BIGINT NOT NULL PRIMARY KEY)");
            engine.sql("INSERT INTO u VALUES (1)");
        }

        PastRestore.run(
                base,
                folder.resolve("data"),
                new Moment(Optional.of(before), OptionalLong.empty()),
                folder.resolve("restored"),
                line -> {});

        assertThat(rows("restored")).isEqualTo(1);
    }

    @Test
    void shouldGoToTheEndOfTheLogAndMakeADatabaseOfItsOwn() {
        Path base;
        try (Reprise engine = options("data").ddl(TABLE).open()) {
            engine.sql("INSERT INTO t VALUES (1)");
            engine.backup(folder.resolve("backup"));
            engine.sql("INSERT INTO t VALUES (2)");
        }
        base = folder.resolve("backup");

        Manifest restored = PastRestore.run(base, folder.resolve("data"), END, folder.resolve("restored"), line -> {});

        assertThat(rows("restored")).isEqualTo(2);
        assertThat(restored.identity().database())
                .isNotEqualTo(DurablePosition.read(
                                DataDirectory.at(folder.resolve("data")).files())
                        .database());
    }

    /** The message names the moment of the last transaction before the damage, and that moment can be restored. */
    @Test
    void shouldRestoreWhatIsBeforeADamageOfTheLog() throws Exception {
        Path base;
        List<Long> ids = new ArrayList<>();
        Path data = folder.resolve("data");
        try (Reprise engine = options("data").ddl(TABLE).open()) {
            base = data.resolve(SnapshotDirectory.path(engine.snapshot().transactionId()));
            for (int i = 0; i < 6; i++) {
                ids.add(engine.sql("INSERT INTO t VALUES (?)", i).transactionId());
            }
        }
        damage(data, ids.get(4));

        assertThatThrownBy(() -> PastRestore.run(base, data, END, folder.resolve("restored"), line -> {}))
                .hasMessageContaining("The log is damaged in ")
                .satisfies(refused -> {
                    Matcher moment = Pattern.compile("--to (\\S+)$").matcher(refused.getMessage());
                    assertThat(moment.find()).isTrue();
                    PastRestore.run(
                            base,
                            data,
                            new Moment(Optional.of(Instant.parse(moment.group(1))), OptionalLong.empty()),
                            folder.resolve("restored"),
                            line -> {});
                });
        assertThat(rows("restored")).isEqualTo(4);
    }

    /** Changes a byte of the frame that has a transaction. */
    private static void damage(Path data, long transactionId) throws IOException {
        FileStore files = DataDirectory.at(data).files();
        LogDirectory log = new LogDirectory(files, LogSettings.DEFAULTS.directory());
        long segment = log.positions().getFirst();
        DurablePosition.Found durable = DurablePosition.read(files);
        LogRecords records = new LogRecords();
        try (LogReader reader =
                        LogReader.upTo(files, LogSettings.DEFAULTS, durable.database(), segment, durable.position());
                LogFrame frame = new LogFrame();
                RandomAccessFile file =
                        new RandomAccessFile(data.resolve(log.path(segment)).toFile(), "rw")) {
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    if (records.transactionId() == transactionId) {
                        long place = frame.position() - segment + 50;
                        file.seek(place);
                        int damaged = file.read() ^ 1;
                        file.seek(place);
                        file.write(damaged);
                        return;
                    }
                }
            }
        }
        throw new AssertionError("the log has no transaction " + transactionId);
    }

    @Test
    void shouldRefuseASnapshotThatIsLaterOrOfAnotherDatabase() throws Exception {
        try (Reprise engine = options("data").ddl(TABLE).open();
                Reprise other = options("other").ddl(TABLE).open()) {
            engine.backup(folder.resolve("backup"));
            other.backup(folder.resolve("foreign"));
        }
        Path data = folder.resolve("data");
        Path restored = folder.resolve("restored");
        Moment early = new Moment(Optional.of(Instant.EPOCH), OptionalLong.empty());
        Moment unknown = new Moment(Optional.empty(), OptionalLong.of(12345));

        assertThatThrownBy(() -> PastRestore.run(folder.resolve("backup"), data, early, restored, line -> {}))
                .hasMessageContaining("name an older one");
        assertThatThrownBy(() -> PastRestore.run(folder.resolve("foreign"), data, END, restored, line -> {}))
                .hasMessageContaining("and the log is of database");
        assertThatThrownBy(() -> PastRestore.run(folder.resolve("backup"), data, unknown, restored, line -> {}))
                .hasMessageContaining("transaction 0x3039 is not in the log");
        assertThat(Files.exists(folder.resolve("restored.partial"))).isFalse();
    }

    /** The archive alone is enough, and has each moment. */
    @Test
    void shouldRestoreFromAnArchiveAsItWasBeforeEachTransaction() throws Exception {
        Path archive = Files.createDirectory(folder.resolve("archive"));
        List<Long> ids = new ArrayList<>();
        try (Reprise engine = options("data")
                .ddl(TABLE)
                .archive(ArchiveSettings.usual(() -> FolderObjects.at(archive)))
                .open()) {
            assertThat(engine.snapshot().problem()).isEmpty();
            for (int i = 0; i < 4; i++) {
                ids.add(engine.sql("INSERT INTO t VALUES (?)", i).transactionId());
            }
            while (engine.metrics()
                            .durability()
                            .orElseThrow()
                            .archive()
                            .orElseThrow()
                            .snapshots()
                    == 0) {
                Thread.onSpinWait();
            }
        }
        FolderObjects objects = FolderObjects.at(archive);
        for (int i = 0; i < ids.size(); i++) {
            Moment before = new Moment(Optional.empty(), OptionalLong.of(ids.get(i)));
            PastRestore.fromArchive(objects, Optional.empty(), before, folder.resolve("restored" + i), line -> {});

            assertThat(rows("restored" + i)).isEqualTo(i);
        }
        Moment second = new Moment(
                Optional.of(Instant.EPOCH.plus(TransactionId.epochMicros(ids.get(1)), ChronoUnit.MICROS)),
                OptionalLong.empty());
        PastRestore.fromArchive(objects, Optional.empty(), second, folder.resolve("second"), line -> {});
        PastRestore.fromArchive(objects, Optional.empty(), END, folder.resolve("end"), line -> {});

        assertThat(rows("second")).isEqualTo(2);
        assertThat(rows("end")).isEqualTo(4);
        assertThat(folder.resolve("end.partial")).doesNotExist();
    }

    private long rows(String name) {
        try (Reprise engine = options(name).open()) {
            Rows rows = engine.sql("SELECT COUNT(*) FROM t").rows();
            assertThat(rows.next()).isTrue();
            return rows.longAt(0);
        }
    }
}
