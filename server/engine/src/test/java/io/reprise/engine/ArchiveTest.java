package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.archive.ArchiveCatalog;
import io.reprise.archive.ArchiveReport;
import io.reprise.archive.ArchiveSettings;
import io.reprise.archive.ArchiveStats;
import io.reprise.archive.FolderObjects;
import io.reprise.archive.PieceName;
import io.reprise.engine.PastRestore.Moment;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.procedure.Rows;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.DiskFaults.Refusal;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An archive has all that was acknowledged, whatever happens while it is made, and never stops the engine. */
final class ArchiveTest {
    private static final Moment END = new Moment(Optional.empty(), OptionalLong.empty());
    private static final String DDL = """
            CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(300));
            PARTITION TABLE note ON COLUMN id;
            CREATE PROCEDURE Put AS INSERT INTO note (id, text) VALUES (?, ?);
            """;
    private static final String TEXT = "0123456789".repeat(25);
    private static final long SEGMENT = 128 << 10;
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final long WEEK_MICROS = 168 * HOUR_NS / 1000;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);
    private SimulatedFileStore archive = new SimulatedFileStore(2);
    private LoggingMethod method = LoggingMethod.COMMAND;
    private long keepMicros = WEEK_MICROS;
    private long rows;

    private FolderObjects objects() {
        return new FolderObjects(archive, "the archive");
    }

    private Reprise open() {
        return options(disk)
                .archive(ArchiveSettings.usual(this::objects).withTimes(0, HOUR_NS / 1000, keepMicros))
                .open();
    }

    private Options options(SimulatedFileStore files) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(32 << 20)
                .ddl(DDL)
                .files(files)
                .durability(Durability.standard()
                        .with(method)
                        .with(SmallDurability.logOfSchemas(SEGMENT))
                        .with(SmallDurability.snapshots(1)));
    }

    private void put(Reprise engine, int count) {
        for (int i = 0; i < count; i++) {
            engine.call("Put", rows++, TEXT);
        }
    }

    /** Lets the archive's agent look for snapshots, and copy them. */
    private void settle(Reprise engine) {
        for (int i = 0; i < 40; i++) {
            clock.advance(2_000_000_000);
            count(engine);
        }
    }

    private static ArchiveStats stats(Reprise engine) {
        return engine.metrics().durability().orElseThrow().archive().orElseThrow();
    }

    private static long count(Reprise engine) {
        Rows counted = engine.sql("SELECT COUNT(*) FROM note").rows();
        assertThat(counted.next()).isTrue();
        return counted.longAt(0);
    }

    private ArchiveCatalog catalog() {
        return ArchiveCatalog.read(objects(), ArchiveCatalog.choose(objects(), Optional.empty()));
    }

    /** The number of rows in an engine that is opened on what the archive has. */
    private long restored(Moment moment) {
        SimulatedFileStore work = new SimulatedFileStore(3);
        new ArchiveOrigin(catalog(), LogSettings.DEFAULTS, line -> {}).copyTo(work, moment);
        try (Reprise engine = options(work).open()) {
            return count(engine);
        }
    }

    private List<String> problems() {
        List<String> lines = new ArrayList<>();
        return new ArchiveReport(objects(), true, lines::add).run() ? List.of() : lines;
    }

    /** Two snapshots with several segments of log before, between and behind them. */
    private void work() {
        try (Reprise engine = open()) {
            put(engine, 400);
            assertThat(engine.snapshot().problem()).isEmpty();
            settle(engine);
            put(engine, 400);
            clock.advance(2 * HOUR_NS);
            assertThat(engine.snapshot().problem()).isEmpty();
            put(engine, 400);
            settle(engine);
        }
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldHaveAllThatWasAcknowledgedWhenTheEngineHasStopped(LoggingMethod logging) {
        method = logging;
        work();

        assertThat(problems()).isEmpty();
        assertThat(catalog().snapshots()).hasSize(2);
        assertThat(catalog().start()).isZero();
        assertThat(restored(END)).isEqualTo(rows);
        assertThat(restored(END)).isEqualTo(1200);
    }

    @Test
    void shouldUseTheOlderSnapshotWhenTheNewerOneIsDamaged() {
        work();
        String folder = catalog().database() + "/snapshot/"
                + archive.list(catalog().database() + "/snapshot").getLast();
        String file = folder + "/"
                + archive.list(folder).stream()
                        .filter(name -> name.endsWith(".data"))
                        .findFirst()
                        .orElseThrow();
        archive.flipBit(file, size(file) / 2, 3);

        assertThat(problems()).isNotEmpty();
        assertThat(restored(END)).isEqualTo(rows);
    }

    @Test
    void shouldSayWhatIsMissingWhenAPieceIsGone() {
        work();
        List<PieceName> pieces = catalog().pieces();
        archive.delete(catalog().database() + "/log/" + pieces.getLast().text());
        archive.delete(
                catalog().database() + "/log/" + pieces.get(pieces.size() / 2).text());

        Moment later = new Moment(
                Optional.of(Instant.EPOCH.plus(clock.epochMicros() + 1, ChronoUnit.MICROS)), OptionalLong.empty());
        assertThatThrownBy(() -> restored(later)).hasMessageContaining("nothing was restored");
        assertThatThrownBy(() -> restored(new Moment(Optional.of(Instant.EPOCH), OptionalLong.empty())))
                .hasMessageContaining("no snapshot before the moment; the oldest is of 2026-01-01");
    }

    @Test
    void shouldKeepTheLogWhileTheArchiveFails() {
        archive.faults().refuseFromCall(1, Refusal.FULL);
        try (Reprise engine = open()) {
            put(engine, 400);
            assertThat(engine.snapshot().problem()).isEmpty();
            put(engine, 400);
            assertThat(engine.snapshot().problem()).isEmpty();
            settle(engine);

            assertThat(stats(engine).problem()).isPresent();
            assertThat(stats(engine).lagBytes()).isGreaterThan(SEGMENT);
            assertThat(disk.list("log")).contains("0000000000000000.log");

            archive.faults().none();
            settle(engine);

            assertThat(stats(engine).problem()).isEmpty();
            assertThat(stats(engine).lagBytes()).isZero();
            assertThat(engine.snapshot().problem()).isEmpty();
            assertThat(disk.list("log")).doesNotContain("0000000000000000.log");
        }
        assertThat(problems()).isEmpty();
        assertThat(restored(END)).isEqualTo(rows);
    }

    /** Snapshots and log that no moment within the retention needs go; the newest snapshot and its log stay. */
    @Test
    void shouldRemoveWhatIsOlderThanTheRetention() {
        keepMicros = 0;
        work();

        assertThat(catalog().snapshots()).hasSize(1);
        assertThat(catalog().start()).isPositive();
        assertThat(problems()).isEmpty();
        assertThat(restored(END)).isEqualTo(rows);
    }

    @Test
    void shouldKeepOldSnapshotsWhenTheWallClockJumpsForward() {
        try (Reprise engine = open()) {
            put(engine, 400);
            assertThat(engine.snapshot().problem()).isEmpty();
            settle(engine);
            clock.jumpWallClock(10 * WEEK_MICROS);
            put(engine, 400);
            assertThat(engine.snapshot().problem()).isEmpty();
            settle(engine);
            assertThat(stats(engine).snapshots()).isEqualTo(2);
        }

        assertThat(catalog().snapshots()).hasSize(2);
        assertThat(catalog().start()).isZero();
        assertThat(restored(END)).isEqualTo(800);
    }

    @Test
    void shouldRefuseToMixTheLogOfAnOlderCopyOfTheDirectory() {
        try (Reprise engine = open()) {
            put(engine, 10);
        }
        SimulatedFileStore older = disk.secondView();
        SimulatedFileStore copy = new SimulatedFileStore(7);
        copyTree(older, copy, "");
        try (Reprise engine = open()) {
            put(engine, 10);
        }
        long end = catalog().end();
        disk = copy;
        rows = 10;

        try (Reprise engine = open()) {
            put(engine, 1);
            assertThat(stats(engine).problem().orElseThrow()).contains("the archive is ahead of the log");
            put(engine, 50);
            settle(engine);
            assertThat(stats(engine).problem().orElseThrow()).contains("other bytes than the log");
        }

        assertThat(catalog().end()).isEqualTo(end);
    }

    private int repair() {
        return ArchiveRepair.run(disk, objects(), SmallDurability.logOfSchemas(SEGMENT), line -> {});
    }

    private void openAndCount() {
        try (Reprise engine = options(disk).open()) {
            assertThat(count(engine)).isEqualTo(rows);
        }
    }

    @Test
    void shouldRepairDamagedAndMissingFilesOfTheDirectory() {
        work();
        assertThat(repair()).isZero();
        List<PieceName> pieces = catalog().pieces();
        SimulatedFileStore whole = disk;
        String snapshot = "snapshot/"
                + disk.list("snapshot").stream()
                        .filter(name -> !name.startsWith("."))
                        .toList()
                        .getLast();
        for (int i = 0; i < pieces.size(); i += pieces.size() / 8 + 1) {
            disk = new SimulatedFileStore(i);
            copyTree(whole, disk, "");
            PieceName piece = pieces.get(i);
            long segment = piece.begin() / SEGMENT * SEGMENT;
            String file = String.format("log/%016x.log", segment);
            if (disk.exists(file)) {
                disk.flipBit(file, piece.begin() - segment + i % 200, i & 7);
                assertThat(repair()).as("piece %d", i).isEqualTo(1);
            }
            openAndCount();
        }
        disk = new SimulatedFileStore(5);
        copyTree(whole, disk, "");
        disk.delete("log/"
                + disk.list("log").stream()
                        .filter(name -> name.endsWith(".log"))
                        .findFirst()
                        .orElseThrow());
        disk.flipBit(snapshot + "/manifest", 100, 1);

        assertThat(repair()).isEqualTo(2);
        openAndCount();
    }

    /** Each call of the archive fails once, or all from there on until the next start; then its power fails. */
    @Test
    void shouldLoseNothingWhenACallFails() {
        work();
        long calls = archive.calls();
        for (boolean all : new boolean[] {false, true}) {
            for (long call = 1; call < calls; call += calls / 10 + 1) {
                sweep(call, all);
            }
        }
    }

    /** Among them are the calls that make the archive's folders. */
    @Test
    void shouldLoseNothingWhenOneOfTheFirstCallsFails() {
        for (long call = 6; call <= 12; call++) {
            sweep(call, false);
        }
    }

    @Test
    @Tag("long")
    void shouldLoseNothingWhenAnyCallFails() {
        work();
        long calls = archive.calls();
        for (long call = 1; call < calls; call++) {
            sweep(call, false);
            sweep(call, true);
        }
    }

    private void sweep(long call, boolean all) {
        disk = new SimulatedFileStore(1);
        archive = new SimulatedFileStore(call);
        rows = 0;
        if (all) {
            archive.faults().refuseFromCall(call, Refusal.FULL);
        } else {
            archive.faults().failCall(call);
        }
        work();
        archive.faults().none();
        archive = archive.crash();
        try (Reprise engine = open()) {
            put(engine, 10);
            settle(engine);
        }
        assertThat(problems()).as("call %d, all %s", call, all).isEmpty();
        assertThat(restored(END)).as("call %d, all %s", call, all).isEqualTo(rows);
    }

    /** A flipped bit is found wherever it is. */
    @Test
    void shouldFindAnyDamage() {
        damage(97);
    }

    @Test
    @Tag("long")
    void shouldFindDamageOfEachByte() {
        damage(1);
    }

    private void damage(int every) {
        try (Reprise engine = open()) {
            put(engine, 2);
            assertThat(engine.snapshot().problem()).isEmpty();
            settle(engine);
            put(engine, 2);
        }
        assertThat(problems()).isEmpty();
        for (String file : files(catalog().database().toString())) {
            long size = size(file);
            for (long at = 0; at < size; at += every) {
                archive.flipBit(file, at, (int) at & 7);
                assertThat(problems()).as("%s at %d", file, at).isNotEmpty();
                archive.flipBit(file, at, (int) at & 7);
            }
        }
        assertThat(problems()).isEmpty();
    }

    private List<String> files(String folder) {
        List<String> all = new ArrayList<>();
        for (String name : archive.list(folder)) {
            String path = folder + "/" + name;
            if (name.contains(".") || name.equals("manifest")) {
                all.add(path);
            } else {
                all.addAll(files(path));
            }
        }
        return all;
    }

    private long size(String path) {
        try (DataFile file = archive.openReadOnly(path)) {
            return file.size();
        }
    }

    private static void copyTree(SimulatedFileStore from, SimulatedFileStore to, String folder) {
        for (String name : from.list(folder)) {
            String path = folder.isEmpty() ? name : folder + "/" + name;
            try (DataFile source = from.openReadOnly(path)) {
                byte[] bytes = new byte[(int) source.size()];
                source.read(0, ByteBuffer.wrap(bytes));
                try (DataFile target = to.create(path)) {
                    target.write(0, ByteBuffer.wrap(bytes));
                    target.force();
                }
            } catch (StorageException isFolder) {
                to.createDirectory(path);
                copyTree(from, to, path);
            }
            to.forceDirectory(folder);
        }
    }
}
