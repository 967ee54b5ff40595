package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames that don't fit into the memory that a reader and a stretch begin with: one large frame, or many. */
final class LogReaderTest {
    private static final int MOST_BYTES = 5 << 19;
    private static final LogSettings ROOMY = LogSettings.DEFAULTS
            .withSizes(64 << 10, 1 << 20, 1 << 16, MOST_BYTES + 1000)
            .withSegmentBytes(8 << 20);

    private final SimulatedFileStore disk = new SimulatedFileStore(1);
    private final Random random = new Random(1);

    @ParameterizedTest
    @EnumSource(names = {"NONE", "ALWAYS"})
    void shouldReadFramesThatAreLargerThanAChunk(Compression compression) {
        LogSettings settings = ROOMY.withCompression(compression);
        List<String> written = new ArrayList<>();
        try (LogFixture log = new LogFixture(settings, 1).open(disk)) {
            for (int bytes : new int[] {1000, 1 << 20, 1000, MOST_BYTES}) {
                append(log, written, bytes);
            }
            log.stop();
        }

        assertThat(LoggedRecord.readAll(disk, settings))
                .extracting(LoggedRecord::payload)
                .isEqualTo(written);
    }

    private void append(LogFixture log, List<String> written, int bytes) {
        byte[] payload = new byte[bytes];
        // Half of it can be compressed.
        for (int i = 0; i < bytes; i++) {
            payload[i] = (i & 8) == 0 ? (byte) random.nextInt() : 0;
        }
        written.add(HexFormat.of().formatHex(payload));
        log.append(0, written.size(), written.getLast());
        log.clock.advance(ROOMY.longestPauseNs());
        log.run();
    }
}
