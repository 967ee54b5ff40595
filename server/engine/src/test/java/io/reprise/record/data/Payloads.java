package io.reprise.record.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.memory.Memory;
import java.lang.foreign.ValueLayout;
import java.util.function.BiFunction;

/** Collected records as bytes. */
public final class Payloads {
    private static final long AT = 64;
    private static final long PATTERN = 0x5A5A5A5A5A5A5A5AL;

    private Payloads() {}

    public static byte[] collect(DataCollector collector, boolean withReplicated) {
        long room = collector.collect(withReplicated);
        return room == 0 ? new byte[0] : write(room, collector::writeTo);
    }

    /** The bytes written to a memory and an address; they must fit into the announced room. */
    public static byte[] write(long room, BiFunction<Memory, Long, Long> writeTo) {
        try (Memory memory = Memory.reserve(AT + room + Memory.HUGE_PAGE)) {
            memory.putLong(AT + room, PATTERN);
            memory.putLong(AT + room + Long.BYTES, PATTERN);
            long end = writeTo.apply(memory, AT);

            assertThat(end).isLessThanOrEqualTo(AT + room);
            assertThat(memory.getLong(AT + room)).as("behind the room").isEqualTo(PATTERN);
            assertThat(memory.getLong(AT + room + Long.BYTES))
                    .as("behind the room")
                    .isEqualTo(PATTERN);
            return memory.segment().asSlice(AT, end - AT).toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
