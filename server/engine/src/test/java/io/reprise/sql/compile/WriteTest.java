package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.runtime.CompiledStatement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WriteTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE account (id BIGINT NOT NULL, owner VARCHAR(10) NOT NULL, note VARCHAR(100), small TINYINT,
              amount DECIMAL(6,2) DEFAULT 1.50, bin VARBINARY(3), PRIMARY KEY (id), UNIQUE (owner));
            CREATE INDEX account_small ON account (small);
            CREATE TABLE part (id BIGINT NOT NULL PRIMARY KEY, v INTEGER);
            PARTITION TABLE part ON COLUMN id;
            CREATE TABLE copy (id BIGINT NOT NULL, note VARCHAR(100));
            CREATE TABLE line (a INTEGER NOT NULL, b INTEGER NOT NULL, v INTEGER, PRIMARY KEY (a, b));
            """);

    @AfterEach
    void close() {
        database.store.commit();
        database.store.verify();
        database.close();
    }

    private long update(String sql, Object... parameters) {
        return (long) database.run(sql, parameters).getFirst().getFirst();
    }

    private void assertRefused(ErrorCode code, String message, String sql, Object... parameters) {
        long hash = database.store.contentHash();
        assertThatThrownBy(() -> update(sql, parameters))
                .isInstanceOfSatisfying(
                        ProcedureException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
                .hasMessageContaining(message);
        assertThat(database.store.contentHash()).as("nothing is left of " + sql).isEqualTo(hash);
    }

    private void insertThree() {
        assertThat(update("INSERT INTO account (id, owner, small) VALUES (1, 'ann', 10)"))
                .isEqualTo(1);
        assertThat(update("INSERT INTO account (id, owner, note) VALUES (?, ?, ?)", 2, "bob", "x".repeat(100)))
                .isEqualTo(1);
        assertThat(update("INSERT INTO account VALUES (3, 'cid', NULL, -5, NULL, X'0102')"))
                .isEqualTo(1);
    }

    @Test
    void shouldInsertWithDefaultsAndNulls() {
        insertThree();

        assertThat(database.run("SELECT id, owner, note, small, amount, bin FROM account ORDER BY id")
                        .toString())
                .isEqualTo("[[1, ann, null, 10, 1.50, null], [2, bob, " + "x".repeat(100)
                        + ", null, 1.50, null], [3, cid, null, -5, null, 0102]]");
    }

    @Test
    void shouldUpdateToDefaults() {
        insertThree();

        assertThat(update(
                        "UPDATE account SET amount = DEFAULT, small = DEFAULT, note = ? WHERE id = 3 OR small = ?",
                        "a",
                        10))
                .isEqualTo(2);

        assertThat(database.run("SELECT id, note, small, amount FROM account ORDER BY id")
                        .toString())
                .isEqualTo("[[1, a, null, 1.50], [2, " + "x".repeat(100) + ", null, 1.50], [3, a, null, 1.50]]");
        assertThatThrownBy(() -> update("UPDATE account SET owner = DEFAULT"))
                .hasMessage("column OWNER of table ACCOUNT has no DEFAULT and cannot be NULL: expected a value"
                        + " at line 1, column 28");
        assertThatThrownBy(() -> update("UPDATE account SET small = CASE WHEN small = DEFAULT THEN 1 END"))
                .hasMessageStartingWith("syntax error: unexpected \"= DEFAULT\": expected an expression")
                .hasMessageEndingWith("at line 1, column 44");
        assertThatThrownBy(() -> update("UPDATE account SET small = 1 WHERE amount = DEFAULT"))
                .hasMessageStartingWith("syntax error: unexpected \"= DEFAULT\": expected an expression");
    }

    @Test
    void shouldUpdateToDefaultsOfAllTypes() {
        String columns = """
                bool BOOLEAN DEFAULT TRUE, t TINYINT DEFAULT -128, b BIGINT DEFAULT -9223372036854775808, d DOUBLE DEFAULT 1.5e300,
                e DECIMAL(18,9) DEFAULT -1.123456789, s VARCHAR(10) DEFAULT 'it''s ü', x VARBINARY(4) DEFAULT x'00ff',
                ts TIMESTAMP DEFAULT '1969-12-31 23:59:59.999999', dt DATE DEFAULT '1950-02-03',
                "NOW" TIMESTAMP DEFAULT CURRENT_TIMESTAMP""";
        try (TestDatabase typed =
                new TestDatabase("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, " + columns + ");")) {
            typed.run("INSERT INTO t (id) VALUES (1)");
            typed.run("INSERT INTO t VALUES (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)");

            typed.run("UPDATE t SET bool = DEFAULT, t = DEFAULT, b = DEFAULT, d = DEFAULT, e = DEFAULT, s = DEFAULT,"
                    + " x = DEFAULT, ts = DEFAULT, dt = DEFAULT, now = DEFAULT WHERE id = 2");

            List<List<Object>> rows = typed.run("SELECT bool, t, b, d, e, s, x, ts, dt, \"NOW\" FROM t ORDER BY id");
            assertThat(rows.get(1)).isEqualTo(rows.get(0)).doesNotContainNull();
        }
    }

    @Test
    void shouldRefuseValuesThatDoNotFitTheirColumn() {
        insertThree();

        assertRefused(
                ErrorCode.CONSTRAINT_VIOLATION,
                "ACCOUNT.OWNER",
                "INSERT INTO account (id, owner) VALUES (4, ?)",
                new Object[] {null});
        assertRefused(ErrorCode.CONSTRAINT_VIOLATION, "ACCOUNT", "INSERT INTO account (id, owner) VALUES (1, 'new')");
        assertRefused(ErrorCode.CONSTRAINT_VIOLATION, "ACCOUNT", "INSERT INTO account (id, owner) VALUES (9, 'ann')");
        assertRefused(
                ErrorCode.VALUE_TOO_LONG, "ACCOUNT.OWNER", "INSERT INTO account (id, owner) VALUES (4, 'abcdefghijk')");
        assertRefused(
                ErrorCode.VALUE_TOO_LONG,
                "ACCOUNT.OWNER",
                "INSERT INTO account (id, owner) VALUES (4, ?)",
                "ä".repeat(11));
        assertRefused(ErrorCode.VALUE_TOO_LONG, "ACCOUNT.BIN", "UPDATE account SET bin = X'01020304' WHERE id = 1");
        assertRefused(
                ErrorCode.NUMERIC_OVERFLOW, "ACCOUNT.SMALL", "UPDATE account SET small = small * 100 WHERE id = 1");
        assertRefused(ErrorCode.NUMERIC_OVERFLOW, "ACCOUNT.SMALL", "UPDATE account SET small = 128");
        assertRefused(ErrorCode.NUMERIC_OVERFLOW, "ACCOUNT.AMOUNT", "UPDATE account SET amount = amount + 9999");
        assertRefused(ErrorCode.CONSTRAINT_VIOLATION, "ACCOUNT.OWNER", "UPDATE account SET owner = note WHERE id = 3");
        assertRefused(ErrorCode.CONSTRAINT_VIOLATION, "ACCOUNT", "UPDATE account SET owner = 'ann' WHERE id = 2");
        assertThat(update("INSERT INTO account (id, owner) VALUES (4, ?)", "ä".repeat(10)))
                .isEqualTo(1);
    }

    @Test
    void shouldLeaveNothingOfAStatementThatFailsHalfway() {
        insertThree();

        assertRefused(ErrorCode.DIVISION_BY_ZERO, "zero", "UPDATE account SET amount = 10 / (id - 3)");
        assertRefused(
                ErrorCode.CONSTRAINT_VIOLATION,
                "ACCOUNT",
                "INSERT INTO account (id, owner) SELECT id + 10, 'same' FROM account");
        assertRefused(ErrorCode.CONSTRAINT_VIOLATION, "ACCOUNT", "UPDATE account SET owner = 'all'");
        assertRefused(
                ErrorCode.CONSTRAINT_VIOLATION,
                "ACCOUNT",
                "INSERT INTO account (id, owner) VALUES (7, 'seven'), (8, 'eight'), (7, 'again')");
    }

    @Test
    void shouldNotMeetItsOwnWrites() {
        insertThree();

        assertThat(update("INSERT INTO account (id, owner) SELECT id + 100, owner || '2' FROM account"))
                .isEqualTo(3);
        assertThat(update("UPDATE account SET small = small + 1 WHERE small >= -5"))
                .isEqualTo(2);
        assertThat(database.run("SELECT small FROM account WHERE small IS NOT NULL ORDER BY 1")
                        .toString())
                .isEqualTo("[[-4], [11]]");
    }

    @Test
    void shouldUseDefaultWhereItIsWritten() {
        assertThat(
                        update(
                                "INSERT INTO account VALUES (1, 'ann', DEFAULT, DEFAULT, DEFAULT, X'01'), (2, 'b', 'x', 3, 4, DEFAULT)"))
                .isEqualTo(2);

        assertThat(database.run("SELECT * FROM account ORDER BY id").toString())
                .isEqualTo("[[1, ann, null, null, 1.50, 01], [2, b, x, 3, 4.00, null]]");
        assertThatThrownBy(() -> update("INSERT INTO account (id, owner) VALUES (3, DEFAULT)"))
                .hasMessage("column OWNER of table ACCOUNT has no DEFAULT and cannot be NULL: expected a value"
                        + " at line 1, column 44");
    }

    @Test
    void shouldExchangeValuesOfOneRow() {
        update("INSERT INTO account (id, owner, note) VALUES (1, 'left', 'right')");

        assertThat(update("UPDATE account SET owner = note, note = owner WHERE id = 1"))
                .isEqualTo(1);
        assertThat(database.run("SELECT owner, note FROM account").toString()).isEqualTo("[[right, left]]");
        assertThat(update("UPDATE account SET owner = note, note = owner")).isEqualTo(1);
        assertThat(database.run("SELECT owner, note FROM account").toString()).isEqualTo("[[left, right]]");
    }

    @Test
    void shouldShiftUniqueKeysOfAllRows() {
        update("INSERT INTO line VALUES (1, 1, 10), (1, 2, 20), (1, 3, 30)");

        assertThat(update("UPDATE line SET b = b + 1")).isEqualTo(3);
        assertThat(update("UPDATE line SET b = 5 - b WHERE a = 1 AND b BETWEEN 2 AND 3"))
                .isEqualTo(2);
        assertThat(database.run("SELECT b, v FROM line ORDER BY b").toString())
                .isEqualTo("[[2, 20], [3, 10], [4, 30]]");
        assertRefused(ErrorCode.CONSTRAINT_VIOLATION, "LINE", "UPDATE line SET b = 9");
        assertThat(update("UPDATE line SET a = 7 WHERE a = 1 AND b = 3")).isEqualTo(1);
        assertThat(database.value("SELECT v FROM line WHERE a = 7 AND b = 3")).isEqualTo(10L);
    }

    @Test
    void shouldUpdateOrInsert() {
        insertThree();

        assertThat(update("UPSERT INTO account (id, owner, note) VALUES (?, ?, ?)", 1, "anna", "changed"))
                .isEqualTo(1);
        assertThat(update("UPSERT INTO account (id, owner, note) VALUES (?, ?, ?)", 5, "eve", null))
                .isEqualTo(1);

        assertThat(database.run("SELECT id, owner, note FROM account WHERE id IN (1, 5) ORDER BY id")
                        .toString())
                .isEqualTo("[[1, anna, changed], [5, eve, null]]");
    }

    @Test
    void shouldKeepColumnsThatUpsertDoesNotName() {
        insertThree();
        update("UPDATE account SET note = ?, amount = 7.25, bin = X'09' WHERE id = 1", "n".repeat(60));

        assertThat(update("UPSERT INTO account (owner, id) VALUES ('anna', 1), ('dan', 4)"))
                .isEqualTo(2);
        assertThat(update(
                        "UPSERT INTO account (id, owner, small) SELECT id, owner || '!', 3 FROM account WHERE id < 3"))
                .isEqualTo(2);
        assertThat(update("UPSERT INTO account (small, id, owner) VALUES (DEFAULT, 2, 'b')"))
                .isEqualTo(1);

        assertThat(database.run("SELECT id, owner, note, small, amount, bin FROM account ORDER BY id")
                        .toString())
                .isEqualTo("[[1, anna!, " + "n".repeat(60) + ", 3, 7.25, 09], [2, b, " + "x".repeat(100)
                        + ", null, 1.50, null], [3, cid, null, -5, null, 0102], [4, dan, null, null, 1.50, null]]");
    }

    @Test
    void shouldChangeNothingWhenUpsertNamesOnlyTheKey() {
        update("INSERT INTO line VALUES (1, 1, 10)");

        assertThat(update("UPSERT INTO line (a, b) VALUES (1, 1), (1, 2)")).isEqualTo(2);
        assertThat(database.run("SELECT * FROM line ORDER BY b").toString()).isEqualTo("[[1, 1, 10], [1, 2, null]]");
        assertThat(update("UPSERT INTO line VALUES (1, 1, 11)")).isEqualTo(1);
        assertThat(database.run("SELECT * FROM line ORDER BY b").toString()).isEqualTo("[[1, 1, 11], [1, 2, null]]");
    }

    @Test
    void shouldRefuseUpsertThatCouldNotInsert() {
        assertThatThrownBy(() -> update("UPSERT INTO account (id, note) VALUES (1, 'x')"))
                .hasMessageContaining("OWNER")
                .hasMessageContaining("line 1, column 13");
    }

    @Test
    void shouldCutOffOnlyWhereCastIsWritten() {
        String tooLong = "abcdefghijklmno";
        insertThree();

        assertThat(update("INSERT INTO account (id, owner) VALUES (4, CAST(? AS VARCHAR(10)))", tooLong))
                .isEqualTo(1);
        assertThat(update("INSERT INTO account (id, owner, bin) SELECT id + 4, CAST(owner || '" + tooLong
                        + "' AS VARCHAR(10)), CAST(X'01020304' AS VARBINARY(3)) FROM account WHERE id = 1"))
                .isEqualTo(1);
        update("INSERT INTO copy VALUES (1, 'pqrstuvwxyz')");
        assertThat(update("UPDATE account SET owner = (SELECT CAST(note AS VARCHAR(10)) || '' FROM copy) WHERE id = 2"))
                .isEqualTo(1);
        assertThat(update("UPDATE account SET owner = CAST('xyz" + tooLong + "' AS VARCHAR(10)) WHERE id = 3"))
                .isEqualTo(1);
        assertThat(update("UPSERT INTO account (id, owner) VALUES (1, CAST('123456789012' AS CHAR(10)))"))
                .isEqualTo(1);

        assertThat(database.run("SELECT id, owner, bin FROM account ORDER BY id")
                        .toString())
                .isEqualTo("[[1, 1234567890, null], [2, pqrstuvwxy, null], [3, xyzabcdefg, 0102],"
                        + " [4, abcdefghij, null], [5, annabcdefg, 010203]]");
        assertRefused(
                ErrorCode.VALUE_TOO_LONG,
                "ACCOUNT.OWNER",
                "UPDATE account SET owner = CAST('" + tooLong + "' AS VARCHAR(11)) WHERE id = 1");
        assertRefused(ErrorCode.VALUE_TOO_LONG, "ACCOUNT.OWNER", "UPDATE account SET owner = (SELECT note FROM copy)");
    }

    @Test
    void shouldDeleteAndTruncate() {
        insertThree();

        assertThat(update("DELETE FROM account WHERE id = ?", 2)).isEqualTo(1);
        assertThat(update("DELETE FROM account WHERE id = ?", 2)).isEqualTo(0);
        assertThat(update("DELETE FROM account WHERE small < 0")).isEqualTo(1);
        insertMore(50);
        assertThat(update("DELETE FROM account WHERE MOD(id, 2) = 0")).isEqualTo(25);
        assertThat(update("TRUNCATE TABLE account")).isEqualTo(26);
        assertThat(database.value("SELECT COUNT(*) FROM account")).isEqualTo(0L);
    }

    private void insertMore(int count) {
        for (int i = 0; i < count; i++) {
            update("INSERT INTO account (id, owner) VALUES (?, ?)", 1000 + i, "o" + i);
        }
    }

    @Test
    void shouldCopyBetweenTables() {
        insertThree();

        assertThat(update("INSERT INTO copy SELECT rid, note FROM (SELECT a AS rid, 'x' AS note FROM line) AS q"))
                .isEqualTo(0);
        update("INSERT INTO line VALUES (1, 1, NULL), (2, 1, 5)");
        assertThat(update("INSERT INTO copy SELECT a, CAST(v AS VARCHAR(9)) FROM line"))
                .isEqualTo(2);
        assertThat(database.run("SELECT * FROM copy ORDER BY id").toString()).isEqualTo("[[1, null], [2, 5]]");
    }

    @Test
    void shouldKeepResultsWhenRowsChangeAfterwards() {
        insertThree();
        CompiledStatement select = database.statement("SELECT owner, note FROM account WHERE id = ?");
        TestDatabase.set(select, 0, 1L);
        assertThat(select.first()).isTrue();

        update("UPDATE account SET owner = 'zoe', note = 'later' WHERE id = 1");

        assertThat(select.rows().stringAt(0)).isEqualTo("ann");
        assertThat(select.rows().isNull(1)).isTrue();
    }

    @Test
    void shouldRefuseARowOutsideTheTransactionsBucket() {
        update("INSERT INTO part VALUES (?, 10)", 1);
        update("INSERT INTO part VALUES (?, 20)", 2);
        int bucket = io.reprise.id.Buckets.DEFAULT.of(1);
        database.store.scope().confineTo(bucket);

        assertThat(update("UPDATE part SET v = 1 WHERE id = ?", 1)).isEqualTo(1);
        assertRefused(ErrorCode.SCOPE_VIOLATION, "bucket", "UPDATE part SET v = 1 WHERE id = ?", 2);
        assertRefused(ErrorCode.SCOPE_VIOLATION, "bucket", "INSERT INTO part VALUES (?, 5)", 77);
        assertThat(database.statement("SELECT v FROM part WHERE id = 1").bucket())
                .isEqualTo(bucket);
    }

    @Test
    void shouldRunQueuedStatementsInOrder() {
        insertThree();
        CompiledStatement select = database.statement("SELECT owner FROM account WHERE id = ?");
        CompiledStatement change = database.statement("UPDATE account SET owner = ? WHERE id = ?");

        var before = select.set(0, 1).queue();
        var changed = change.set(0, "amy").set(1, 1).queue();
        var after = select.set(0, 1).queue();

        assertThat(TestDatabase.rows((io.reprise.sql.compile.runtime.RowBuffer) before))
                .isEqualTo(List.of(List.of("ann")));
        assertThat(changed.next()).isTrue();
        assertThat(changed.longAt(0)).isEqualTo(1);
        assertThat(TestDatabase.rows((io.reprise.sql.compile.runtime.RowBuffer) after))
                .isEqualTo(List.of(List.of("amy")));
    }

    /** Only the bytes of the narrower type were written: a negative one became positive, and of what had been there a part remained. */
    @Test
    void shouldWriteAllBytesOfAnIntegerThatComesOfANarrowerOne() {
        try (TestDatabase widths = new TestDatabase("""
                CREATE TABLE narrow (id INTEGER NOT NULL PRIMARY KEY, t TINYINT, s SMALLINT, i INTEGER);
                CREATE TABLE wide (id BIGINT NOT NULL PRIMARY KEY, s SMALLINT, i INTEGER, b BIGINT NOT NULL, c BIGINT);
                """)) {
            widths.run("INSERT INTO narrow VALUES (1, -1, -2, -3), (2, 5, NULL, 7), (-4, 5, 6, 7)");

            widths.run("INSERT INTO wide SELECT id, t, s, i, i FROM narrow");
            assertThat(widths.run("SELECT * FROM wide ORDER BY id").toString())
                    .isEqualTo("[[-4, 5, 6, 7, 7], [1, -1, -2, -3, -3], [2, 5, null, 7, 7]]");

            widths.run("UPDATE wide SET s = -300, i = -70000, b = -5000000000, c = 5000000000");
            widths.run("UPDATE wide SET s = (SELECT t FROM narrow WHERE id = 1), i = s, b = s, c = i WHERE id = 1");
            assertThat(widths.run("SELECT * FROM wide WHERE id = 1").toString())
                    .isEqualTo("[[1, -1, -300, -300, -70000]]");

            widths.run("UPDATE wide SET i = s, b = s, c = i WHERE id > 1 OR id < 0");
            assertThat(widths.run("SELECT * FROM wide WHERE id <> 1 ORDER BY id")
                            .toString())
                    .isEqualTo("[[-4, -300, -300, -300, -70000], [2, -300, -300, -300, -70000]]");
            widths.run("UPSERT INTO wide SELECT id, t, t, t, t FROM narrow WHERE id = 1");
            assertThat(widths.run("SELECT * FROM wide WHERE id = 1").toString()).isEqualTo("[[1, -1, -1, -1, -1]]");
            widths.store.commit();
            widths.store.verify();
            widths.begin();
        }
    }
}
