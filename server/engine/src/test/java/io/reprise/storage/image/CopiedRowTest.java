package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowCarrier;
import io.reprise.storage.row.RowLayout;
import org.junit.jupiter.api.Test;

/** A copied row has the image that the row had, whatever becomes of the row. */
class CopiedRowTest {
    private static final int SEEDS = 100;
    private static final long ROOM = Memory.HUGE_PAGE + (1 << 20);
    private static final byte UNTOUCHED = 0x5A;

    @Test
    void shouldHaveTheImageThatTheRowHadWhenItWasCopied() {
        try (Memory copies = Memory.reserve(ROOM);
                Memory images = Memory.reserve(ROOM)) {
            CodecRig.forEachTransaction(
                    SEEDS, random -> new RandomTables(random).table(1, "T", true), rig -> compare(rig, copies, images));
        }
    }

    private static void compare(CodecRig rig, Memory copies, Memory images) {
        RowCarrier carrier = new RowCarrier(rig.rows.layout(), rig.store.memory());
        long row = rig.insert();
        long at = rig.store.scratch((int) rig.codec.bounds().ofRow(row) + Long.BYTES);
        int length = (int) (rig.codec.writeRow(row, rig.store.memory(), at) - at);
        String expected = rig.hex(at, length);
        long copy = Memory.PAGE + rig.random.nextLong(100);
        long image = Memory.PAGE + rig.random.nextLong(100);
        int bytes = (int) carrier.bytes(row);
        long behindImage = image + 2L * bytes + RowImageCodec.SLACK;
        copies.putByte(copy + bytes, UNTOUCHED);
        images.putByte(behindImage, UNTOUCHED);
        assertThat(rig.codec.writesCopies()).isTrue();

        long end = carrier.copy(row, copies, copy);
        flipStrings(rig, row);
        long written = rig.codec.writeCopy(copies, copy, images, image) - image;
        flipStrings(rig, row);

        assertThat(end).isEqualTo(copy + bytes);
        assertThat(copies.getByte(end)).isEqualTo(UNTOUCHED);
        assertThat(written).isEqualTo(length).isLessThanOrEqualTo(2L * bytes);
        assertThat(images.getByte(behindImage)).isEqualTo(UNTOUCHED);
        rig.store.memory().copyFrom(images, image, at, length);
        assertThat(rig.hex(at, length)).isEqualTo(expected);
    }

    /** Makes something else of the row's strings, wherever they are; or what they were. */
    private static void flipStrings(CodecRig rig, long row) {
        RowLayout layout = rig.rows.layout();
        Memory memory = rig.store.memory();
        for (int i = 0; i < layout.stringColumns(); i++) {
            long ref = layout.readString(memory, row, layout.stringColumn(i));
            for (int at = 0; at < Ref.length(ref); at++) {
                memory.putByte(Ref.address(ref) + at, (byte) ~memory.getByte(Ref.address(ref) + at));
            }
        }
    }
}
