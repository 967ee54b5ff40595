package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
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
        int bucket = io.reprise.id.Buckets.of(1);
        database.store.confineTo(bucket);

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
}
