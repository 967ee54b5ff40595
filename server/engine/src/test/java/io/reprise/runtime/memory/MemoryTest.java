package io.reprise.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.simulation.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryTest {
    private static final long AT = 1 << 20;

    private final Memory memory = Memory.reserve(1L << 40);

    @AfterEach
    void close() {
        memory.close();
    }

    @Test
    void shouldReserveLessWhenTooMuchIsAskedFor() {
        try (Memory most = Memory.reserve(Long.MAX_VALUE)) {
            assertThat(most.size()).isBetween(1L << 29, 1L << Memory.ADDRESS_BITS);
            most.putLong(most.size() - 8, 42);

            assertThat(most.getLong(most.size() - 8)).isEqualTo(42);
        }
    }

    @Test
    void shouldReadBackWhatWasWritten() {
        memory.putByte(AT, (byte) -3);
        memory.putShort(AT + 1, (short) -300);
        memory.putInt(AT + 3, -70_000);
        memory.putLong(AT + 7, Long.MIN_VALUE + 5);
        memory.putDouble(AT + 15, -0.1);

        assertThat(memory.getByte(AT)).isEqualTo((byte) -3);
        assertThat(memory.getShort(AT + 1)).isEqualTo((short) -300);
        assertThat(memory.getInt(AT + 3)).isEqualTo(-70_000);
        assertThat(memory.getLong(AT + 7)).isEqualTo(Long.MIN_VALUE + 5);
        assertThat(memory.getDouble(AT + 15)).isEqualTo(-0.1);
        assertThat(memory.getByte(AT + 3)).as("little endian").isEqualTo((byte) (-70_000 & 0xFF));
    }

    @Test
    void shouldCopyMoveAndZeroWhatIsNamedAndNoMore() {
        Seeds.forEach(300, seed -> {
            Random random = new Random(seed);
            byte[] expected = new byte[2_000];
            random.nextBytes(expected);
            memory.copyIn(MemorySegment.ofArray(expected), 0, AT, expected.length);

            int length = random.nextInt(700);
            int from = random.nextInt(expected.length - length);
            int to = random.nextInt(expected.length - length);
            if (Math.abs(from - to) >= length) {
                memory.copy(AT + from, AT + to, length);
            } else {
                memory.move(AT + from, AT + to, length);
            }
            System.arraycopy(expected, from, expected, to, length);
            int zeros = random.nextInt(700);
            int zeroFrom = random.nextInt(expected.length - zeros);
            memory.zero(AT + zeroFrom, zeros);
            Arrays.fill(expected, zeroFrom, zeroFrom + zeros, (byte) 0);

            assertThat(bytes(AT, expected.length)).isEqualTo(expected);
        });
    }

    @Test
    void shouldCompareAsUnsignedBytes() {
        Seeds.forEach(2_000, seed -> {
            Random random = new Random(seed);
            byte[] a = new byte[random.nextInt(40)];
            random.nextBytes(a);
            byte[] b = Arrays.copyOf(a, random.nextInt(40));
            if (b.length > 0 && random.nextBoolean()) {
                b[random.nextInt(b.length)] += (byte) 1;
            }
            memory.copyIn(MemorySegment.ofArray(a), 0, AT, a.length);
            memory.copyIn(MemorySegment.ofArray(b), 0, AT + 100, b.length);

            int order = memory.compare(AT, a.length, AT + 100, b.length);

            assertThat(Integer.signum(order)).isEqualTo(Integer.signum(Arrays.compareUnsigned(a, b)));
        });
    }

    @Test
    void shouldHashAlikeWhereverTheBytesLie() {
        Random random = new Random(1);
        Set<Long> hashes = new HashSet<>();
        for (int length = 0; length < 300; length++) {
            byte[] bytes = new byte[length + 3];
            random.nextBytes(bytes);
            memory.copyIn(MemorySegment.ofArray(bytes), 3, AT + 5, length);

            long offHeap = memory.hash(AT + 5, length);

            assertThat(offHeap).isEqualTo(Memory.hash(MemorySegment.ofArray(bytes), 3, length));
            hashes.add(offHeap);
        }
        assertThat(hashes).hasSize(300);
    }

    /** Buckets, and so the places of all data, depend on these: they must never change. */
    @Test
    void shouldHashAsItAlwaysHas() {
        assertThat(hash("")).isEqualTo(0xD8A310150DF90781L);
        assertThat(hash("a")).isEqualTo(0x6DB9204D6BA96F73L);
        assertThat(hash("12345")).isEqualTo(0xF5F17EFB8F021830L);
        assertThat(hash("a key of twenty byte")).isEqualTo(0x974794B5F9A28CA5L);
        assertThat(hash("x".repeat(100))).isEqualTo(0x9BFE47741DD626A8L);
    }

    @Test
    void shouldChangeHalfOfTheHashWhenOneBitChanges() {
        Random random = new Random(2);
        for (int length : new int[] {1, 3, 4, 7, 8, 9, 16, 31, 64, 65, 100}) {
            byte[] bytes = new byte[length];
            int flipped = 0;
            int trials = 400;
            for (int i = 0; i < trials; i++) {
                random.nextBytes(bytes);
                long before = Memory.hash(MemorySegment.ofArray(bytes), 0, length);
                bytes[random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
                flipped += Long.bitCount(before ^ Memory.hash(MemorySegment.ofArray(bytes), 0, length));
            }
            assertThat(flipped / (double) trials).as("length " + length).isBetween(30.0, 34.0);
        }
    }

    @Test
    void shouldReadZerosWhereMemoryWasGivenBack() {
        memory.putLong(AT, 1);
        memory.putLong(AT + 3 * Memory.PAGE - 8, 2);
        memory.putLong(AT + 3 * Memory.PAGE, 3);

        memory.discard(AT - 8, 3 * Memory.PAGE + 16);

        assertThat(memory.getLong(AT)).isZero();
        assertThat(memory.getLong(AT + 3 * Memory.PAGE - 8)).isZero();
        assertThat(memory.getLong(AT + 3 * Memory.PAGE)).as("a page in part").isEqualTo(3);
    }

    @Test
    void shouldRefuseViewsWhenItIsClosed() {
        Memory closed = Memory.reserve(1L << 30);
        MemorySegment view = closed.segment().asSlice(4096, 8);
        closed.close();
        closed.close();

        assertThatThrownBy(() -> view.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }

    private long hash(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return Memory.hash(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private byte[] bytes(long address, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory.segment(), address, MemorySegment.ofArray(bytes), 0, length);
        return bytes;
    }
}
