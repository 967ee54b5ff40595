package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A procedure may change the arrays it is given: the log has the caller's arguments. */
final class ChangedArgumentsTest {
    @TempDir
    Path directory;

    /** Changes its arguments in several ways, and writes what it made of them. */
    public static final class Scribble extends Procedure {
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Returns what it added. */
        public long run(long id, int[] numbers, long[] others, String[] names) {
            Arrays.sort(numbers);
            numbers[0] *= 10;
            others[0]++;
            names[0] = names[0] + "!";
            long sum = numbers[0] + others[0] + names[0].length();
            add.set(0, sum).set(1, id).update();
            return sum;
        }
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldReplayWhatWasPassedWhenTheProcedureChangesItsArrays(LoggingMethod method) {
        int[] numbers = {3, 2};
        try (Reprise engine = open(method)) {
            engine.call("OpenAccount", 1L, 0L, "a");

            assertThat(engine.call("Scribble", 1L, numbers, new long[] {5}, new String[] {"x"})
                            .longValue())
                    .isEqualTo(20 + 6 + 2);
        }

        assertThat(numbers).containsExactly(3, 2);
        try (Reprise again = open(method)) {
            assertThat(again.call("Balance", 1L).longValue()).isEqualTo(28);
        }
    }

    /** Moves a text that it is given, in a method of its own. */
    public static final class Strip extends Procedure {
        private final Statement rename = sql("UPDATE account SET owner = ? WHERE id = ?");

        /** Returns how many bytes remain. */
        public long run(long id, Text name, Text other) {
            cut(name, 1).wrap(name.segment(), name.offset() + 1, name.length() - 1);
            rename.set(0, name).set(1, id).update();
            return (long) name.length() + (other == null ? 0 : other.length());
        }

        private static Text cut(Text text, int count) {
            return text.wrap(text.segment(), text.offset() + count, text.length() - count);
        }
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldReplayWhatWasPassedWhenTheProcedureMovesItsText(LoggingMethod method) {
        Text name = Text.of("abcdef");
        try (Reprise engine = open(method)) {
            engine.call("OpenAccount", 1L, 0L, "a");

            assertThat(engine.call("Strip", 1L, name, null).longValue()).isEqualTo(4);
            assertThat(engine.call("Strip", 1L, "abcdef", name).longValue()).isEqualTo(10);
        }

        assertThat(name.toString()).isEqualTo("abcdef");
        try (Reprise again = open(method)) {
            var rows = again.sql("SELECT owner FROM account").rows();
            assertThat(rows.next()).isTrue();
            assertThat(rows.stringAt(0)).isEqualTo("cdef");
        }
    }

    private Reprise open(LoggingMethod method) {
        return Options.create()
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL + "CREATE PROCEDURE PARTITION ON TABLE account COLUMN id FROM CLASS "
                        + Scribble.class.getName()
                        + ";CREATE PROCEDURE PARTITION ON TABLE account COLUMN id FROM CLASS "
                        + Strip.class.getName() + ";")
                .directory(directory)
                .durability(Durability.standard().with(method))
                .open();
    }
}
