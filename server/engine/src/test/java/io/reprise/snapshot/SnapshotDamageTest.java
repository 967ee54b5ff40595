package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever becomes of the bytes of a snapshot, what is read is what was written, or an error that names file and byte. */
class SnapshotDamageTest {
    private final SimulatedFileStore files = new SimulatedFileStore(1);
    private final SnapshotReader reader = new SnapshotReader(files);
    private SnapshotRig rig;
    private long older;
    private long newer;
    private String directory;
    private Map<String, String> rows;
    private int checked;

    @BeforeEach
    void make() {
        rig = new SnapshotRig(2, SnapshotRig.small(), files);
        RandomLoad load = new RandomLoad(rig, new Random(3));
        load.fill(4);
        older = rig.snapshot().transactionId();
        load.fill(4);
        rows = rig.images();
        newer = rig.snapshot().transactionId();
        directory = SnapshotDirectory.path(newer);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private byte[] bytes(String name) {
        try (DataFile file = files.openReadOnly(directory + "/" + name)) {
            byte[] bytes = new byte[(int) file.size()];
            file.read(0, ByteBuffer.wrap(bytes));
            return bytes;
        }
    }

    private void replace(String name, byte[] bytes) {
        try (DataFile file = files.open(directory + "/" + name)) {
            file.truncate(0);
            file.write(0, ByteBuffer.wrap(bytes));
        }
    }

    /**
     * Verifying fails and names the file; choosing, which is tried each fifth time, takes the older one, or this one but
     * then reading it fails.
     */
    private void assertDamageIsFound(String name, String what) {
        Throwable failure = catchThrowable(() -> reader.verify(newer));
        assertThat(failure).as(what).isInstanceOf(DamagedSnapshotException.class);
        DamagedSnapshotException damage = (DamagedSnapshotException) failure;
        assertThat(damage.path()).as(what).isEqualTo(directory + "/" + name);
        assertThat(damage.offset()).as(what).isBetween(0L, 1L << 20);
        assertThat(damage).hasMessageContaining(directory + "/" + name + " is damaged at byte " + damage.offset());
        if (checked++ % 5 != 0) {
            return;
        }
        SnapshotReader.Choice choice = reader.choose();
        if (choice.newest().orElseThrow().identity().transactionId() == older) {
            assertThat(choice.damaged())
                    .singleElement()
                    .satisfies(found -> assertThat(found.path()).isEqualTo(directory + "/" + name));
        } else {
            assertThat(choice.damaged()).isEmpty();
            assertThatThrownBy(() -> SnapshotRig.images(files, choice.newest().orElseThrow()))
                    .as(what)
                    .isInstanceOf(DamagedSnapshotException.class);
        }
    }

    @Test
    void shouldBeWholeWhenNothingHappens() {
        assertThat(SnapshotRig.images(files, reader.verify(newer))).isEqualTo(rows);
        assertThat(reader.choose().newest().orElseThrow().identity().transactionId())
                .isEqualTo(newer);
    }

    @Test
    void shouldFindEveryFlippedBit() {
        Random random = new Random(4);
        for (String name : files.list(directory)) {
            byte[] whole = bytes(name);
            assertThat(whole.length).isLessThan(8000);
            for (int at = 0; at < whole.length; at++) {
                int bit = random.nextInt(8);
                files.flipBit(directory + "/" + name, at, bit);
                assertDamageIsFound(name, "bit " + bit + " of byte " + at + " of " + name);
                files.flipBit(directory + "/" + name, at, bit);
            }
        }
        reader.verify(newer);
    }

    @Test
    void shouldFindEveryTruncationAndWhatIsAppended() {
        for (String name : files.list(directory)) {
            byte[] whole = bytes(name);
            for (int length = 0; length < whole.length; length += 1 + length / 200) {
                replace(name, Arrays.copyOf(whole, length));
                assertDamageIsFound(name, name + " cut off at " + length);
            }
            replace(name, Arrays.copyOf(whole, whole.length + 1));
            assertDamageIsFound(name, name + " with a byte more");
            replace(name, whole);
        }
    }

    @Test
    void shouldFindZeroedAndSwappedSectors() {
        for (String name : files.list(directory)) {
            byte[] whole = bytes(name);
            for (int sector = 0; (sector + 2) * 512 <= whole.length; sector++) {
                byte[] zeroed = whole.clone();
                Arrays.fill(zeroed, sector * 512, (sector + 1) * 512, (byte) 0);
                replace(name, zeroed);
                assertDamageIsFound(name, "sector " + sector + " of " + name + " zeroed");
                byte[] swapped = whole.clone();
                System.arraycopy(whole, sector * 512, swapped, (sector + 1) * 512, 512);
                System.arraycopy(whole, (sector + 1) * 512, swapped, sector * 512, 512);
                replace(name, swapped);
                assertDamageIsFound(name, "sectors from " + sector + " of " + name + " swapped");
            }
            replace(name, whole);
        }
    }

    @Test
    void shouldFindMissingFiles() {
        for (String name : files.list(directory)) {
            byte[] whole = bytes(name);
            files.delete(directory + "/" + name);
            assertDamageIsFound(name, name + " missing");
            files.create(directory + "/" + name).close();
            replace(name, whole);
        }
    }

    @Test
    void shouldFindFilesOfOtherSnapshotsAndPartitions() {
        byte[] mine = bytes("partition-0.data");
        replace("partition-0.data", bytes("partition-1.data"));
        assertDamageIsFound("partition-0.data", "another partition's file");
        directory = SnapshotDirectory.path(older);
        byte[] olders = bytes("partition-0.data");
        byte[] oldersManifest = bytes("manifest");
        directory = SnapshotDirectory.path(newer);
        replace("partition-0.data", olders);
        assertDamageIsFound("partition-0.data", "an older snapshot's file");
        replace("partition-0.data", mine);
        replace("manifest", oldersManifest);
        assertDamageIsFound("manifest", "an older snapshot's manifest");
    }

    /** Two blocks of equal size that have changed places are right by themselves, but not where they are. */
    @Test
    void shouldFindSwappedBlocks() {
        byte[] whole = bytes("partition-0.data");
        int[] starts = blockStarts(whole);
        int swaps = 0;
        for (int a = 0; a < starts.length - 1; a++) {
            for (int b = a + 1; b < starts.length - 1; b++) {
                int length = starts[a + 1] - starts[a];
                if (starts[b + 1] - starts[b] == length) {
                    byte[] swapped = whole.clone();
                    System.arraycopy(whole, starts[a], swapped, starts[b], length);
                    System.arraycopy(whole, starts[b], swapped, starts[a], length);
                    replace("partition-0.data", swapped);
                    assertDamageIsFound("partition-0.data", "blocks at " + starts[a] + " and " + starts[b]);
                    swaps++;
                }
            }
        }
        assertThat(swaps).isPositive();
    }

    private static int[] blockStarts(byte[] file) {
        byte[] magic = "RBLK".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        return java.util.stream.IntStream.range(0, file.length - 4)
                .filter(at -> Arrays.equals(file, at, at + 4, magic, 0, 4))
                .toArray();
    }
}
