package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.id.BucketSet;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The log format as a golden file: it stays readable, and writing the same records gives the same bytes. A change of the format
 * needs a new version number and a new file.
 *
 * <p>{@code -Dreprise.golden=DIRECTORY} writes the file anew.
 */
class GoldenLogTest {
    private static final LogSettings SMALL = LogFixture.SMALL;
    private static final LogSettings TWO_PAGES = SMALL.withSegmentBytes(2 * LogFormat.PAGE);
    private static final String SEGMENT = "log/0000000000000000.log";
    private static final List<String> FIRST_FRAME = List.of(
            "frame 0x200 to 0x400: 3 records, 45 bytes",
            "  0x200#0 CATALOG 2025-01-01T00:00:00.000122Z 1000002 partition 1 9 bytes: 086372656174652074",
            "  0x200#1 COMMAND 2025-01-01T00:00:00.000122Z 1000000 partition 0 bucket 576 hash 0x01d905c0 3 bytes: 010203",
            "  0x200#2 DATA 2025-01-01T00:00:00.000122Z 1000003 several partitions bucket 700, 5 hash 0x01020304 7 bytes: 8001ffffffff0f");
    private static final String LARGE_RECORD =
            "  0x400#0 COMMAND 2025-01-01T00:00:00.000122Z 1000004 partition 1 bucket 580 hash 0x01d9063c 1400 bytes: "
                    + "5a".repeat(20);

    @Test
    void shouldReadTheGoldenSegment() throws IOException {
        List<String> lines = print(load("segment-3.bin"));

        assertThat(lines).startsWith(FIRST_FRAME.toArray(String[]::new));
        assertThat(lines.subList(4, lines.size()))
                .containsExactly(
                        "frame 0x400 to 0xa00: 1 record, 1411 bytes", LARGE_RECORD, "end of the log at 0x1200");
    }

    @Test
    void shouldWriteTheGoldenSegmentToTheByte() throws IOException {
        byte[] written = bytes(write());
        String target = System.getProperty("reprise.golden");
        if (target != null) {
            Files.write(Path.of(target, "segment-3.bin"), written);
        }

        assertThat(written).isEqualTo(resource("segment-3.bin"));
    }

    private static SimulatedFileStore write() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (LogFixture log = new LogFixture(TWO_PAGES, 2).open(disk)) {
            log.append(0, 1_000_000, "010203");
            log.logs[1]
                    .begin(RecordKind.CATALOG, 1_000_002, -1, 0)
                    .putString("create t")
                    .end();
            log.logs[0]
                    .begin(RecordKind.DATA, 1_000_003, -1, 0x01020304)
                    .putBuckets(buckets(700, 5))
                    .putVarint(128)
                    .putZigzag(Integer.MIN_VALUE)
                    .end(log.logs, 2);
            log.run();
            log.append(1, 1_000_004, "5a".repeat(1400));
            log.stop();
        }
        return disk;
    }

    private static BucketSet buckets(int... numbers) {
        BucketSet set = new BucketSet();
        for (int number : numbers) {
            set.add(number);
        }
        return set;
    }

    private static SimulatedFileStore load(String name) throws IOException {
        SimulatedFileStore disk = new SimulatedFileStore(2);
        disk.createDirectory("log");
        disk.forceDirectory("");
        try (DataFile file = disk.create(SEGMENT)) {
            file.write(0, ByteBuffer.wrap(resource(name)));
            file.force();
        }
        disk.forceDirectory("log");
        return disk;
    }

    private static List<String> print(SimulatedFileStore disk) {
        List<String> lines = new ArrayList<>();
        PayloadPrinter payloads = (records, to) ->
                to.append(LoggedRecord.hex(records.memory(), records.payload(), Math.min(20, records.payloadBytes())));
        try (LogReader reader = LogTail.find(disk, SMALL, 0).read(0)) {
            new LogPrinter(payloads, lines::add).print(reader);
        }
        return lines;
    }

    private static byte[] bytes(SimulatedFileStore disk) {
        ByteBuffer bytes = ByteBuffer.allocate((int) TWO_PAGES.segmentBytes());
        try (DataFile file = disk.openReadOnly(SEGMENT)) {
            file.read(0, bytes);
        }
        return bytes.array();
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream stream = GoldenLogTest.class.getResourceAsStream("/log/" + name)) {
            return stream.readAllBytes();
        }
    }
}
