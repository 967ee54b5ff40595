package io.reprise.net.reprise;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.deploy.Arguments;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.CallReader;
import io.reprise.wire.CallWriter;
import io.reprise.wire.MessageWriter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ArgumentReadingTest {
    private final CallSlot slot = new CallSlot();

    private long bytes(ArgumentWriter arguments) {
        MessageWriter frame = new MessageWriter(128);
        CallWriter.call(frame, 1, 1, 0, 0, arguments);
        byte[] bytes = frame.toBytes();
        CallReader reader = new CallReader();
        reader.over(bytes, 0, bytes.length);
        assertThat(reader.next()).isTrue();
        slot.begin(null, reader);
        slot.bytes = 0;
        assertThat(ArgumentReading.read(reader, new Arguments(), slot, MemorySegment.ofArray(bytes)))
                .isZero();
        return slot.bytes;
    }

    /** In a frame an empty string has two bytes, and a small number one. */
    @Test
    void shouldCountWhatArraysBecome() {
        String[] empty = new String[100_000];
        Arrays.fill(empty, "");

        assertThat(bytes(new ArgumentWriter().add(empty))).isBetween(40L * 100_000, 60L * 100_000);
        assertThat(bytes(new ArgumentWriter().add(new long[100_000]))).isBetween(800_000L, 800_100L);
        assertThat(bytes(new ArgumentWriter().add(new int[100_000]))).isBetween(400_000L, 400_100L);
        assertThat(bytes(new ArgumentWriter().add(new double[100_000]))).isBetween(800_000L, 800_100L);
        assertThat(bytes(new ArgumentWriter().add(new byte[100_000]))).isBetween(100_000L, 100_100L);
    }

    @Test
    void shouldCountNothingForWhatStaysWhereItCame() {
        assertThat(bytes(new ArgumentWriter().add(17).add("x".repeat(1000)).addNull()))
                .isZero();
    }
}
