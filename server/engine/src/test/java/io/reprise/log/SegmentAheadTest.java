package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reprise.runtime.file.ForceFailedException;
import io.reprise.simulation.FileCall;
import io.reprise.simulation.SimulatedFileStore;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Segments are made by somebody else than who writes them. */
class SegmentAheadTest {
    private static final LogSettings SMALL = LogFixture.SMALL;
    private static final long SEGMENT = SMALL.segmentBytes();
    private static final String PAYLOAD = "cd".repeat(300);

    private final SimulatedFileStore disk = new SimulatedFileStore(1);
    private long next = 1;

    private void append(LogFixture log) {
        log.append(0, next++, PAYLOAD);
        log.run();
    }

    private List<Long> read() {
        return LoggedRecord.read(LogTail.find(disk, SMALL, 0).read(0)).stream()
                .map(LoggedRecord::transactionId)
                .toList();
    }

    private List<Long> all() {
        return LongStream.range(1, next).boxed().toList();
    }

    @Test
    void shouldLeaveEverythingThatMakesASegmentToWhoAttendsToIt() {
        try (LogFixture log = new LogFixture(SMALL, 1).attended().open(disk)) {
            while (log.writer.stats().position() < SEGMENT / 2) {
                append(log);
            }

            assertThat(disk.list("log")).hasSize(1);
            while (log.ahead.doWork(0) > 0) {
                continue;
            }
            assertThat(disk.list("log")).hasSize(2).allMatch(name -> name.endsWith(".log"));
            log.stop();
            log.ahead.close();
        }
    }

    @Test
    void shouldWaitForTheNextSegmentWithoutWritingAndGoOnWhenItIsThere() {
        try (LogFixture log = new LogFixture(SMALL, 1).attended().open(disk)) {
            for (int i = 0; i < 12; i++) {
                append(log);
            }
            long written = log.writer.stats().position();
            long durable = log.logs[0].durable();
            assertThat(written).isLessThan(SEGMENT);
            assertThat(durable).isLessThan(log.logs[0].position());
            assertThat(log.writer.doWork(log.clock.nanoTime()))
                    .as("it has nothing to do")
                    .isZero();
            assertThat(log.writer.admission().isOpen()).isTrue();

            makeAhead(log, true);
            assertThat(log.writer.stats().position()).isGreaterThan(SEGMENT);
            // The end of the second segment is kept until there is a third.
            makeAhead(log, true);
            assertThat(log.logs[0].isAllDurable()).isTrue();
            log.stop();
            log.ahead.close();
        }
        assertThat(read()).isEqualTo(all());
    }

