package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.access.Rights;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.runtime.time.SystemClock;
import io.reprise.session.Answer;
import io.reprise.session.Bound;
import io.reprise.session.ClientStatement;
import io.reprise.session.SessionException;
import io.reprise.session.SqlSession;
import io.reprise.sql.compile.runtime.RowBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sessions whose transactions overlap, compared with a serial model. A commit must succeed exactly if the transaction, run again on the
 * model at that moment, gives each answer that the client was told.
 */
final class SessionOracleTest {
    private static final int SESSIONS = 4;
    private static final int KEYS = 8;
    private static final int STEPS = 1500;
    private static final long SEED = Long.getLong("reprise.seed", 20_261_127);
    private static final String CONFLICT = "40001";

    @TempDir
    Path directory;

    private final TreeMap<Long, Long> model = new TreeMap<>();
    private int commits;
    private int conflicts;

    /** A step of a transaction, in SQL and on the model. */
    private record Step(String sql, Effect effect) {}

    /** The effect of a step on a model; gives the answer. */
    private interface Effect {
        String on(TreeMap<Long, Long> rows, List<TreeMap<Long, Long>> savepoints);
    }

    /** A client with its transaction so far. */
    private static final class Client {
        private final SqlSession session;
        private final List<Step> steps = new ArrayList<>();
        private final List<String> answers = new ArrayList<>();
        private boolean open;
        private int savepoints;
        private boolean failed;

        Client(SqlSession session) {
            this.session = session;
        }

        String run(String sql) {
            try {
                Bound bound =
                        session.bind(session.prepare(ClientStatement.split(sql).getFirst()));
                if (!session.isGrouped(bound.prepared())) {
                    return text(session.run(bound));
                }
                session.runGroup(List.of(bound), true);
                return text(bound.answer());
            } catch (SessionException failure) {
                session.failed();
                return failure.state();
            }
        }

        private static String text(Answer answer) {
            if (!answer.returnsRows()) {
                return answer.tag();
            }
            if (answer.count() == 0) {
                return "none";
            }
            answer.rows().go(0);
            RowBuffer rows = answer.rows().buffer();
            return rows.isNull(0) ? "NULL" : rows.longAt(0) + "";
        }
    }

    @Test
    void shouldCommitExactlyWhenAllAnswersStillHold() {
        Options options = Options.create()
                .partitions(3)
                .directory(directory)
                .ddl("CREATE TABLE account (id BIGINT NOT NULL, balance BIGINT NOT NULL, PRIMARY KEY (id));"
                        + " PARTITION TABLE account ON COLUMN id;");
        try (Reprise engine = options.open()) {
            run(engine);
            assertThat(content(engine)).isEqualTo(model);
        }
        assertThat(commits).as("commits with seed %d", SEED).isGreaterThan(50);
        assertThat(conflicts).as("conflicts with seed %d", SEED).isGreaterThan(20);

        try (Reprise engine =
                Options.create().partitions(2).directory(directory).open()) {
            assertThat(content(engine)).as("recovered, seed %d", SEED).isEqualTo(model);
        }
    }

    private static TreeMap<Long, Long> content(Reprise engine) {
        TreeMap<Long, Long> rows = new TreeMap<>();
        var found = engine.sql("SELECT id, balance FROM account").rows();
        while (found.next()) {
            rows.put(found.longAt(0), found.longAt(1));
        }
        return rows;
    }

