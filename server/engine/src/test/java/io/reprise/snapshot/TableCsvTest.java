package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.snapshot.file.TableCsv;
import io.reprise.storage.RowAccess;
import io.reprise.storage.RowAccess.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TableCsvTest {
    private final SimulatedFileStore files = new SimulatedFileStore(1);

    @Test
    void shouldQuoteWhatNeedsItAndTellNullFromEmpty() throws IOException {
        try (SnapshotRig rig = new SnapshotRig(2, SnapshotRig.small(), files)) {
            rig.stores.getFirst().begin(1);
            RowAccess access = rig.access(0, "ITEM");
            access.insert(0, Arrays.asList(1L, Bytes.of("plain"), Bytes.of(""), Double.doubleToRawLongBits(1.5)));
            access.insert(2, Arrays.asList(2L, Bytes.of("a,b"), null, null));
            access.insert(4, Arrays.asList(3L, Bytes.of("say \"x\""), Bytes.of("two\r\nlines"), null));
            rig.stores.getFirst().commit();

            assertThat(csv(rig, "ITEM"))
                    .isEqualTo("ID,NAME,NOTE,AMOUNT\r\n"
                            + "1,plain,\"\",1.5\r\n"
                            + "2,\"a,b\",,\r\n"
                            + "3,\"say \"\"x\"\"\",\"two\r\nlines\",\r\n");
        }
    }

    @Test
    void shouldPrintEveryTypeAndOnlyTheTableAskedFor() throws IOException {
        try (SnapshotRig rig = new SnapshotRig(1, SnapshotRig.small(), files)) {
            rig.stores.getFirst().begin(1);
            rig.access(0, "EVENT").insert(5, Arrays.asList(-7L, 1_500_000L, new Bytes(new byte[] {0, (byte) 0xFF})));
            rig.access(0, "SETTING").insert(0, Arrays.asList(1L, -1234L));
            rig.stores.getFirst().commit();

            assertThat(csv(rig, "EVENT")).isEqualTo("KIND,HAPPENED,DATA\r\n-7,1970-01-01 00:00:01.500000,00ff\r\n");
            assertThat(csv(rig, "SETTING")).isEqualTo("ID,PART\r\n1,-12.34\r\n");
            assertThat(csv(rig, "COUNTRY")).isEqualTo("CODE,NAME\r\n");
        }
    }

    @Test
    void shouldEndWhenNobodyReadsAnyMore() throws IOException {
        try (SnapshotRig rig = new SnapshotRig(2, SnapshotRig.small(), files)) {
            rig.stores.getFirst().begin(1);
            for (int i = 0; i < 2000; i++) {
                rig.access(0, "ITEM")
                        .insert(0, Arrays.asList((long) i, Bytes.of("plain"), Bytes.of("x".repeat(200)), null));
            }
            rig.stores.getFirst().commit();
            rig.snapshot();
            Manifest manifest = new SnapshotReader(files).choose().newest().orElseThrow();
            TableCsv table = new TableCsv(files, manifest);
            ByteArrayOutputStream out = new ByteArrayOutputStream();

            long all = table.write("ITEM", OutputStream.nullOutputStream());
            long read = table.write("ITEM", out, () -> out.size() > 10_000);

            assertThat(all).isEqualTo(2000);
            assertThat(read).isBetween(1L, 1000L);
        }
    }

    @Test
    void shouldNameTheTablesThatThereAreWhenAskedForAnother() {
        try (SnapshotRig rig = new SnapshotRig(1, SnapshotRig.small(), files)) {
            assertThatThrownBy(() -> csv(rig, "NONE"))
                    .hasMessage("the snapshot has no table NONE; it has ITEM, EVENT, COUNTRY, SETTING");
        }
    }

    private String csv(SnapshotRig rig, String table) throws IOException {
        rig.snapshot();
        Manifest manifest = new SnapshotReader(files).choose().newest().orElseThrow();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new TableCsv(files, manifest).write(table, out);
        return out.toString(StandardCharsets.UTF_8);
    }
}
