package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DoubleLiteralTest {
    private final TestDatabase database =
            new TestDatabase("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, x DOUBLE); CREATE INDEX t_x ON t (x);");

    @AfterEach
    void close() {
        database.close();
    }

    private static String literal(double value) {
        String text = Double.toString(value);
        return text.contains("E") ? text : text + "E0";
    }

    @Test
    void shouldBeTheDoubleThatIsWritten() {
        Random random = new Random(7);
        for (int i = 0; i < 100; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertThat(database.value("SELECT " + literal(value)))
                        .as(literal(value))
                        .isEqualTo(value);
            }
        }
        assertThat(database.value("SELECT " + Double.MAX_VALUE)).isEqualTo(Double.MAX_VALUE);
    }

    @Test
    void shouldFindTheRowWhoseValueIsWritten() {
        double value = 1.1234567890123457;
        database.run("INSERT INTO t VALUES (1, ?)", value);

        assertThat(database.run("SELECT id FROM t WHERE x = " + literal(value))).isEqualTo(List.of(List.of(1L)));
    }
}