    @Test
    void shouldGoOnWhenSegmentsAreMuchLargerThanThatWhichIsFull() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            append(log);
            log.stop();
        }
        try (LogFixture log = new LogFixture(SMALL.withSegmentBytes(16 * SEGMENT), 1)
                .attended()
                .open(disk)) {
            for (int i = 0; i < 12; i++) {
                append(log);
                while (log.ahead.doWork(log.clock.nanoTime()) > 0) {
                    continue;
                }
                log.run();
            }

            assertThat(log.logs[0].isAllDurable()).isTrue();
            log.stop();
            log.ahead.close();
        }
        assertThat(read()).isEqualTo(all());
    }

    /** Large records are refused until it is there, however little of the current one is used. */
    @Test
    void shouldMakeAllOfTheNextSegmentAtOnceWhenThereIsRoomAgain() {
        try (LogFixture log = new LogFixture(SMALL, 1).attended().open(disk)) {
            disk.faults().budget(SEGMENT);
            append(log);
            log.ahead.doWork(log.clock.nanoTime());
            log.ahead.doWork(log.clock.nanoTime());
            log.run();
            assertThat(log.writer.admission().refusal(SEGMENT)).isPresent();
            assertThat(log.writer.stats().position()).isLessThan(SEGMENT / 2);

            disk.faults().none();
            log.clock.advance(100_000_000);
            while (log.ahead.doWork(log.clock.nanoTime()) > 0) {
                continue;
            }
            log.run();

            assertThat(log.writer.admission().refusal(SEGMENT)).isEmpty();
            log.stop();
            log.ahead.close();
        }
    }

    @Test
    void shouldHaveNothingToDoWhileASealWaitsForTheNextSegment() {
        try (LogFixture log = new LogFixture(SMALL, 1).attended().open(disk)) {
            for (int i = 0; i < 3; i++) {
                append(log);
            }
            log.clock.advance(SMALL.sealAfterNs());

            assertThat(log.writer.doWork(log.clock.nanoTime()))
                    .as("the seal has no room in this segment, and the next one is not there")
                    .isZero();

            while (log.ahead.doWork(log.clock.nanoTime()) > 0) {
                continue;
            }
            assertThat(log.writer.doWork(log.clock.nanoTime())).isPositive();
            assertThat(log.writer.doWork(log.clock.nanoTime())).isZero();
            log.stop();
            log.ahead.close();
        }
        assertThat(read()).isEqualTo(all());
        disk.flipBit("log/0000000000000000.log", LogFormat.BLOCK + 60, 1);
        assertThatThrownBy(this::read).isInstanceOf(DamagedLogException.class);
    }

    @Test
    void shouldRefuseNobodyBecauseOfASealThatThereIsNoRoomFor() {
        try (LogFixture log = new LogFixture(SMALL, 1).attended().open(disk)) {
            disk.faults().budget(0);
            append(log);
            append(log);
            log.ahead.doWork(log.clock.nanoTime());
            log.clock.advance(SMALL.sealAfterNs());

            assertThat(log.writer.doWork(log.clock.nanoTime())).isZero();

            assertThat(log.writer.admission().refusal()).isEmpty();
            log.stop();
            log.ahead.close();
        }
        assertThat(read()).isEqualTo(all());
    }

    @Test
    void shouldMakeSegmentsItselfWhenWhoAttendedHasEnded() {
        try (LogFixture log = new LogFixture(SMALL, 1).attended().open(disk)) {
            append(log);
            // In the midst of one.
            log.ahead.doWork(0);
            for (int i = 0; i < 12; i++) {
                append(log);
            }
            assertThat(log.logs[0].isAllDurable()).isFalse();

            log.ahead.onClose();
            log.stop();
            log.ahead.close();
        }
        assertThat(read()).isEqualTo(all());
    }

    @Test
    void shouldCloseAdmissionWhenThereIsNoRoomAndOpenItWhenThereIs() {
        try (LogFixture log = new LogFixture(SMALL, 1).attended().open(disk)) {
            disk.faults().budget(0);
            for (int i = 0; i < 3; i++) {
                append(log);
                log.ahead.doWork(log.clock.nanoTime());
            }
            assertThat(log.writer.admission().isOpen()).isTrue();
            assertRefusesUntilItIsOver(log, "no space left");
        }
        assertThat(read()).isEqualTo(all());
    }

    /** The disk is full before the thread that makes segments has run once, and records go on to come. */
    @Test
    void shouldLetNothingWaitThatWasLoggedBeforeTheNextSegmentWasRefusedLate() {
        try (LogFixture log =
                new LogFixture(SMALL.withSegmentBytes(16 << 10), 1).attended().open(disk)) {
            disk.faults().budget(0);
            while (log.logs[0].isAllDurable()) {
                append(log);
            }
            for (int i = 0; i < 3; i++) {
                append(log);
            }
            assertThat(log.writer.admission().isOpen()).isTrue();

            log.ahead.doWork(log.clock.nanoTime());
            log.ahead.doWork(log.clock.nanoTime());
            log.run();

            assertThat(log.logs[0].isAllDurable()).isTrue();
            assertThat(log.writer.admission().isBlocked()).isFalse();
            assertThat(log.writer.admission().refusal().orElseThrow()).contains("no space left");
            log.ahead.onClose();
            log.stop();
            log.ahead.close();
        }
        assertThat(read()).isEqualTo(all());
    }

    /** Segments are larger than what is made in one go, and so little of this one is used that there would be time for the next. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAdmitAllAgainWhenThereIsRoomHoweverLittleIsUsed(boolean attended) {
        LogFixture fixture = new LogFixture(SMALL.withSegmentBytes(12 << 20), 1);
        try (LogFixture log = (attended ? fixture.attended() : fixture).open(disk)) {
            disk.faults().budget(0);
            append(log);
            makeAhead(log, attended);
            assertThat(log.writer.admission().refusalOfLarge().orElseThrow()).contains("no space left");
            assertThat(log.writer.admission().refusal(8 << 20)).isPresent();
            assertThat(log.writer.admission().isOpen()).isTrue();

            disk.faults().none();
            log.clock.advance(1_000_000_000);
            makeAhead(log, attended);

            assertThat(log.writer.admission().refusalOfLarge()).isEmpty();
            assertThat(log.writer.admission().refusal(8 << 20)).isEmpty();
            append(log);
            log.stop();
            if (attended) {
                log.ahead.close();
            }
        }
        assertThat(LoggedRecord.readAll(disk, SMALL)).hasSize(2);
    }

    private static void makeAhead(LogFixture log, boolean attended) {
        while (attended && log.ahead.doWork(log.clock.nanoTime()) > 0) {
            continue;
        }
        log.run();
    }

    /** Room kept for left large records is not needed when they are written compressed. */
    @Test
    void shouldTellOfEachChangeSoThatTheLastThatIsToldIsSo() {
        LogSettings compressed = LogSettings.DEFAULTS
                .withSizes(2048, 4096, 1 << 14, 40 << 10)
                .withSegmentBytes(64 << 10)
                .withMaxDelayNs(0)
                .withCompression(Compression.ALWAYS);
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        Logger logger = (Logger) LoggerFactory.getLogger("io.reprise.log");
        logger.addAppender(told);
        logger.setLevel(Level.INFO);
        try (LogFixture log = new LogFixture(compressed, 1).attended().open(disk)) {
            disk.faults().budget(0);
            append(log);
            while (log.ahead.doWork(log.clock.nanoTime()) > 0) {
                continue;
            }
            for (int i = 0; i < 4; i++) {
                log.append(0, next++, "00".repeat(30_000));
            }
            log.run();
            disk.faults().none();
            log.clock.advance(1_000_000_000);
            makeAhead(log, true);
            log.stop();
            log.ahead.close();
        } finally {
            logger.setLevel(null);
            logger.detachAppender(told);
        }

        String own = Thread.currentThread().getName();
        assertThat(told.list)
                .filteredOn(event -> event.getThreadName().equals(own))
                .extracting(event -> event.getLevel() + " " + event.getFormattedMessage())
                .satisfiesExactly(
                        reserved -> assertThat(reserved)
                                .startsWith(
                                        "ERROR The log's next segment can't be made, and little is left of this one"),
                        scarce -> assertThat(scarce)
                                .startsWith("WARN The log's next segment can't be made: ")
                                .contains("transactions are refused whose records are too large"),
                        open -> assertThat(open)
                                .isEqualTo("INFO The log's next segment has been made. All transactions may write."));
    }

    /** Connections may use up the process's files, before any of the steps in which a segment is made. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldCloseAdmissionWhenNoFileCanBeOpenedAndOpenItWhenOneCan(int steps) {
        try (LogFixture log = new LogFixture(SMALL, 1).attended().open(disk)) {
            append(log);
            for (int i = 0; i < steps; i++) {
                assertThat(log.ahead.doWork(log.clock.nanoTime())).isPositive();
            }
            disk.faults().tooManyOpenFiles(true);
            append(log);
            append(log);
            assertThat(log.writer.admission().isOpen()).isTrue();
            assertRefusesUntilItIsOver(log, "too many open files and sockets; raise the limit");
        }
        assertThat(read()).isEqualTo(all());
    }

    private void assertRefusesUntilItIsOver(LogFixture log, String why) {
        for (int i = 0; i < 10; i++) {
            append(log);
            log.ahead.doWork(log.clock.nanoTime());
        }
        log.run();
        assertThat(log.writer.admission().isOpen()).isFalse();
        assertThat(log.writer.admission().refusal().orElseThrow()).contains(why);

        disk.faults().none();
        for (int i = 0; i < 20; i++) {
            log.clock.advance(1_000_000_000);
            log.ahead.doWork(log.clock.nanoTime());
            log.run();
        }

        assertThat(log.writer.admission().isOpen()).isTrue();
        assertThat(log.logs[0].isAllDurable()).isTrue();
        log.stop();
        log.ahead.close();
    }

    /** The system drops the names that it could not write, also this one's, and says of the next force that all is well. */
    @Test
    void shouldNotHandOverASegmentWhoseNameMayBeLostBecauseSomebodyElsesForceFailed() {
        try (LogFixture log = new LogFixture(SMALL, 1).attended().open(disk)) {
            while (log.directory.positions().size() < 4) {
                append(log);
                while (log.ahead.doWork(log.clock.nanoTime()) > 0) {
                    continue;
                }
            }
            log.run();
            long needed = log.directory.positions().get(1);
            while (log.directory.positions().size() < 5) {
                append(log);
                // No directory can be opened to be forced, whatever there is to do: the next one gets its name at most.
                disk.faults().tooManyOpenFiles(disk.list("log").stream().anyMatch(name -> name.endsWith(".prepared")));
                log.clock.advance(1_000_000_000);
                log.ahead.doWork(log.clock.nanoTime());
                disk.faults().tooManyOpenFiles(false);
            }
            disk.faults().fail(FileCall.FORCE_DIRECTORY, 1);
            assertThatThrownBy(() -> log.directory.removeBelow(needed, 0)).isInstanceOf(ForceFailedException.class);
            log.clock.advance(1_000_000_000);

            assertThatThrownBy(() -> log.ahead.doWork(log.clock.nanoTime()))
                    .isInstanceOf(ForceFailedException.class)
                    .hasMessageContaining("it has failed before");
            log.ahead.close();
        }
    }
}
