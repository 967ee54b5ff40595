package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.memory.Memory;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Generated code writes an update like its parts one after the other. */
class UpdateWriterTest {
    /** The number of times of each of the three ways to end. */
    private int written;

    private int unchanged;
    private int otherKeys;

    private void forEachUpdate(Consumer<CodecRig> update) {
        CodecRig.forEachTransaction(60, random -> new RandomTables(random).table(1, "T", random.nextBoolean()), rig -> {
            if (rig.codec.isNarrow()) {
                update.accept(rig);
            }
        });
    }

    private static UpdateWriter writer(CodecRig rig, RandomUpdate update) {
        return rig.codec.updates().of(update.from, update.to - update.from);
    }

    @Test
    void shouldWriteTheSameBytesByGeneratedCodeAndPartByPart() {
        forEachUpdate(rig -> {
            RandomUpdate update = new RandomUpdate(rig);
            compare(rig, update, writer(rig, update));
            update.abandon();
        });
        assertThat(written).as("updates that were written").isPositive();
        assertThat(unchanged).as("updates that changed nothing").isPositive();
        assertThat(otherKeys).as("updates that changed a unique key").isPositive();
    }

    private void compare(CodecRig rig, RandomUpdate update, UpdateWriter writer) {
        Memory memory = rig.store.memory();
        RowImageCodec codec = rig.codec;
        int bound = (int) (codec.bounds().ofKey(update.row) + codec.bounds().ofRow(update.row));
        long expected = rig.dirty(bound);
        long found = rig.dirty(bound);
        long[] set = new long[1];
        codec.changes().addTo(set, update.row, update.image, update.from, update.to);

        long end = writer.update(memory, update.row, update.image, found);

        if (set[0] == 0) {
            assertThat(end).isEqualTo(UpdateWriter.UNCHANGED);
            unchanged++;
        } else if (codec.sets().hasUnique(set)) {
            assertThat(end).isEqualTo(UpdateWriter.OTHER_KEY);
            otherKeys++;
        } else {
            long columns = codec.writeKey(update.row, memory, expected);
            long length = codec.writeColumns(update.row, set, memory, columns) - expected;
            assertThat(end - found).isEqualTo(length);
            assertThat(memory.sameBytes(expected, found, (int) length)).isTrue();
            written++;
        }
    }

    @Test
    void shouldWriteTheSameBytesWhenThereAreTooManyKindsOfUpdatesForGeneratedCode() {
        CodecRig.forEachTransaction(3, random -> new RandomTables(random).table(1, "T", true), rig -> {
            if (!rig.codec.isNarrow()) {
                return;
            }
            for (int i = 0; i < UpdateWriters.MOST; i++) {
                rig.codec.updates().of(i % 8, 1 + i / 8);
            }
            RandomUpdate update = new RandomUpdate(rig);
            UpdateWriter generated = new UpdateWriters(rig.codec).of(update.from, update.to - update.from);
            UpdateWriter other = writer(rig, update);

            assertThat(other).isNotSameAs(generated);
            compare(rig, update, other);
            compare(rig, update, generated);
            update.abandon();
        });
    }
}