    private void run(Reprise engine) {
        EngineSessions sessions =
                new EngineSessions(1 << 20, Runnable::run, Runnable::run, SystemClock.INSTANCE, "test", false);
        sessions.open(engine);
        Random random = new Random(SEED);
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            clients.add(new Client(new SqlSession(sessions, () -> Rights.ALL, "ann", "bank", i, SEED, () -> false)));
        }
        for (int step = 0; step < STEPS; step++) {
            step(clients.get(random.nextInt(SESSIONS)), random);
        }
    }

    private void step(Client client, Random random) {
        if (!client.open) {
            if (random.nextInt(4) == 0) {
                Step alone = statement(random);
                assertThat(client.run(alone.sql)).as(alone.sql).isEqualTo(alone.effect.on(model, new ArrayList<>()));
                return;
            }
            client.run("BEGIN");
            client.open = true;
            client.failed = false;
            client.savepoints = 0;
            client.steps.clear();
            client.answers.clear();
            return;
        }
        int kind = random.nextInt(10);
        if (kind == 0 || client.failed && client.savepoints == 0) {
            assertThat(client.run("ROLLBACK")).isEqualTo("ROLLBACK");
            client.open = false;
        } else if (client.failed || kind == 1 && client.savepoints > 0) {
            returnToSavepoint(client, random.nextInt(client.savepoints));
        } else if (kind == 2) {
            int number = client.savepoints++;
            client.run("SAVEPOINT s" + number);
            add(
                    client,
                    new Step("", (rows, savepoints) -> {
                        savepoints.add(new TreeMap<>(rows));
                        return "";
                    }),
                    "");
        } else if (kind <= 4) {
            commit(client);
        } else {
            preview(client, statement(random));
        }
    }

    private static void add(Client client, Step step, String answer) {
        client.steps.add(step);
        client.answers.add(answer);
    }

    private static void returnToSavepoint(Client client, int number) {
        assertThat(client.run("ROLLBACK TO SAVEPOINT s" + number)).isEqualTo("ROLLBACK");
        client.failed = false;
        client.savepoints = number + 1;
        add(
                client,
                new Step("", (rows, savepoints) -> {
                    rows.clear();
                    rows.putAll(savepoints.get(number));
                    savepoints.subList(number + 1, savepoints.size()).clear();
                    return "";
                }),
                "");
    }

    /** A statement sees the committed rows of the moment and its transaction's own writes; a changed answer may be told early. */
    private void preview(Client client, Step step) {
        TreeMap<Long, Long> rows = new TreeMap<>(model);
        boolean holds = replay(client, rows);
        String answer = client.run(step.sql);
        if (answer.equals(CONFLICT)) {
            assertThat(holds)
                    .as("an early conflict at %s, seed %d", step.sql, SEED)
                    .isFalse();
            assertThat(client.run("ROLLBACK")).isEqualTo("ROLLBACK");
            client.open = false;
            conflicts++;
            return;
        }
        if (holds) {
            assertThat(answer).as("%s, seed %d", step.sql, SEED).isEqualTo(step.effect.on(rows, new ArrayList<>()));
        }
        client.failed = answer.equals("23505");
        add(client, step, answer);
    }

    private void commit(Client client) {
        TreeMap<Long, Long> rows = new TreeMap<>(model);
        boolean holds = replay(client, rows);
        String answer = client.run("COMMIT");
        client.open = false;
        boolean single = client.steps.size() == 1 && client.steps.getFirst().sql.startsWith("SELECT");
        assertThat(answer)
                .as(
                        "commit of %s, seed %d",
                        client.steps.stream().map(Step::sql).toList(), SEED)
                .isEqualTo(holds || single ? "COMMIT" : CONFLICT);
        if (answer.equals(CONFLICT)) {
            conflicts++;
        } else {
            commits++;
            model.clear();
            model.putAll(rows);
        }
    }

    /** Runs a transaction on a model; false if an answer differs from that which the client was told. */
    private static boolean replay(Client client, TreeMap<Long, Long> rows) {
        List<TreeMap<Long, Long>> savepoints = new ArrayList<>();
        boolean holds = true;
        for (int i = 0; i < client.steps.size(); i++) {
            holds &= client.steps.get(i).effect.on(rows, savepoints).equals(client.answers.get(i));
        }
        return holds;
    }

    private static Step statement(Random random) {
        long key = random.nextInt(KEYS);
        long value = random.nextInt(3);
        return switch (random.nextInt(7)) {
            case 0 ->
                new Step(
                        "SELECT balance FROM account WHERE id = " + key,
                        (rows, savepoints) ->
                                rows.containsKey(key) ? rows.get(key).toString() : "none");
            case 1 ->
                new Step(
                        "SELECT SUM(balance) FROM account",
                        (rows, savepoints) -> rows.isEmpty()
                                ? "NULL"
                                : rows.values().stream()
                                                .mapToLong(Long::longValue)
                                                .sum() + "");
            case 2 ->
                new Step(
                        "SELECT id FROM account WHERE balance = " + value + " ORDER BY id",
                        (rows, savepoints) -> rows.entrySet().stream()
                                .filter(row -> row.getValue() == value)
                                .map(row -> row.getKey().toString())
                                .findFirst()
                                .orElse("none"));
            case 3 ->
                new Step(
                        "UPDATE account SET balance = balance + 1 WHERE id = " + key,
                        (rows, savepoints) ->
                                "UPDATE " + (rows.computeIfPresent(key, (k, before) -> before + 1) == null ? 0 : 1));
            case 4 ->
                new Step(
                        "INSERT INTO account VALUES (" + key + ", " + value + ")",
                        (rows, savepoints) -> rows.putIfAbsent(key, value) == null ? "INSERT 0 1" : "23505");
            case 5 ->
                new Step(
                        "DELETE FROM account WHERE id = " + key,
                        (rows, savepoints) -> "DELETE " + (rows.remove(key) == null ? 0 : 1));
            default ->
                new Step("UPDATE account SET balance = " + value, (rows, savepoints) -> {
                    rows.replaceAll((k, before) -> value);
                    return "UPDATE " + rows.size();
                });
        };
    }
}
