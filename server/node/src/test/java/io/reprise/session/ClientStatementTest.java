package io.reprise.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClientStatementTest {
    @ParameterizedTest
    @CsvSource({
        "ALTER TABLE t OWNER TO ann, SESSION",
        "ALTER TABLE rename OWNER TO ann, SESSION",
        "ALTER TABLE ONLY s.rename OWNER TO ann, SESSION",
        "ALTER TABLE IF EXISTS rename OWNER TO ann, SESSION",
        "ALTER SEQUENCE s OWNER TO ann, SESSION",
        "ALTER TABLE t RENAME owner TO holder, DDL",
        "ALTER TABLE t RENAME COLUMN owner TO holder, DDL",
        "ALTER TABLE s.t RENAME COLUMN owner TO holder, DDL",
        "ALTER TABLE owner RENAME TO holder, DDL",
        "PREPARE TRANSACTION 'x', SESSION",
        "PREPARE one AS SELECT 1, PREPARE",
        "TRUNCATE TABLE t, WRITE",
        "TRUNCATE t, TRUNCATE",
        "(SELECT 1), QUERY",
        "VACUUM, SESSION",
        "MAKE t, SESSION"
    })
    void shouldTellTheRoleOfAStatement(String text, ClientStatement.Kind kind) {
        assertThat(ClientStatement.split(text).getFirst().kind()).isEqualTo(kind);
    }
}
