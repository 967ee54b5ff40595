package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Text;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowBuffer;
import java.math.BigDecimal;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StatementApiTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, i INTEGER, t TINYINT, d DECIMAL(6,2), x DOUBLE, b BOOLEAN,
              s VARCHAR(40), bin VARBINARY(4), dt DATE);
            """);
    private final CompiledStatement insert =
            database.statement("INSERT INTO t (id, i, t, d, x, b, s, bin, dt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    private final CompiledStatement select = database.statement("SELECT * FROM t WHERE id = ?");

    @AfterEach
    void close() {
        database.close();
    }

    private static void assertError(ErrorCode code, String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }

    private void insertOne() {
        insert.set(0, 1)
                .set(1, 2)
                .set(2, 3)
                .set(3, new BigDecimal("4.56"))
                .set(4, 7.5)
                .set(5, true)
                .set(6, "häß");
        insert.set(7, new byte[] {1, 2}).set(8, 19000);
        assertThat(insert.update()).isEqualTo(1);
    }

    @Test
    void shouldReadEveryTypeWithoutConversion() {
        insertOne();

        assertThat(select.set(0, 1).first()).isTrue();

        Rows rows = select.rows();
        assertThat(rows.longAt(0)).isEqualTo(1);
        assertThat(rows.intAt(1)).isEqualTo(2);
        assertThat(rows.longAt(3)).isEqualTo(4);
        assertThat(rows.unscaledAt(3)).isEqualTo(456);
        assertThat(rows.decimalAt(3)).isEqualTo(new BigDecimal("4.56"));
        assertThat(rows.doubleAt(3)).isEqualTo(4.56);
        assertThat(rows.doubleAt(4)).isEqualTo(7.5);
        assertThat(rows.doubleAt(1)).isEqualTo(2.0);
        assertThat(rows.booleanAt(5)).isTrue();
        assertThat(rows.stringAt(6)).isEqualTo("häß");
        assertThat(rows.textAt(6).toString()).isEqualTo("häß");
        assertThat(rows.textAt(6)).isSameAs(rows.textAt(6)).isNotSameAs(rows.textAt(7));
        assertThat(rows.bytesAt(7)).containsExactly(1, 2);
        assertThat(rows.longAt(8)).isEqualTo(19000);
        assertThat(rows.columnName(6)).isEqualTo("S");
        assertThat(rows.next()).isFalse();
    }

    @Test
    void shouldReadALongDecimalAsANumberOnly() {
        CompiledStatement numbers = database.statement("SELECT CAST(i AS NUMERIC(30,2)) * -1, s FROM t");
        insertOne();
        Rows rows = numbers.query();
        assertThat(rows.next()).isTrue();
        HeapRows copy = new HeapRows();
        copy.start(((RowBuffer) rows).shape());
        copy.add(rows);
        copy.next();

        for (Rows each : new Rows[] {rows, copy}) {
            assertThat(each.decimalAt(0)).isEqualTo(new BigDecimal("-2.00"));
            assertThat(each.textAt(1).toString()).isEqualTo("häß");
            assertError(ErrorCode.INVALID_VALUE, "not a VARCHAR or VARBINARY", () -> each.bytesAt(0));
            assertError(ErrorCode.INVALID_VALUE, "not a VARCHAR or VARBINARY", () -> each.textAt(0));
        }
    }

    @Test
    void shouldRefuseReadsThatMakeNoSense() {
        insertOne();
        insert.set(0, 2).setNull(1).update();
        Rows rows = select.set(0, 1).query();

        assertError(ErrorCode.INVALID_VALUE, "next()", () -> rows.longAt(0));
        rows.next();
        assertError(ErrorCode.INVALID_VALUE, "no column 9", () -> rows.longAt(9));
        assertError(ErrorCode.INVALID_VALUE, "no column -1", () -> rows.longAt(-1));
        assertError(ErrorCode.INVALID_VALUE, "column S is VARCHAR(40)", () -> rows.longAt(6));
        assertError(ErrorCode.INVALID_VALUE, "column X", () -> rows.longAt(4));
        assertError(ErrorCode.INVALID_VALUE, "column I", () -> rows.stringAt(1));
        rows.next();
        assertError(ErrorCode.INVALID_VALUE, "next()", () -> rows.longAt(0));
        select.set(0, 2).first();
        assertError(
                ErrorCode.INVALID_VALUE, "column I is NULL", () -> select.rows().longAt(1));
        assertThat(select.rows().isNull(1)).isTrue();
    }

    @Test
    void shouldRefuseParametersOutsideTheirType() {
        assertError(ErrorCode.NUMERIC_OVERFLOW, "parameter 2 of", () -> insert.set(1, 1L << 31));
        assertError(ErrorCode.NUMERIC_OVERFLOW, "parameter 3 of", () -> insert.set(2, 128));
        assertError(ErrorCode.NUMERIC_OVERFLOW, "parameter 4 of", () -> insert.set(3, 10_000));
        assertError(ErrorCode.NUMERIC_OVERFLOW, "parameter 4 of", () -> insert.setUnscaled(3, 1_000_000));
        assertError(ErrorCode.NUMERIC_OVERFLOW, "parameter 4 of", () -> insert.set(3, new BigDecimal("12345")));
        assertError(ErrorCode.INVALID_VALUE, "parameter 5 of", () -> insert.set(4, Double.NaN));
        assertError(ErrorCode.INVALID_VALUE, "parameter 7 of", () -> insert.set(6, 5));
        assertError(ErrorCode.INVALID_VALUE, "parameter 2 of", () -> insert.set(1, "five"));
        assertError(ErrorCode.INVALID_VALUE, "no parameter with the index 9", () -> insert.set(9, 5));
        assertError(ErrorCode.INVALID_VALUE, "no parameter with the index 9", () -> insert.setNull(9));
        assertError(ErrorCode.INVALID_VALUE, "no parameter with the index -1", () -> insert.set(-1, 5));
    }

    @Test
    void shouldRefuseToRunWithUnsetParameters() {
        assertError(ErrorCode.INVALID_VALUE, "parameter 1 of 1 is not set", () -> select.query());
        select.set(0, 1).query();
        database.begin();
        assertError(ErrorCode.INVALID_VALUE, "parameter 1 of 1 is not set", () -> select.query());
        select.set(0, 1).query();
        select.reset();
        assertError(ErrorCode.INVALID_VALUE, "parameter 1 of 1 is not set", () -> select.first());
        insert.set(0, 1).set(1, 2);
        assertError(ErrorCode.INVALID_VALUE, "parameter 3 of 9 is not set", () -> insert.update());
        assertError(ErrorCode.INVALID_REQUEST, "query()", () -> select.set(0, 1).update());
    }

    @Test
    void shouldRefuseToGiveRowsThatNoQueryOfThisTransactionFound() {
        insertOne();
        CompiledStatement failing = database.statement("SELECT 1 / (id - ?) FROM t ORDER BY id");
        assertError(ErrorCode.INVALID_REQUEST, "rows() before a query has succeeded", () -> select.rows());
        select.set(0, 1).query();
        assertThat(select.rows().count()).isEqualTo(1);
        failing.set(0, 2).query();
        assertThat(failing.rows().count()).isEqualTo(1);
        assertError(ErrorCode.DIVISION_BY_ZERO, "", () -> failing.set(0, 1).query());
        assertError(ErrorCode.INVALID_REQUEST, "rows() before a query has succeeded", () -> failing.rows());

        database.begin();

        assertError(ErrorCode.INVALID_REQUEST, "rows() before a query has succeeded", () -> select.rows());
        select.set(0, 1).queue();
        assertError(ErrorCode.INVALID_REQUEST, "rows() before a query has succeeded", () -> select.rows());
        select.first();
        assertThat(select.rows().stringAt(6)).isEqualTo("häß");
    }

    @Test
    void shouldKeepParametersWithinATransaction() {
        insertOne();
        insert.set(0, 2).update();
        insert.set(0, 3).setUnscaled(3, 999).set(4, 2L).update();

        select.set(0, 3).first();
        assertThat(select.rows().stringAt(6)).isEqualTo("häß");
        assertThat(select.rows().unscaledAt(3)).isEqualTo(999);
        assertThat(select.rows().doubleAt(4)).isEqualTo(2.0);
    }

    @Test
    void shouldPassTextsFromAResultToAParameter() {
        insertOne();
        select.set(0, 1).first();
        Text text = select.rows().textAt(6);

        insert.set(0, 5).set(6, text).update();
        insert.set(0, 6).set(6, Text.of("elsewhere")).update();

        assertThat(database.value("SELECT s FROM t WHERE id = 5")).isEqualTo("häß");
        assertThat(database.value("SELECT s FROM t WHERE id = 6")).isEqualTo("elsewhere");
    }

    @Test
    void shouldExportResultsThatOutliveTheTransaction() {
        insertOne();
        insert.set(0, 2).set(6, "x".repeat(40)).setNull(7).update();
        CompiledStatement all = database.statement("SELECT id, s, bin FROM t ORDER BY id");
        all.execute();
        HeapRows copy = new HeapRows();
        copy.copyOf(select.found());

        copy.copyOf(all.found());
        database.run("UPDATE t SET s = 'changed'");
        database.begin();
        insert.set(0, 9).set(6, "overwrites scratch").setNull(1).setNull(2);

        assertThat(TestDatabase.rows(copy).toString()).isEqualTo("[[1, häß, 0102], [2, " + "x".repeat(40) + ", null]]");
    }

    @Test
    void shouldMergeFragmentsOfOtherPartitions() {
        try (TestDatabase other = new TestDatabase("""
                CREATE TABLE p (id BIGINT NOT NULL PRIMARY KEY, g VARCHAR(10), v INTEGER);
                PARTITION TABLE p ON COLUMN id;
                """);
                TestDatabase here = new TestDatabase("""
                CREATE TABLE p (id BIGINT NOT NULL PRIMARY KEY, g VARCHAR(10), v INTEGER);
                PARTITION TABLE p ON COLUMN id;
                """)) {
            String sql = "SELECT g, SUM(v), COUNT(*) FROM p GROUP BY g ORDER BY g";
            here.run("INSERT INTO p VALUES (?, ?, ?)", 1, "red", 10);
            here.run("INSERT INTO p VALUES (?, ?, ?)", 2, "blue", 5);
            other.run("INSERT INTO p VALUES (?, ?, ?)", 3, "red", 7);
            CompiledStatement mine = here.statement(sql);
            CompiledStatement theirs = other.statement(sql);
            mine.execute();
            theirs.execute();

            mine.merge(java.util.List.of(mine.found(), theirs.found()));

            assertThat(TestDatabase.rows(mine.found()).toString()).isEqualTo("[[blue, 5, 1], [red, 17, 2]]");
        }
    }
}
