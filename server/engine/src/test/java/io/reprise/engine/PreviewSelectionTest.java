package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.work.TapeAnswer;
import io.reprise.execution.work.TapeEntry;
import io.reprise.sql.compile.runtime.RowBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Previews leave out earlier statements that have no effect on the answers they are asked for. Random tapes over tables that foreign keys
 * tie give the same answers as runs of all their statements.
 */
final class PreviewSelectionTest {
    private static final long SEED = Long.getLong("reprise.seed", 20_261_128);
    private static final int TAPES = 150;
    private static final int MOST_STEPS = 14;
    private static final int KEYS = 4;
    private static final long KEY_OF_HASHES = 7;

    private static final String SCHEMA = """
            CREATE TABLE parent (id BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL);
            PARTITION TABLE parent ON COLUMN id;
            CREATE TABLE child (parent BIGINT NOT NULL, id BIGINT NOT NULL, v BIGINT NOT NULL, PRIMARY KEY (parent, id),
                FOREIGN KEY (parent) REFERENCES parent (id) ON DELETE CASCADE);
            PARTITION TABLE child ON COLUMN parent;
            CREATE TABLE grandchild (parent BIGINT NOT NULL, child BIGINT NOT NULL, n BIGINT NOT NULL,
                PRIMARY KEY (parent, child, n),
                FOREIGN KEY (parent, child) REFERENCES child (parent, id) ON DELETE CASCADE);
            PARTITION TABLE grandchild ON COLUMN parent;
            CREATE TABLE rate (name BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL);
            CREATE VIEW wealth AS SELECT p.id AS id, p.v + r.v AS v FROM parent p, rate r WHERE r.name = p.v;
            """;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private int leftOut;
    private int failures;

    @Test
    void shouldAnswerAsIfAllStatementsHadRun() {
        try (Reprise engine = Options.create().partitions(3).ddl(SCHEMA).open()) {
            for (int tape = 0; tape < TAPES; tape++) {
                compare(engine);
            }
        }

        assertThat(leftOut).as("statements left out, seed %d", SEED).isGreaterThan(TAPES);
        assertThat(failures).as("statements that failed, seed %d", SEED).isGreaterThan(TAPES / 10);
    }

    /** Previews each statement behind the answers of those before it, and commits some tapes. */
    private void compare(Reprise engine) {
        List<TapeStep> told = new ArrayList<>();
        List<TapeStep> untold = new ArrayList<>();
        int savepoints = 0;
        for (int i = 1 + random.nextInt(MOST_STEPS); i > 0; i--) {
            if (random.nextInt(8) == 0) {
                boolean back = savepoints > 0 && random.nextBoolean();
                TapeStep step =
                        back ? TapeStep.rollbackTo(random.nextInt(savepoints)) : TapeStep.savepoint(savepoints++);
                told.add(step);
                untold.add(step);
                continue;
            }
            TapeStep next = statement();
            TapeReply all = preview(engine, untold, next);
            TapeReply selected = preview(engine, told, next);
            TapeAnswer answer = answer(all.entries().getLast());
            assertThat(answer(selected.entries().getLast()))
                    .as(
                            "seed %d: %s behind %s",
                            SEED, next.sql(), told.stream().map(TapeStep::sql).toList())
                    .isEqualTo(answer);
            leftOut += notRun(selected);
            if (answer.error() != null) {
                failures++;
                continue;
            }
            told.add(next.told(answer));
            untold.add(next);
        }
        if (random.nextInt(3) == 0 && !told.isEmpty()) {
            TapeReply committed = engine.tape(told, false, 0, KEY_OF_HASHES, RunLimits.NONE);
            assertThat(committed.message()).as("seed %d", SEED).isNull();
        }
    }

    private static int notRun(TapeReply preview) {
        return (int) preview.entries().stream().filter(entry -> !entry.ran()).count();
    }

    private static TapeReply preview(Reprise engine, List<TapeStep> before, TapeStep next) {
        List<TapeStep> steps = new ArrayList<>(before);
        steps.add(next);
        return engine.tape(steps, true, 0, KEY_OF_HASHES, RunLimits.NONE);
    }

    private static TapeAnswer answer(TapeEntry entry) {
        assertThat(entry.ran()).as("seed %d", SEED).isTrue();
        if (entry.error() != null) {
            return TapeAnswer.failed(entry.error());
        }
        RowBuffer rows = entry.rows();
        return rows == null ? TapeAnswer.counted(entry.count()) : TapeAnswer.of(rows, KEY_OF_HASHES);
    }

    private TapeStep statement() {
        long one = random.nextInt(KEYS);
        long two = random.nextInt(KEYS);
        return switch (random.nextInt(18)) {
            case 0, 1 -> TapeStep.statement("INSERT INTO parent VALUES (?, ?)", one, two);
            case 2, 3 -> TapeStep.statement("INSERT INTO child VALUES (?, ?, ?)", one, two, one);
            case 4 -> TapeStep.statement("INSERT INTO grandchild VALUES (?, ?, 1)", one, two);
            case 5 -> TapeStep.statement("DELETE FROM parent WHERE id = ?", one);
            case 6 -> TapeStep.statement("DELETE FROM child WHERE parent = ? AND id = ?", one, two);
            case 7 -> TapeStep.statement("UPDATE parent SET v = v + 1 WHERE id = ?", one);
            case 8 -> TapeStep.statement("UPDATE child SET v = (SELECT MAX(v) FROM rate) WHERE parent = ?", one);
            case 9 -> TapeStep.statement("UPSERT INTO rate VALUES (?, ?)", one, two);
            case 10 -> TapeStep.statement("INSERT INTO rate SELECT name + 4, v FROM rate WHERE name = ?", one);
            case 11 -> TapeStep.statement("DELETE FROM rate WHERE name > 3");
            case 12 ->
                TapeStep.statement("SELECT SUM(v), COUNT(*) FROM grandchild g, child c WHERE g.parent = c.parent"
                        + " AND g.child = c.id");
            case 13 -> TapeStep.statement("SELECT v FROM parent WHERE id = ?", one);
            case 14 -> TapeStep.statement("SELECT id, v FROM child WHERE parent = ?", one);
            case 15 -> TapeStep.statement("SELECT SUM(v) FROM wealth");
            case 16 -> TapeStep.statement("SELECT v FROM rate WHERE name = ?", one);
            default ->
                TapeStep.statement(
                        "SELECT COUNT(*) FROM parent WHERE id IN (SELECT parent FROM child WHERE v < ?)", one + 2);
        };
    }
}
