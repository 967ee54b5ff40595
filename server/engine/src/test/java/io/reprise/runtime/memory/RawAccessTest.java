package io.reprise.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

final class RawAccessTest {
    private static final int BYTES = 256;

    private final Random random = new Random();

    @Test
    void shouldUseUnsafeWhenTheJvmLetsUs() {
        assertThat(RawAccess.byUnsafe()).isTrue();
    }

    @Test
    void shouldReadAndWriteTheSameBytesEitherWay() {
        long seed = System.nanoTime();
        random.setSeed(seed);

        for (int round = 0; round < 2_000; round++) {
            int at = random.nextInt(BYTES - Long.BYTES);
            long value = random.nextLong();
            compare(
                    seed,
                    a -> RawAccess.putByte(a + at, (byte) value),
                    b -> SegmentAccess.putByte(b + at, (byte) value));
            compare(
                    seed,
                    a -> RawAccess.putShort(a + at, (short) value),
                    b -> SegmentAccess.putShort(b + at, (short) value));
            compare(seed, a -> RawAccess.putInt(a + at, (int) value), b -> SegmentAccess.putInt(b + at, (int) value));
            compare(seed, a -> RawAccess.putLong(a + at, value), b -> SegmentAccess.putLong(b + at, value));
            double real = value * 0.37;
            compare(seed, a -> RawAccess.putDouble(a + at, real), b -> SegmentAccess.putDouble(b + at, real));
        }
    }

    @Test
    void shouldBeLittleEndianWhereverANumberLies() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(16);
            RawAccess.putInt(bytes.address() + 3, 0x04030201);

            assertThat(bytes.asSlice(2, 6).toArray(ValueLayout.JAVA_BYTE)).containsExactly(0, 1, 2, 3, 4, 0);
        }
    }

    /** Writes one way and the other, and looks at the bytes and at what either way reads. */
    private void compare(long seed, LongConsumer oneWay, LongConsumer other) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment a = arena.allocate(BYTES);
            for (int i = 0; i < BYTES; i++) {
                a.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
            }
            MemorySegment b = arena.allocate(BYTES).copyFrom(a);
            oneWay.accept(a.address());
            other.accept(b.address());

            assertThat(a.mismatch(b)).as("seed %d", seed).isEqualTo(-1);
            long at = a.address() + random.nextInt(BYTES - Long.BYTES);
            assertThat(RawAccess.getByte(at)).as("seed %d", seed).isEqualTo(SegmentAccess.getByte(at));
            assertThat(RawAccess.getShort(at)).as("seed %d", seed).isEqualTo(SegmentAccess.getShort(at));
            assertThat(RawAccess.getInt(at)).as("seed %d", seed).isEqualTo(SegmentAccess.getInt(at));
            assertThat(RawAccess.getLong(at)).as("seed %d", seed).isEqualTo(SegmentAccess.getLong(at));
            assertThat(Double.doubleToRawLongBits(RawAccess.getDouble(at)))
                    .as("seed %d", seed)
                    .isEqualTo(Double.doubleToRawLongBits(SegmentAccess.getDouble(at)));
        }
    }
}
