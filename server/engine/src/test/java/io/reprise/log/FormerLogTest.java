package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log whose last segment is of the format's first version is gone on with, in a segment of today's. */
class FormerLogTest {
    private static final LogSettings SMALL = LogFixture.SMALL;
    private static final LogSettings ROOMY = SMALL.withSegmentBytes(4 * LogFormat.PAGE);
    private static final List<Long> FORMER = List.of(1_000_002L, 1_000_000L, 1_000_003L, 1_000_004L);
    private static final List<Long> NEXT = List.of(1_000_010L);
    private static final String FIRST = "log/0000000000000000.log";

    private SimulatedFileStore disk;

    @BeforeEach
    void load() throws IOException {
        disk = GoldenLogTest.load("segment-1-page-seal.bin");
    }

    private byte[] bytesOfFirst() {
        try (DataFile file = disk.openReadOnly(FIRST)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(0, bytes);
            return bytes.array();
        }
    }

    private List<Long> transactions(int version) {
        List<Long> result = new ArrayList<>();
        LogRecords records = new LogRecords();
        try (LogReader reader = LogTail.find(disk, SMALL, 0).read(0);
                LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    if (frame.version() == version) {
                        result.add(records.transactionId());
                    }
                }
            }
        }
        return result;
    }

    @Test
    void shouldGoOnInTheNextSegment() {
        long end = LogTail.find(disk, SMALL, 0).position();
        try (LogFixture log = new LogFixture(ROOMY, 1).open(disk)) {
            log.append(0, 1_000_010, "01");
            log.run();
            assertThat(log.logs[0].isAllDurable()).isTrue();
            log.append(0, 1_000_011, "02");
            log.run();
            log.stop();
        }

        assertThat(end).isLessThan(2 * LogFormat.PAGE);
        assertThat(transactions(LogFormat.FORMER_VERSION)).isEqualTo(FORMER);
        assertThat(transactions(LogFormat.VERSION)).containsExactly(1_000_010L, 1_000_011L);
        assertThat(LogTail.find(disk, SMALL, 0).goesOnInNext()).isFalse();
        try (LogFixture log = new LogFixture(ROOMY, 1).open(disk)) {
            log.append(0, 1_000_012, "03");
            log.run();
            log.stop();
        }
        assertThat(LogTail.find(disk, SMALL, 0).segmentPosition()).isEqualTo(2 * LogFormat.PAGE);
        assertThat(transactions(LogFormat.VERSION)).containsExactly(1_000_010L, 1_000_011L, 1_000_012L);
    }

    @Test
    void shouldSayWhereTheFirstCommandIsThatAReplayWouldMeet() {
        LogTail tail = LogTail.find(disk, SMALL, 0);

        assertThatThrownBy(() -> tail.checkCommands(0))
                .isInstanceOf(FormerCommandException.class)
                .hasMessageStartingWith("The log's file " + FIRST
                        + " has at offset 512 (position 512) the command of transaction f4240" + " in format 1")
                .hasMessageContaining("start the version that wrote it, have it make a snapshot")
                .hasMessageEndingWith("Nothing has been changed.");
        assertThatThrownBy(() -> tail.checkCommands(1024)).hasMessageContaining("at offset 1024 (position 1024)");
        tail.checkCommands(tail.position());
    }

    @Test
    void shouldTakeCommandsOfTodaysVersionBehindIt() {
        long end = LogTail.find(disk, SMALL, 0).position();
        try (LogFixture log = new LogFixture(ROOMY, 1).open(disk)) {
            log.append(0, 1_000_010, "01");
            log.run();
            log.stop();
        }

        LogTail.find(disk, SMALL, 0).checkCommands(end);
        assertThatThrownBy(() -> LogTail.find(disk, SMALL, 0).checkCommands(0))
                .isInstanceOf(FormerCommandException.class);
    }

    /** Whoever has to go back to the earlier version of the server can do so then. */
    @Test
    void shouldChangeNothingAsLongAsNothingIsLogged() {
        assertNothingIsChanged();
    }

    /** The program was killed before it had sealed its last batch. */
    @Test
    void shouldBeginNoSegmentForASeal() throws IOException {
        disk = GoldenLogTest.load("segment-1.bin");
        assertThat(LogTail.find(disk, SMALL, 0).isSealed()).isFalse();

        assertNothingIsChanged();
    }

    private void assertNothingIsChanged() {
        byte[] before = bytesOfFirst();
        long end = LogTail.find(disk, SMALL, 0).position();
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            log.clock.advance(SMALL.sealAfterNs());
            log.run();
            log.stop();
        }

        assertThat(bytesOfFirst()).isEqualTo(before);
        assertThat(LogTail.find(disk, SMALL, 0).position()).isEqualTo(end);
    }

    /** Segments are larger now than they were: that the old one is full says little about how much of the new one is needed. */
    @ParameterizedTest
    @ValueSource(longs = {4096, 8192, 1 << 16})
    void shouldGoOnWhenSomebodyElseMakesSegments(long segmentBytes) {
        LogSettings settings = SMALL.withSegmentBytes(segmentBytes);
        try (LogFixture log = new LogFixture(settings, 1).attended().open(disk)) {
            log.append(0, 1_000_010, "01");
            log.run();
            assertThat(log.writer.admission().isOpen()).isTrue();
            while (log.ahead.doWork(log.clock.nanoTime()) > 0) {
                continue;
            }
            log.run();
            assertThat(log.logs[0].isAllDurable()).isTrue();
            log.stop();
            log.ahead.close();
        }

        assertThat(transactions(LogFormat.VERSION)).containsExactly(1_000_010L);
    }

    @Test
    void shouldRefuseWritersWhenThereIsNoRoomForTheNextSegmentAndGoOnWhenThereIs() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            disk.faults().budget(0);
            log.append(0, 1_000_010, "01");
            log.run();
            assertThat(log.logs[0].isAllDurable()).isFalse();
            assertThat(log.writer.admission().isOpen()).isFalse();

            disk.faults().budget(1 << 20);
            log.clock.advance(1_000_000_000);
            log.run();
            assertThat(log.logs[0].isAllDurable()).isTrue();
            assertThat(log.writer.admission().isOpen()).isTrue();
            log.stop();
        }
        assertThat(transactions(LogFormat.FORMER_VERSION)).isEqualTo(FORMER);
        assertThat(transactions(LogFormat.VERSION)).containsExactly(1_000_010L);
    }

    /** Nothing more can be used of the old segment, and the next one is more than is made in one go. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAdmitWritersAgainWhenThereIsRoomForALargeSegment(boolean blocked) {
        try (LogFixture log =
                new LogFixture(SMALL.withSegmentBytes(12 << 20), 1).attended().open(disk)) {
            disk.faults().budget(0);
            for (int i = 0; i < 3; i++) {
                log.ahead.doWork(log.clock.nanoTime());
            }
            if (blocked) {
                log.append(0, 1_000_010, "01");
            }
            log.run();
            assertThat(log.writer.admission().isOpen()).isFalse();
            assertThat(log.writer.admission().isBlocked()).isEqualTo(blocked);

            disk.faults().none();
            log.clock.advance(1_000_000_000);
            while (log.ahead.doWork(log.clock.nanoTime()) > 0) {
                continue;
            }
            log.run();

            assertThat(log.writer.admission().refusal(8 << 20)).isEmpty();
            assertThat(log.logs[0].isAllDurable()).isTrue();
            log.stop();
            log.ahead.close();
        }
        assertThat(transactions(LogFormat.VERSION)).isEqualTo(blocked ? NEXT : List.of());
    }

    @Test
    void shouldHaveWhatWasDurableWhateverCallToTheDiskThePowerFailsAt() throws IOException {
        boolean survived = false;
        for (int call = 1; !survived; call++) {
            load();
            disk.faults().powerLossAtCall(call);
            LogFixture log = new LogFixture(SMALL, 1);
            try {
                log.open(disk);
                log.append(0, 1_000_010, "01");
                log.run();
                log.stop();
                survived = true;
            } catch (SimulatedPowerLoss e) {
                // What it has found there is gone on with below.
            }
            boolean durable = log.logs[0].isAllDurable() && log.logs[0].position() > 0;
            log.close();
            disk = disk.crash();

            assertThat(transactions(LogFormat.FORMER_VERSION))
                    .as("power lost at call %d", call)
                    .isEqualTo(FORMER);
            assertThat(transactions(LogFormat.VERSION))
                    .as("power lost at call %d", call)
                    .isIn(durable ? List.of(NEXT) : List.of(NEXT, List.of()));
            try (LogFixture again = new LogFixture(SMALL, 1).open(disk)) {
                again.append(0, 1_000_011, "02");
                again.run();
                again.stop();
            }
            assertThat(transactions(LogFormat.VERSION)).endsWith(1_000_011L);
            assertThat(transactions(LogFormat.FORMER_VERSION)).isEqualTo(FORMER);
        }
    }
}
