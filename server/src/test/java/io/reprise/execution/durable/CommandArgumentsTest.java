package io.reprise.execution.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.deploy.Arguments;
import io.reprise.log.command.CommandReader;
import io.reprise.log.command.CommandWriter;
import io.reprise.procedure.Text;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.Objects;
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
}
