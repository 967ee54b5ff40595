package io.reprise.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Clients make the same number of an argument as the server does, or their calls go to the wrong sites. */
final class PartitioningValueTest {
    @Test
    void shouldHashBytesAsTheServerDoes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int length = 0; length < 300; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            ArgumentWriter arguments =
                    new ArgumentWriter().add("before").add(bytes).add(7);

            assertThat(arguments.partitioningValue(1))
                    .as("%d bytes, seed %d", length, seed)
                    .isEqualTo(Memory.hash(MemorySegment.ofArray(bytes), 0, length));
        }
    }

    @Test
    void shouldHashAStringByItsUtf8() {
        String string = "Gdańsk ☃ 東京";
        byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);

        long value = new ArgumentWriter().add(string).partitioningValue(0);

        assertThat(value).isEqualTo(Memory.hash(MemorySegment.ofArray(utf8), 0, utf8.length));
    }

    @Test
    void shouldTakeAWholeNumberAsItIs() {
        ArgumentWriter arguments =
                new ArgumentWriter().add(Long.MIN_VALUE).addNull().add(1.5);

        assertThat(arguments.partitioningValue(0)).isEqualTo(Long.MIN_VALUE);
        assertThat(arguments.partitioningValue(1)).as("NULL").isZero();
        assertThat(arguments.partitioningValue(2)).as("a double").isZero();
        assertThat(arguments.partitioningValue(3)).as("no argument").isZero();
    }
}
