package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The damages of a log whose segments are used for the first time, and what is said of them. */
final class LogDamageTest extends LogDamageSweep {
    private static final DatabaseId OTHER = new DatabaseId(5, 6);

    @Override
    long writeLog(SimulatedFileStore to) {
        try (LogFixture log = new LogFixture(SMALL, 2).open(to)) {
            for (int i = 0; i < 40; i++) {
                log.append(i % 2, 1000 + i, "c0ffee".repeat(i % 30));
                if (i % 3 == 0) {
                    log.run();
                }
            }
            log.stop();
        }
        return 0;
    }

    @Test
    void shouldNameFileAndOffsetAndWhatToDo() {
        write(segments.get(1), 600, new byte[] {1, 2, 3});

        assertThat(damage())
                .hasMessageStartingWith("The log is damaged in log/0000000000001000.log at offset ")
                .hasMessageContaining("acknowledged transactions")
                .hasMessageContaining("Put an undamaged copy of the file in its place, or restore");
    }

    @Test
    void shouldCutALastBatchThatIsNotSealedAndNothingElse() {
        SimulatedFileStore unsealed = new SimulatedFileStore(8);
        try (LogFixture log = new LogFixture(SMALL, 1).open(unsealed)) {
            log.append(0, 1, "01");
            log.run();
            log.append(0, 2, "02");
            log.run();
        }
        unsealed.flipBit("log/0000000000000000.log", 2 * BLOCK + 60, 1);

        assertThat(LoggedRecord.readAll(unsealed, SMALL))
                .extracting(LoggedRecord::transactionId)
                .containsExactly(1L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotTakeSegmentsOfANewerVersionForUnused(boolean firstToo) {
        for (long segment : segments.subList(firstToo ? 0 : segments.size() - 2, segments.size())) {
            byte[] all = read(segment, 0, (int) SMALL.segmentBytes());
            ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putInt(LogFormat.SEGMENT_VERSION, LogFormat.VERSION + 1);
            int crc = new FrameChecksum(LogFixture.DATABASE).of(bytes, 0, LogFormat.SEGMENT_CRC);
            bytes.clear().putInt(LogFormat.SEGMENT_CRC, crc).position(BLOCK);
            // Nothing in it is to look like a frame of today's.
            while (bytes.hasRemaining()) {
                bytes.put((byte) 0x5a);
            }
            write(segment, 0, all);
        }

        assertThatThrownBy(() -> LogTail.find(disk, SMALL, 0))
                .isInstanceOf(UnknownLogFormatException.class)
                .hasMessageContaining("has format 4, and this server reads format 3 only. Start the version");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldNameTheSegmentThatIsOfAnotherDatabase(int index) {
        SimulatedFileStore other = new SimulatedFileStore(9);
        try (LogFixture log = new LogFixture(SMALL, 1).ofDatabase(OTHER).open(other)) {
            for (int i = 0; i < 40; i++) {
                log.append(0, 1000 + i, "c0ffee".repeat(i % 30));
                log.run();
            }
            log.stop();
        }
        long segment = segments.get(index);
        ByteBuffer bytes = ByteBuffer.allocate((int) SMALL.segmentBytes());
        try (DataFile file = other.openReadOnly(new LogDirectory(other, "log").path(segment))) {
            file.read(0, bytes);
        }
        write(segment, 0, bytes.array());

        assertThat(damage())
                .hasMessageStartingWith("The log is damaged in " + new LogDirectory(disk, "log").path(segment) + " at")
                .hasMessageContaining("the segment is of another database (" + OTHER + ", not " + LogFixture.DATABASE);
    }
}
