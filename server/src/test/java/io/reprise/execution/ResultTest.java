package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResultTest {
    private static FilledTable twoRows() {
        FilledTable table = new FilledTable("ID");
        table.clear();
        table.add(1).endRow().add(2).endRow();
        return table;
    }

    @Test
    void shouldCopyRowsWhenSomebodyReadsThem() {
        Result result = new Invocation().result();

        result.table(twoRows());

        assertThat(result.kind()).isEqualTo(Result.Kind.ROWS);
        assertThat(result.rows().count()).isEqualTo(2);
    }

    @Test
    void shouldHaveNothingWhenNobodyReadsTheRows() {
        Result result = new Invocation().withoutResult().result();

        result.table(twoRows());

        assertThat(result.kind()).isEqualTo(Result.Kind.NOTHING);
        assertThat(result.rows()).isNull();
    }
}
