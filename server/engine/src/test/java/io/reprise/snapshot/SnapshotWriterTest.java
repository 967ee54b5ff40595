package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.file.DataFileEntry;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.RowBatch;
import io.reprise.snapshot.file.SnapshotBuffers;
import io.reprise.snapshot.file.SnapshotIdentity;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.snapshot.file.SnapshotWriter;
import io.reprise.snapshot.file.TableContents;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** The making of blocks from rows. */
class SnapshotWriterTest {
    private static final int TABLES = 30;
    private static final int BUCKETS = 8;
    private static final int ROWS = TABLES * 64;
    private static final int ROW = 1000;

    private final SimulatedFileStore files = new SimulatedFileStore(1);

    /** Writes rows, each bucket's in turn; less than all have room to wait. Returns how many blocks were made. */
    private long blocks(IntUnaryOperator tableOfRow) {
        return write(tableOfRow, _ -> true).blocks();
    }

    /** The same, with rows that can't be packed and others that can. Returns how many bytes were written. */
    private long bytes(IntUnaryOperator tableOfRow, IntPredicate isRandom) {
        return write(tableOfRow, isRandom).size();
    }

    private DataFileEntry write(IntUnaryOperator tableOfRow, IntPredicate isRandom) {
        List<TableContents> tables = new ArrayList<>();
        for (int table = 1; table <= TABLES; table++) {
            TableContents contents = new TableContents(table, "T" + table, false, Buckets.DEFAULT);
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                contents.nextRowId(bucket, ROWS);
            }
            tables.add(contents);
        }
        SnapshotIdentity identity = new SnapshotIdentity(SnapshotRig.DATABASE, 77);
        try (Memory memory = Memory.reserve(8 << 20);
                SnapshotBuffers buffers = new SnapshotBuffers(1 << 20);
                SnapshotWriter writer =
                        new SnapshotWriter(files, identity, 1, tables, buffers, SnapshotWriter.Settings.usual())) {
            for (int i = 0; i < ROWS; i++) {
                fill(memory, isRandom.test(i) ? i : 0);
                RowBatch batch = new RowBatch(memory, Memory.PAGE, 1 << 20);
                long rowId = (long) (i % BUCKETS) << RowLayout.SEQUENCE_BITS | i / BUCKETS;
                batch.addImage(tableOfRow.applyAsInt(i), rowId, batch.rowAddress() + ROW);
                writer.add(0, batch);
            }
            List<DataFileEntry> entries = writer.finishFiles();
            writer.publish(new Manifest.Origin(1, 0, 1, TABLES + 1, "", new byte[0], List.of()), entries);
            assertThat(new SnapshotReader(files).verify(77).rows()).isEqualTo(ROWS);
            return entries.getFirst();
        }
    }

    /** Bytes that can be packed beside bytes of the same seed only. */
    private static void fill(Memory memory, long seed) {
        Random random = new Random(seed);
        for (long at = Memory.PAGE; at < Memory.PAGE + 2 * ROW; at += Long.BYTES) {
            memory.putLong(at, random.nextLong());
        }
    }

    /** Whether packing pays is learnt from each table's blocks, for that table. */
    @Test
    void shouldPackWhatCanBePackedThoughRowsOfOtherTablesCannot() {
        long bytesOfRows = (long) ROWS / 2 * ROW;

        long bytes = bytes(i -> i < ROWS / 2 ? 1 : 2, i -> i < ROWS / 2);

        assertThat(bytes).isBetween(bytesOfRows, bytesOfRows + bytesOfRows / 10);
    }

    /**
     * Each table had chains of its own: rows left behind by a sweep kept their room, and others' blocks became small.
     */
    @Test
    void shouldMakeNoMoreBlocksWhenRowsAreOfManyTables() {
        long ofOne = blocks(_ -> 1);
        files.list("snapshot/000000000000004d").forEach(name -> files.delete("snapshot/000000000000004d/" + name));
        files.delete("snapshot/000000000000004d");

        long ofMany = blocks(i -> 1 + i / 64);

        assertThat(ofOne).isLessThan(40);
        assertThat(ofMany).isLessThanOrEqualTo(ofOne + BUCKETS);
    }

    /** As when rows are saved before they change. */
    @Test
    void shouldReadWhatWasWrittenWhenEachRowIsOfAnotherTableThanTheOneBefore() {
        assertThat(blocks(i -> 1 + i / BUCKETS % TABLES)).isLessThan(40);
    }
}
