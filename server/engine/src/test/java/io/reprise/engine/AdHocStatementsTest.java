package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.work.StatementWork;
import io.reprise.execution.work.WorkFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AdHocStatementsTest {
    private static final int LONG = 1 << 20;
    private static final int KEPT = (int) (AdHocStatements.MOST_CHARACTERS / LONG);

    private final AdHocStatements statements = new AdHocStatements(1000);

    private static String text(int number) {
        String begin = "SELECT " + number + " -- ";
        return begin + "x".repeat(LONG - begin.length());
    }

    private static StatementWork work() {
        return WorkFactory.adHoc(Schema.empty().catalog(), "SELECT 1");
    }

    private List<StatementWork> add(int count) {
        List<StatementWork> works = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            works.add(work());
            statements.add(text(i), works.get(i));
        }
        return works;
    }

    @Test
    void shouldKeepFewWhenTheirTextsAreLong() {
        List<StatementWork> works = add(100);

        assertThat(statements.size()).isEqualTo(KEPT);
        assertThat(statements.find(text(99))).isSameAs(works.get(99));
        assertThat(statements.find(text(100 - KEPT))).isSameAs(works.get(100 - KEPT));
        assertThat(statements.find(text(99 - KEPT))).isNull();
    }

    @Test
    void shouldDropTheLeastRecentlyUsedFirst() {
        List<StatementWork> works = add(KEPT);

        statements.find(text(0));
        statements.add(text(KEPT), work());

        assertThat(statements.find(text(0))).isSameAs(works.get(0));
        assertThat(statements.find(text(1))).isNull();
    }

    @Test
    void shouldRetireThoseThatWereDroppedToo() {
        List<StatementWork> works = add(100);

        statements.retireAll();

        assertThat(works).allMatch(StatementWork::retired);
        assertThat(statements.size()).isZero();
        add(KEPT);
        assertThat(statements.size()).as("as many as before").isEqualTo(KEPT);
    }

    @Test
    void shouldNotKeepOneThatIsLongerThanAllMayBe() {
        StatementWork work = work();

        statements.add("x".repeat((int) AdHocStatements.MOST_CHARACTERS + 1), work);
        statements.retireAll();

        assertThat(statements.size()).isZero();
        assertThat(work.retired()).isTrue();
    }
}
