package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The result of a query stays for the rest of the transaction, even if its rows were written and then undone. */
final class ResultsAfterRollbackTest {
    private static final String DDL = """
            CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, s VARCHAR(200), short VARCHAR(12));
            CREATE PROCEDURE FROM CLASS io.reprise.engine.ResultsAfterRollbackTest$Undo;
            """;

    private Reprise engine;

    /** Writes, reads, undoes, writes again, and only then looks at what it has read. */
    public static final class Undo extends Procedure {
        private final Statement insert = sql("INSERT INTO note VALUES (?, ?, ?)");
        private final Statement insertTwo = sql("INSERT INTO note VALUES (?, ?, 'twice'), (?, ?, 'twice')");
        private final Statement update = sql("UPDATE note SET s = ?, short = ? WHERE id = ?");
        private final Statement select = sql("SELECT s, short FROM note WHERE id = ?");

        /** Returns what it has read. */
        public Rows run(long id, String how) {
            if (how.contains("later")) {
                update.set(0, text('z')).set(1, "zz").set(2, id).update();
            }
            int savepoint = savepoint();
            if (how.contains("insert")) {
                insert.set(0, -id).set(1, text('a')).set(2, "aa").update();
                select.set(0, -id);
            } else {
                update.set(0, text('a')).set(1, "aa").set(2, id).update();
                select.set(0, id);
            }
            Rows found = select.query();
            rollbackTo(savepoint);
            if (how.contains("fails")) {
                try {
                    insertTwo
                            .set(0, -id)
                            .set(1, text('x'))
                            .set(2, id)
                            .set(3, text('x'))
                            .update();
                } catch (ProcedureException expected) {
                    // There is a row with this id.
                }
            }
            if (how.contains("again")) {
                int another = savepoint();
                insert.set(0, -id).set(1, text('w')).set(2, "ww").update();
                rollbackTo(another);
                rollbackTo(savepoint);
            }
            update.set(0, text('b')).set(1, "bb").set(2, id).update();
            insert.set(0, -id).set(1, text('c')).set(2, "cc").update();
            if (how.contains("parameter")) {
                found.next();
                Text text = found.textAt(0);
                Text inline = found.textAt(1);
                update.set(0, text).set(1, inline).set(2, -id).update();
                found.rewind();
            }
            return found;
        }

        private static String text(char c) {
            return String.valueOf(c).repeat(100);
        }
    }

    @BeforeEach
    void open() {
        engine = Options.create()
                .partitions(1)
                .memoryPerPartition(64 << 20)
                .ddl(DDL)
                .open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update",
                "insert",
                "update later",
                "insert later",
                "update parameter",
                "insert parameter",
                "insert later parameter again",
                "update later parameter again",
                "insert fails parameter",
                "update later fails parameter again"
            })
    void shouldStayAsTheyWereFoundWhenTheirStringsAreUndone(String how) {
        engine.sql("INSERT INTO note VALUES (7, 'seven', 'seven')");

        Rows found = engine.call("Undo", 7, how).rows();

        assertThat(found.next()).isTrue();
        assertThat(found.stringAt(0)).isEqualTo("a".repeat(100));
        assertThat(found.stringAt(1)).isEqualTo("aa");
        assertThat(notes(7)).isEqualTo("b".repeat(100) + " bb");
        assertThat(notes(-7)).isEqualTo(how.contains("parameter") ? "a".repeat(100) + " aa" : "c".repeat(100) + " cc");
    }

    private String notes(long id) {
        Rows rows = engine.sql("SELECT s, short FROM note WHERE id = ?", id).rows();
        assertThat(rows.next()).isTrue();
        return rows.stringAt(0) + " " + rows.stringAt(1);
    }
}
