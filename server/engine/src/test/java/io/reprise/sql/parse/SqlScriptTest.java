package io.reprise.sql.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Position;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SqlScriptTest {
    @Test
    void shouldCutAtSemicolonsOutsideOfStringsNamesAndComments() {
        String script = """
                ;; -- nothing; here
                SELECT ';' || '''; --' /* ; */ FROM "a;""b" -- ;
                  WHERE x = 1 ;
                /* first; */ CREATE TABLE t (a INT)
                ;
                EXPLAIN SELECT 1; DELETE FROM t""";

        assertThat(SqlScript.split(script))
                .containsExactly(
                        new ScriptStatement(
                                "SELECT ';' || '''; --' /* ; */ FROM \"a;\"\"b\" -- ;\n  WHERE x = 1",
                                new Position(2, 1),
                                StatementKind.QUERY),
                        new ScriptStatement("CREATE TABLE t (a INT)", new Position(4, 14), StatementKind.DDL),
                        new ScriptStatement("EXPLAIN SELECT 1", new Position(6, 1), StatementKind.EXPLAIN),
                        new ScriptStatement("DELETE FROM t", new Position(6, 19), StatementKind.DML));
    }

    @Test
    void shouldFindNothingInAnEmptyScript() {
        assertThat(SqlScript.split("")).isEmpty();
        assertThat(SqlScript.split(" -- only a comment")).isEmpty();
        assertThat(SqlScript.split("\uFEFF;\n/**/;")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "create table t, DDL",
        "Drop index i, DDL",
        "ALTER TABLE t, DDL",
        "PARTITION TABLE t, DDL",
        "select 1, QUERY",
        "VALUES 1, QUERY",
        "with a as, QUERY",
        "(SELECT 1), QUERY",
        "insert into, DML",
        "UPSERT INTO, DML",
        "UPDATE t, DML",
        "delete from, DML",
        "MERGE INTO, DML",
        "TRUNCATE TABLE, DML",
        "/* x */ explain plan, EXPLAIN"
    })
    void shouldTellWhatAStatementIs(String statement, StatementKind kind) {
        assertThat(SqlScript.kind(statement)).isEqualTo(kind);
    }
}
