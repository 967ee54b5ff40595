package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DefaultOfIntegersTest {
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, 1_000_000_000_000_000_000L, -5})
    void shouldBeInsertedWhateverItsDigits(long value) {
        try (TestDatabase database =
                new TestDatabase("CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, n BIGINT DEFAULT " + value + ")")) {
            database.run("INSERT INTO t (id) VALUES (1)");
            database.run("INSERT INTO t VALUES (2, DEFAULT)");
            database.run("INSERT INTO t (id) SELECT id + 2 FROM t");

            assertThat(database.value("SELECT COUNT(*) FROM t WHERE n = " + value))
                    .isEqualTo(4L);
        }
    }
}
