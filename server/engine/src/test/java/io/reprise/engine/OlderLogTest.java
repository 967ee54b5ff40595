package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reprise.id.DatabaseId;
import io.reprise.log.DamagedLogException;
import io.reprise.log.LogTail;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** An older copy of the log's last segment is valid by itself; opening and verifying notice it all the same. */
final class OlderLogTest {
    private static final String SEGMENT = "log/0000000000000000.log";
    private static final long SECOND_NS = 1_000_000_000;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    private Reprise open() {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .durability(Durability.standard()
                        .with(SmallDurability.log(64 << 10))
                        .with(SmallDurability.snapshots(1)))
                .ddl("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY)")
                .files(disk)
                .open();
    }

    private static void insert(Reprise engine, long from, long to) {
        for (long id = from; id < to; id++) {
            engine.sql("INSERT INTO note VALUES (?)", id);
        }
    }

    private static long rows(Reprise engine) {
        var rows = engine.sql("SELECT COUNT(*) FROM note").rows();
        rows.next();
        return rows.longAt(0);
    }

    private byte[] bytes(String path) {
        try (DataFile file = disk.openReadOnly(path)) {
            byte[] bytes = new byte[(int) file.size()];
            file.read(0, ByteBuffer.wrap(bytes));
            return bytes;
        }
    }

    private void put(String path, byte[] bytes) {
        disk.delete(path);
        try (DataFile file = disk.create(path)) {
            file.write(0, ByteBuffer.wrap(bytes));
            file.force();
        }
    }

    private List<String> verify(FileStore files) {
        List<String> lines = new ArrayList<>();
        boolean good = new Verification(DataDirectory.of(files), lines::add).run();
        lines.add("good: " + good);
        return lines;
    }

    @Test
    void shouldRefuseAnOlderCopyOfTheLastSegmentAfterAnOrderlyStop() {
        byte[] older;
        try (Reprise engine = open()) {
            insert(engine, 0, 10);
            older = bytes(SEGMENT);
            insert(engine, 10, 30);
        }
        byte[] whole = bytes(SEGMENT);
        put(SEGMENT, older);

        assertThat(verify(disk))
                .anySatisfy(line -> assertThat(line)
                        .contains("DAMAGED", "log/0000000000000000.log", "as the file database.durable says"))
                .contains("good: false");
        assertThatThrownBy(this::open)
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("an older copy of the file is in its place");

        put(SEGMENT, whole);
        assertThat(verify(disk)).contains("good: true");
        try (Reprise engine = open()) {
            assertThat(rows(engine)).isEqualTo(30);
        }
    }

    @Test
    void shouldRefuseAnOlderCopyOfTheLastSegmentASecondAfterItWasWritten() {
        Reprise engine = open();
        insert(engine, 0, 10);
        byte[] older = bytes(SEGMENT);
        insert(engine, 10, 30);
        clock.advance(SECOND_NS);
        engine.runSites();
        disk = disk.crash();
        put(SEGMENT, older);

        assertThatThrownBy(this::open)
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("an older copy of the file is in its place");
    }

    /** The advice of last resort: without the file the log counts as it is. */
    @Test
    void shouldOpenWhatIsThereWhenTheFileIsRemoved() {
        byte[] older;
        try (Reprise engine = open()) {
            insert(engine, 0, 10);
            older = bytes(SEGMENT);
            insert(engine, 10, 30);
        }
        put(SEGMENT, older);
        disk.delete(DurablePosition.FILE);

        try (Reprise engine = open()) {
            assertThat(rows(engine)).isEqualTo(10);
        }
    }

    /** Whatever the crash leaves of the write, a log that is whole is opened. */
    @Test
    void shouldOpenAWholeLogWhenACrashTearsTheFile() {
        for (int call = 1; call <= 60; call++) {
            disk = new SimulatedFileStore(call);
            long acknowledged = 0;
            Reprise engine = open();
            disk.faults().powerLossAtCall(disk.calls() + call);
            try {
                while (acknowledged < 40) {
                    insert(engine, acknowledged, acknowledged + 1);
                    acknowledged++;
                    clock.advance(SECOND_NS);
                }
            } catch (RuntimeException powerLoss) {
                // As it should be.
            }
            disk = disk.crash();

            try (Reprise again = open()) {
                assertThat(rows(again)).as("call %d", call).isBetween(acknowledged, acknowledged + 1);
            }
        }
    }

    @Test
    void shouldTellInTheLogThatTheRecoveryIsDone() {
        try (Reprise engine = open()) {
            insert(engine, 0, 10);
        }
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        Logger log = (Logger) LoggerFactory.getLogger("io.reprise.recovery");
        Level before = log.getLevel();
        log.setLevel(Level.INFO);
        log.addAppender(told);
        try (Reprise engine = open()) {
            assertThat(rows(engine)).isEqualTo(10);
        } finally {
            log.detachAppender(told);
            log.setLevel(before);
        }

        assertThat(told.list.getLast().getFormattedMessage())
                .matches("Recovery is done: 0 rows loaded in [0-9.]+ s, 1[0-9] transactions replayed in [0-9.]+ s\\.");
    }

    /** The file's format, to the byte. */
    @Test
    void shouldWriteTheSameBytesAsEver() {
        LogTail tail = LogTail.create(
                disk, SmallDurability.log(64 << 10), new DatabaseId(0x0123456789ABCDEFL, 0x1122334455667788L));
        long[] position = {0x11223344556677L};
        try (DurablePosition file = DurablePosition.begin(disk, tail)) {
            file.follow(() -> position[0]);
            file.doWork(0);
        }

        byte[] bytes = bytes(DurablePosition.FILE);
        assertThat(bytes).hasSize(8192);
        assertThat(HexFormat.of().formatHex(bytes, 0, 48))
                .isEqualTo("52445552" + "41424c45" + "01000000" + "00000000" + "efcdab8967452301" + "8877665544332211"
                        + "0002000000000000" + "1ea3a17a" + "00000000");
        assertThat(HexFormat.of().formatHex(bytes, 4096, 4096 + 48))
                .isEqualTo("52445552" + "41424c45" + "01000000" + "01000000" + "efcdab8967452301" + "8877665544332211"
                        + "7766554433221100" + "e2c461c9" + "00000000");
        assertThat(DurablePosition.read(disk).position()).isEqualTo(position[0]);
    }

    @Test
    void shouldOpenWhenBothSlotsAreDamaged() {
        try (Reprise engine = open()) {
            insert(engine, 0, 10);
        }
        put(DurablePosition.FILE, new byte[100]);

        try (Reprise engine = open()) {
            assertThat(rows(engine)).isEqualTo(10);
        }
        assertThat(DurablePosition.read(disk).position()).isPositive();
    }
}
