package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.reprise.catalog.Catalog;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.LoadProgress;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotLoader;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.RowAccess.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Manifests whose checksum is right and whose numbers are not: each number is replaced by others. Such a snapshot is damaged, or
 * it can be read; nothing else comes of it, so that an older one is used.
 */
class HostileManifestTest {
    private static final int HEADER = 20;
    private static final long[] NUMBERS = {
        0, 1, 2, 44, 1024, 1025, Integer.MAX_VALUE, 1L << 31, 1L << 62, Long.MAX_VALUE, -1
    };
    private static final Catalog SCHEMA = CatalogScript.load("""
        CREATE TABLE A (ID BIGINT NOT NULL, NAME VARCHAR(20), PRIMARY KEY (ID));
        PARTITION TABLE A ON COLUMN ID;
        CREATE TABLE B (ID BIGINT NOT NULL, PRIMARY KEY (ID));
        """);

    private final SimulatedFileStore files = new SimulatedFileStore(1);
    private final SnapshotReader reader = new SnapshotReader(files);
    private SnapshotRig rig;
    private long older;
    private long newer;
    private byte[] whole;
    private int refused;
    private int read;

    @BeforeEach
    void make() {
        rig = new SnapshotRig(2, SCHEMA);
        rig.startAgent(SnapshotRig.small(), files);
        rig.stores.forEach(store -> store.begin(1));
        rig.access(0, "A").insert(2, Arrays.asList(7L, Bytes.of("apple")));
        rig.access(0, "A").insert(4, Arrays.asList(8L, null));
        rig.access(1, "A").insert(1023, Arrays.asList(9L, null));
        rig.stores.forEach(store -> store.commit());
        older = rig.snapshot().transactionId();
        newer = rig.snapshot().transactionId();
        try (DataFile file = files.openReadOnly(manifest())) {
            whole = new byte[(int) file.size()];
            file.read(0, ByteBuffer.wrap(whole));
        }
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private String manifest() {
        return SnapshotDirectory.path(newer) + "/manifest";
    }

    /** Writes the manifest with other bytes instead of some, its length and its checksum made right. */
    private void replace(int at, int length, byte[] others) {
        ByteBuffer hostile = ByteBuffer.allocate(whole.length - length + others.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(whole, 0, at)
                .put(others)
                .put(whole, at + length, whole.length - at - length);
        hostile.putInt(12, hostile.capacity() - HEADER);
        CRC32C crc = new CRC32C();
        crc.update(hostile.array(), 0, HEADER - 4);
        crc.update(hostile.array(), HEADER, hostile.capacity() - HEADER);
        hostile.putInt(HEADER - 4, (int) crc.getValue());
        try (DataFile file = files.open(manifest())) {
            file.truncate(0);
            file.write(0, hostile.flip().limit(hostile.capacity()));
        }
    }

    private static byte[] varint(long number) {
        ByteBuffer bytes = ByteBuffer.allocate(10);
        long rest = number;
        while ((rest & -0x80L) != 0) {
            bytes.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        bytes.put((byte) rest);
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static byte[] fixed(long number) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .array();
    }

    private void check(String what) {
        Throwable failure = catchThrowable(() -> reader.verify(newer));
        SnapshotReader.Choice choice = reader.choose();
        Manifest chosen = choice.newest().orElseThrow();
        if (failure == null) {
            assertThat(chosen.identity().transactionId()).as(what).isEqualTo(newer);
            read++;
        } else {
            assertThat(failure).as(what).isInstanceOf(DamagedSnapshotException.class);
            assertThat(chosen.identity().transactionId()).as(what).isIn(older, newer);
            refused++;
        }
        if (chosen.identity().transactionId() == newer) {
            Throwable ofLoad = catchThrowable(() -> load(chosen));
            assertThat(ofLoad == null || ofLoad instanceof DamagedSnapshotException)
                    .as("%s: %s", what, ofLoad)
                    .isTrue();
        }
    }

    private void load(Manifest manifest) {
        try (SnapshotRig target = new SnapshotRig(1, SCHEMA);
                SnapshotLoader loader =
                        new SnapshotLoader(files, manifest, target.stores.getFirst(), new LoadProgress())) {
            loader.run();
        }
    }

    @Test
    void shouldBeDamagedOrReadWhateverItsNumbersAre() {
        String text = new String(whole, StandardCharsets.ISO_8859_1);
        int ddlFrom = text.indexOf("CREATE");
        int ddlTo = text.indexOf("partition-0.data") - 8;
        for (int at = HEADER; at < whole.length; at++) {
            if (at > ddlFrom && at < ddlTo) {
                continue;
            }
            int length = 1;
            while (whole[at + length - 1] < 0 && at + length < whole.length) {
                length++;
            }
            for (long number : NUMBERS) {
                replace(at, length, varint(number));
                check(number + " as a varint at " + at);
            }
            if (at + 8 <= whole.length && at % 4 == 0) {
                for (long number : new long[] {0, -1, Long.MAX_VALUE}) {
                    replace(at, 8, fixed(number));
                    check(number + " as eight bytes at " + at);
                }
            }
        }
        replace(HEADER, 0, new byte[0]);
        reader.verify(newer);
        assertThat(refused).isGreaterThan(100);
        assertThat(read).isPositive();
    }

    /** A table takes 24 KiB of the heap, and four bytes of a manifest. */
    @Test
    void shouldBeDamagedWhenItHasMoreTablesThanBytesForThem() {
        String text = new String(whole, StandardCharsets.ISO_8859_1);
        int tables = text.indexOf("A", text.lastIndexOf(".data")) - 3;
        assertThat(whole[tables]).isEqualTo((byte) 2);

        replace(tables, 1, varint(1 << 20));

        assertThat(catchThrowable(() -> reader.verify(newer)))
                .isInstanceOf(DamagedSnapshotException.class)
                .hasMessageContaining("the number of tables is 1048576");
    }
}
