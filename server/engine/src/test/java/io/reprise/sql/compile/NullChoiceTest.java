package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NullChoiceTest {
    @Test
    void shouldBeNullWhenEveryBranchIs() {
        try (TestDatabase database = new TestDatabase("CREATE TABLE t (n INTEGER)")) {
            assertThat(database.run("SELECT NULLIF(NULL, 1), COALESCE(NULL, NULL), CASE WHEN 1 = 2 THEN NULL END, 7")
                            .toString())
                    .isEqualTo("[[null, null, null, 7]]");
        }
    }
}
