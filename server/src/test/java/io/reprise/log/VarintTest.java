package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.memory.Memory;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

final class VarintTest {
    @Test
    void shouldWriteTheSameBytesWhenItMayWriteMoreThanItNeeds() {
        try (Memory memory = Memory.reserve((1 << 20) + Memory.HUGE_PAGE)) {
            for (int bits = 0; bits <= 64; bits++) {
                long most = bits == 0 ? 0 : -1L >>> 64 - bits;
                for (long value : new long[] {most, most - 1, most + 1, most ^ most << 7, most / 3}) {
                    long narrowEnd = Varint.put(memory, 64, value);
                    long wideEnd = Varint.putWide(memory, 128, value);

                    assertThat(bytes(memory, 128, wideEnd)).isEqualTo(bytes(memory, 64, narrowEnd));
                    assertThat(wideEnd - 128).isEqualTo(Varint.bytes(value));
                }
            }
        }
    }

    private static byte[] bytes(Memory memory, long from, long to) {
        return memory.segment().asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
    }
}
