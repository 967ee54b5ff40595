package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.SqlType;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.physical.PlanField;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers of other partitions are handed out as they were kept, to the statements that asked for them. */
final class AnswersTest {
    private static final RowShape SHAPE = RowShape.of(List.of(
            new PlanField("n", SqlType.of(SqlType.Kind.BIGINT), true),
            new PlanField("d", SqlType.of(SqlType.Kind.DOUBLE), true),
            new PlanField("s", new SqlType(SqlType.Kind.VARCHAR, 100, 0), true)));

    private final Answers kept = new Answers();
    private final Answers replayed = new Answers();
    private Memory memory;

    @BeforeEach
    void open() {
        memory = Memory.reserve(4L * Memory.HUGE_PAGE);
    }

    @AfterEach
    void close() {
        memory.close();
    }

    private void replay() {
        memory.copyIn(kept.segment(), 0, Memory.PAGE, kept.length());
        replayed.replay(memory, Memory.PAGE, kept.length());
    }

    private static HeapRows rows(long n) {
        HeapRows rows = new HeapRows();
        rows.start(SHAPE);
        int at = rows.append();
        rows.words[at] = 0;
        rows.words[at + 1] = n;
        rows.words[at + 2] = Double.doubleToRawLongBits(0.5);
        rows.words[at + 3] = rows.keep("grüezi".getBytes(StandardCharsets.UTF_8));
        at = rows.append();
        rows.words[at] = 0b101;
        rows.words[at + 1] = 0;
        rows.words[at + 2] = Double.doubleToRawLongBits(Double.NaN);
        rows.words[at + 3] = 0;
        return rows;
    }

    private void keepTwo() {
        kept.keep();
        assertThat(kept.execute()).isFalse();
        assertThat(kept.execute()).isFalse();
        kept.goesElsewhere();
        kept.keep(3, 77, rows(-5));
        assertThat(kept.execute()).isFalse();
        kept.goesElsewhere();
        kept.keep(1, -1, 12);
        assertThat(kept.areWhole()).isTrue();
    }

    @Test
    void shouldHandOutAnswersAtTheirExecutions() {
        keepTwo();

        replay();

        assertThat(replayed.execute()).isFalse();
        assertThat(replayed.execute()).isTrue();
        HeapRows rows = replayed.rows(3, 77, SHAPE, new HeapRows());
        assertThat(rows.next()).isTrue();
        assertThat(rows.longAt(0)).isEqualTo(-5);
        assertThat(rows.doubleAt(1)).isEqualTo(0.5);
        assertThat(rows.textAt(2)).hasToString("grüezi");
        assertThat(rows.next()).isTrue();
        assertThat(rows.isNull(0)).isTrue();
        assertThat(rows.doubleAt(1)).isNaN();
        assertThat(rows.isNull(2)).isTrue();
        assertThat(rows.next()).isFalse();
        assertThat(replayed.execute()).isTrue();
        assertThat(replayed.changed(1, -1)).isEqualTo(12);
        assertThat(replayed.execute()).isFalse();
        replayed.requireAllTaken();
    }

    @Test
    void shouldNoticeThatAnotherStatementAsks() {
        keepTwo();
        replay();
        replayed.execute();
        replayed.execute();

        assertThatThrownBy(() -> replayed.rows(2, 77, SHAPE, new HeapRows())).hasMessageContaining("statement 4");
    }

    @Test
    void shouldNoticeOtherParameters() {
        keepTwo();
        replay();
        replayed.execute();
        replayed.execute();

        assertThatThrownBy(() -> replayed.rows(3, 78, SHAPE, new HeapRows())).hasMessageContaining("other parameters");
    }

    @Test
    void shouldNoticeThatAnAnswerIsLeft() {
        keepTwo();
        replay();

        assertThatThrownBy(replayed::requireAllTaken).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNoticeCutBytesOfRows() {
        keepTwo();
        memory.copyIn(kept.segment(), 0, Memory.PAGE, kept.length());

        for (int length = 1; length < kept.length() - 8; length++) {
            replayed.replay(memory, Memory.PAGE, length);
            assertThat(replayed.execute()).isFalse();
            assertThat(replayed.execute()).isTrue();
            assertThatThrownBy(() -> {
                        replayed.rows(3, 77, SHAPE, new HeapRows());
                        replayed.execute();
                        replayed.changed(1, -1);
                    })
                    .as("cut to " + length)
                    .isInstanceOf(RuntimeException.class);
        }
    }

    @Test
    void shouldNotBeWholeWhenAStatementFailedElsewhere() {
        kept.keep();
        kept.execute();
        kept.goesElsewhere();
        assertThat(kept.areWhole()).isFalse();

        kept.execute();
        kept.goesElsewhere();
        kept.keep(1, 2, 3);

        assertThat(kept.areWhole()).isFalse();
        kept.keep();
        assertThat(kept.areWhole()).isTrue();
    }
}
