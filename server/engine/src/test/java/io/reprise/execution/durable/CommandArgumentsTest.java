package io.reprise.execution.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.Text;
import io.reprise.record.command.CommandReader;
import io.reprise.record.command.CommandWriter;
import io.reprise.record.command.PlainValues;
import io.reprise.runtime.memory.Memory;
import io.reprise.simulation.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CommandArgumentsTest {
    private static Arguments logged(Arguments arguments) {
        CommandWriter writer = new CommandWriter();
        writer.begin(1);
        CommandArguments.write(arguments, writer);
        CommandReader reader = new CommandReader();
        reader.over(writer.segment(), 0, writer.length());
        Arguments read = Arguments.of("what was there before");
        CommandArguments.read(reader, read);
        return read;
    }

    @Test
    void shouldBeTheSameWhenReadBack() {
        Object[] values = {
            null,
            true,
            5L,
            1.5,
            new BigDecimal("1.50"),
            new byte[] {1},
            new int[] {1, 2},
            new long[] {3},
            new double[] {4},
            new String[] {"five", "\uD83D"},
            "half a pair: \uD83D"
        };

        Arguments read = logged(Arguments.of(values));

        assertThat(read.count()).isEqualTo(values.length);
        for (int i = 0; i < values.length; i++) {
            assertThat(Objects.deepEquals(read.boxed(i), values[i])).isTrue();
        }
    }

    @Test
    void shouldHaveTheSameBytesWhenAStringIsReadBackAsText() {
        byte[] notUtf8 = {(byte) 0xFF, 'a'};

        Arguments read = logged(new Arguments()
                .add("plum")
                .add(Text.of("日本語"))
                .add(new Text().wrap(MemorySegment.ofArray(notUtf8), 0, 2)));

        assertThat(((Text) read.reference(0)).contentEquals(Text.of("plum"))).isTrue();
        assertThat(((Text) read.reference(1)).contentEquals(Text.of("日本語"))).isTrue();
        assertThat(((Text) read.reference(2)).toBytes()).isEqualTo(notUtf8);
    }

    @Test
    void shouldWriteTheSameBytesWhenWrittenDirectly() {
        try (Memory memory = Memory.reserve((1 << 20) + Memory.HUGE_PAGE)) {
            Seeds.forEach(2_000, seed -> {
                Random random = new Random(seed);
                Arguments arguments = plainValues(random);
                CommandWriter writer = new CommandWriter();
                writer.begin(1);
                CommandArguments.write(arguments, writer);

                long begin = 64L + random.nextInt(8);
                long values = PlainValues.begin(memory, begin, 1);
                long end = CommandArguments.writePlain(arguments, memory, values, 1 << 16);

                assertThat(memory.segment().asSlice(begin, end - begin).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(writer.segment().asSlice(0, writer.length()).toArray(ValueLayout.JAVA_BYTE));
            });
        }
    }

    @Test
    void shouldWriteNothingBeyondTheLimitWhenWrittenDirectly() {
        try (Memory memory = Memory.reserve((1 << 20) + Memory.HUGE_PAGE)) {
            Seeds.forEach(2_000, seed -> {
                Random random = new Random(seed);
                long limit = 64L + random.nextInt(200);
                memory.putLong(limit, 0x0123_4567_89AB_CDEFL);
                memory.putLong(limit + 8, 0x0123_4567_89AB_CDEFL);

                long end = CommandArguments.writePlain(plainValues(random), memory, 64, limit);

                assertThat(end).isLessThanOrEqualTo(limit);
                assertThat(memory.getLong(limit)).isEqualTo(0x0123_4567_89AB_CDEFL);
                assertThat(memory.getLong(limit + 8)).isEqualTo(0x0123_4567_89AB_CDEFL);
            });
        }
    }

    @Test
    void shouldLeaveOtherValuesToTheOtherWay() {
        try (Memory memory = Memory.reserve((1 << 20) + Memory.HUGE_PAGE)) {
            Arguments arguments = new Arguments().add(1).add("a string");

            long end = CommandArguments.writePlain(arguments, memory, 64, 1 << 16);

            assertThat(end).isZero();
        }
    }

    private static Arguments plainValues(Random random) {
        Arguments arguments = new Arguments();
        int count = random.nextInt(10);
        for (int i = 0; i < count; i++) {
            switch (random.nextInt(6)) {
                case 0 -> arguments.addNull();
                case 1 -> arguments.add(random.nextBoolean());
                case 2 -> arguments.add(random.nextDouble());
                case 3 ->
                    arguments.add(random.ints(random.nextInt(12))
                            .map(n -> n >> (n & 31))
                            .toArray());
                default -> arguments.add(random.nextLong() >> random.nextInt(64));
            }
        }
        return arguments;
    }
}
