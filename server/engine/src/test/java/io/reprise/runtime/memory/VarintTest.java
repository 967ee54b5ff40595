package io.reprise.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class VarintTest {
    private static final long AT = 64;

    private final Memory memory = Memory.reserve(2L * Memory.HUGE_PAGE);

    @AfterEach
    void close() {
        memory.close();
    }

    /** The numbers around every length that a number can have. */
    static LongStream numbers() {
        return IntStream.rangeClosed(0, Long.SIZE)
                .mapToLong(bits -> bits == Long.SIZE ? -1L : (1L << bits) - 1)
                .flatMap(n -> LongStream.of(n - 1, n, n + 1, n ^ 0x5555555555555555L & n))
                .distinct();
    }

    private byte[] written(long from, long to) {
        return memory.segment().asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void shouldWriteTheSameBytesWithAndWithoutRoom(long value) {
        byte[] exact = written(AT, Varint.put(memory, AT, value));

        byte[] roomy = written(AT, Varint.putRoomy(memory, AT, value));

        assertThat(roomy).isEqualTo(exact).hasSize(Varint.size(value));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void shouldReadFromAWordWhatWasWritten(long value) {
        memory.putLong(AT, -1L);
        memory.putLong(AT + Long.BYTES, -1L);

        Varint.put(memory, AT, value);
        long word = memory.getLong(AT);

        int size = Varint.sizeInWord(word);
        if (Varint.size(value) > Long.BYTES) {
            assertThat(size).isEqualTo(Long.BYTES + 1);
        } else {
            assertThat(size).isEqualTo(Varint.size(value));
            assertThat(Varint.ofWord(word, size)).isEqualTo(value);
        }
    }

    /** One of the two is what {@link Varint} does on this machine. */
    @ParameterizedTest
    @MethodSource("numbers")
    void shouldMoveBitsByShiftsAsTheProcessorDoes(long value) {
        long bits = value & (1L << 56) - 1;
        long bytes = Long.expand(bits, 0x7F7F7F7F7F7F7F7FL);

        assertThat(Varint.spreadByShifts(bits)).isEqualTo(bytes);
        assertThat(Varint.gatherByShifts(bytes)).isEqualTo(bits);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void shouldFoldAndUnfold(long value) {
        assertThat(Varint.unfold(Varint.fold(value))).isEqualTo(value);
        assertThat(written(AT, Varint.putSignedRoomy(memory, AT, value)))
                .isEqualTo(written(AT, Varint.putSigned(memory, AT, value)));
    }

    @Test
    void shouldGiveSmallNumbersOfEitherSignOneByte() {
        for (long value = -64; value < 64; value++) {
            assertThat(Varint.putSigned(memory, AT, value)).isEqualTo(AT + 1);
        }
    }

    @Test
    void shouldLeaveAloneWhatLiesBehindTheRoom() {
        memory.putLong(AT + Varint.MOST_BYTES, 42);

        numbers().forEach(value -> Varint.putRoomy(memory, AT, value));

        assertThat(memory.getLong(AT + Varint.MOST_BYTES)).isEqualTo(42);
    }
}
