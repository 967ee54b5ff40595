package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.Rows;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.storage.ProcedureLimitErrors;
import org.junit.jupiter.api.Test;

class ResultTest {
    private static FilledTable twoRows() {
        FilledTable table = new FilledTable(new WorkMemory(ProcedureLimitErrors.INSTANCE), "ID");
        table.clear();
        table.add(1).endRow().add(2).endRow();
        return table;
    }

    @Test
    void shouldCopyRowsWhenSomebodyReadsThem() {
        Result result = new Execution().outcome().result();

        result.table(twoRows());

        assertThat(result.kind()).isEqualTo(Result.Kind.ROWS);
        assertThat(result.rows().count()).isEqualTo(2);
    }

    @Test
    void shouldKeepWhatItTookWhenTheTableIsFilledAgain() {
        FilledTable table = new FilledTable(new WorkMemory(ProcedureLimitErrors.INSTANCE), "ID", "NAME");
        Result first = new Execution().outcome().result();
        Result second = new Execution().outcome().result();
        table.clear();
        table.add(1).add("one").endRow().addNull().add("and more").endRow();
        first.table(table);
        table.clear();
        table.addNull().add(2).endRow();
        second.table(table);

        assertThat(text(first.rows(), "ls")).isEqualTo("1 one; NULL and more; ");
        assertThat(text(second.rows(), "ll")).isEqualTo("NULL 2; ");
    }

    @Test
    void shouldFillWhatItGotInExchangeWhenThatHeldOtherRows() {
        FilledTable wide = new FilledTable(new WorkMemory(ProcedureLimitErrors.INSTANCE), "A", "B", "C");
        FilledTable narrow = new FilledTable(new WorkMemory(ProcedureLimitErrors.INSTANCE), "A");
        Result result = new Execution().outcome().result();
        for (int round = 0; round < 3; round++) {
            wide.clear();
            for (int i = 0; i < 100; i++) {
                wide.add(i).addNull().add("text " + i).endRow();
            }
            result.table(wide);
            narrow.clear();
            narrow.add(round).endRow().addNull().endRow();
            result.table(narrow);

            assertThat(text(result.rows(), "l")).isEqualTo(round + "; NULL; ");
        }
        wide.clear();
        wide.add(15).add("x").addNull().endRow();

        result.table(wide);

        assertThat(text(result.rows(), "lsl")).isEqualTo("15 x NULL; ");
    }

    /** The rows' values; of a column of type l a number is read, of one of type s a string. */
    private static String text(Rows rows, String types) {
        StringBuilder text = new StringBuilder();
        while (rows.next()) {
            for (int i = 0; i < types.length(); i++) {
                text.append(i == 0 ? "" : " ").append(value(rows, i, types.charAt(i)));
            }
            text.append("; ");
        }
        return text.toString();
    }

    private static Object value(Rows rows, int column, char type) {
        if (rows.isNull(column)) {
            return "NULL";
        }
        return type == 'l' ? (Object) rows.longAt(column) : rows.stringAt(column);
    }

    @Test
    void shouldHaveNothingWhenNobodyReadsTheRows() {
        Result result = new Execution().withoutResult().outcome().result();

        result.table(twoRows());

        assertThat(result.kind()).isEqualTo(Result.Kind.NOTHING);
        assertThat(result.rows()).isNull();
    }
}
