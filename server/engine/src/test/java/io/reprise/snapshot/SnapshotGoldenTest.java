package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Snapshots that an earlier version of the server wrote: they are read as ever, and written as ever. If this fails, either
 * the change is wrong, or the format needs a new number and the server has to go on reading the old one.
 *
 * <p>{@code -Dreprise.golden=DIRECTORY} writes the files anew.
 */
class SnapshotGoldenTest {
    private static final long ID = 101;
    private static final List<String> NAMES = List.of("manifest", "partition-0.data", "partition-1.data");

    /** Rows too few and too different for packing, so that the bytes don't depend on a version of LZ4. */
    private static SnapshotRig plain(SimulatedFileStore files) {
        SnapshotRig rig = new SnapshotRig(2, SnapshotRig.small(), files);
        rig.stores.forEach(store -> store.begin(1));
        rig.access(0, "ITEM").insert(2, Arrays.asList(7L, Bytes.of("apple"), null, Double.doubleToRawLongBits(0.5)));
        rig.access(0, "ITEM").insert(2, Arrays.asList(-1L, null, Bytes.of("a note"), null));
        rig.access(0, "EVENT").insert(2, Arrays.asList(300L, 1_000_000L, new Bytes(new byte[] {1, 2, 3})));
        rig.access(1, "ITEM").insert(1023, Arrays.asList(1L << 40, Bytes.of(""), null, null));
        for (int partition = 0; partition < 2; partition++) {
            rig.access(partition, "COUNTRY").insert(0, Arrays.asList(49L, Bytes.of("Germany")));
            rig.access(partition, "SETTING").insert(0, Arrays.asList(1L, -250L));
        }
        rig.stores.forEach(PartitionStore::commit);
        return rig;
    }

    /** Rows that are packed. */
    private static SnapshotRig packed(SimulatedFileStore files) {
        SnapshotRig rig = new SnapshotRig(2, SnapshotRig.small(), files);
        rig.stores.getFirst().begin(1);
        for (long id = 0; id < 40; id++) {
            rig.access(0, "ITEM").insert(4, Arrays.asList(id, Bytes.of("the same name"), null, null));
        }
        rig.stores.getFirst().commit();
        return rig;
    }

    private static byte[] read(SimulatedFileStore files, String name) {
        try (DataFile file = files.openReadOnly(SnapshotDirectory.path(ID) + "/" + name)) {
            byte[] bytes = new byte[(int) file.size()];
            file.read(0, ByteBuffer.wrap(bytes));
            return bytes;
        }
    }

    private static byte[] golden(String kind, String name) throws IOException {
        try (InputStream in = SnapshotGoldenTest.class.getResourceAsStream("golden/" + kind + "/" + name)) {
            assertThat(in).as("golden file %s/%s", kind, name).isNotNull();
            return in.readAllBytes();
        }
    }

    private static SimulatedFileStore goldenStore(String kind) throws IOException {
        SimulatedFileStore files = new SimulatedFileStore(1);
        files.createDirectory(SnapshotDirectory.ROOT);
        files.createDirectory(SnapshotDirectory.path(ID));
        for (String name : NAMES) {
            try (DataFile file = files.create(SnapshotDirectory.path(ID) + "/" + name)) {
                file.write(0, ByteBuffer.wrap(golden(kind, name)));
            }
        }
        return files;
    }

    private static void writeIfAsked(SimulatedFileStore files, String kind) throws IOException {
        String target = System.getProperty("reprise.golden");
        if (target != null) {
            Files.createDirectories(Path.of(target, kind));
            for (String name : NAMES) {
                Files.write(Path.of(target, kind, name), read(files, name));
            }
        }
    }

    @Test
    void shouldWriteTheSameBytesAsEver() throws IOException {
        SimulatedFileStore files = new SimulatedFileStore(1);
        try (SnapshotRig rig = plain(files)) {
            assertThat(rig.snapshot().transactionId()).isEqualTo(ID);
            writeIfAsked(files, "outcomes");

            for (String name : NAMES) {
                assertThat(read(files, name)).as(name).isEqualTo(golden("outcomes", name));
            }
        }
    }

    @Test
    void shouldReadWhatWasWrittenOnceUponATime() throws IOException {
        assertThat(readsAsEver("outcomes").origin().outcomes()).containsExactly(new byte[] {0, 1}, new byte[] {1, 1});
    }

    private static Manifest readsAsEver(String kind) throws IOException {
        SimulatedFileStore files = goldenStore(kind);

        Manifest manifest = new SnapshotReader(files).verify(ID);

        assertThat(SnapshotRig.images(files, manifest))
                .isEqualTo(Map.of(
                        "ITEM 2:0", "020e056170706c65000000000000e03f",
                        "ITEM 2:1", "050106" + "61206e6f7465",
                        "ITEM 1023:0", "06" + "808080808040" + "00",
                        "EVENT 2:0", "00d804" + "80897a" + "03010203",
                        "COUNTRY 0:0", "6207" + "4765726d616e79",
                        "SETTING 0:0", "0002f303"));
        assertThat(manifest.origin().logPosition()).isEqualTo(1001);
        assertThat(manifest.origin().ddl()).contains("CREATE TABLE \"ITEM\" (");
        assertThat(manifest.table("ITEM").orElseThrow().nextRowId(2)).isEqualTo(2);
        return manifest;
    }

    @Test
    void shouldReadPackedBlocksAsEver() throws IOException {
        SimulatedFileStore written = new SimulatedFileStore(1);
        try (SnapshotRig rig = packed(written)) {
            rig.snapshot();
            writeIfAsked(written, "packed");
            SimulatedFileStore files = goldenStore("packed");

            Manifest manifest = new SnapshotReader(files).verify(ID);

            assertThat(SnapshotRig.images(files, manifest)).isEqualTo(rig.images());
            assertThat(manifest.bytes()).isLessThan(700);
        }
    }
}
