package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.ReplicaStatus;
import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.engine.replication.SchemaCall;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of the schema of a cluster whose nodes are real engines. */
final class SchemaOverNodesTest {
    private static final long MOST_STEPS = 3_000_000;
    private static final int ACCOUNTS = 12;
    private static final int PARTITIONS = 4;
    private static final String ADD_OWNER = """
            ALTER TABLE account ADD COLUMN owner VARCHAR(20) DEFAULT 'nobody';
            CREATE PROCEDURE Owner PARTITION ON TABLE account COLUMN id PARAMETER 0 AS
                SELECT COUNT(*) FROM account WHERE id = ? AND owner = 'nobody';
            CREATE PROCEDURE Owned AS SELECT COUNT(*) FROM account WHERE owner = 'nobody';
            """;

    private final Simulation simulation = new Simulation(21);
    private final List<ClusterMachine> nodes = new ArrayList<>();
    private int kSafety;
    private int partitions;

    private void start(int k) {
        start(2, PARTITIONS, k);
    }

    private void start(int count, int partitions, int k) {
        this.partitions = partitions;
        kSafety = k;
        SimulatedLinks network = new SimulatedLinks(simulation);
        SimulatedMembership service = new SimulatedMembership(simulation, 2_000_000_000L);
        ClusterMachine.Shape shape = new ClusterMachine.Shape(
                count, partitions, kSafety, true, LoggingMethod.COMMAND, Duration.ofMillis(300));
        for (int i = 0; i < count; i++) {
            nodes.add(new ClusterMachine(simulation, network, service, shape, i, 0));
        }
        nodes.forEach(ClusterMachine::start);
        reach(this::isServed);
        for (int account = 0; account < ACCOUNTS; account++) {
            call("OpenAccount", account).orThrow();
        }
    }

    private boolean isServed() {
        return ClusterMachine.isServed(nodes);
    }

    private boolean isInSync() {
        return isServed()
                && replicas().stream()
                                .filter(each -> each.role().equals("FOLLOWER"))
                                .count()
                        == kSafety * partitions;
    }

    private List<ReplicaStatus> replicas() {
        return nodes.stream()
                .filter(ClusterMachine::isUp)
                .flatMap(node -> node.replicas().stream())
                .toList();
    }

    @AfterEach
    void end() {
        nodes.forEach(ClusterMachine::abandon);
        nodes.clear();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldChangeTheSchemaAtAllNodes(int k) {
        start(k);

        assertThat(change(0, ADD_OWNER).end()).isEqualTo(SchemaCall.End.MADE);

        requireOwners();
        call("Transfer", 0, 1, 7).orThrow();
        assertThat(number(call("Balance", 1))).isEqualTo(7);
        assertThat(change(1, "DROP PROCEDURE Owner; ALTER TABLE account DROP COLUMN memo CASCADE")
                        .end())
                .isIn(SchemaCall.End.MADE, SchemaCall.End.REFUSED);
        assertThat(number(call("Owned"))).isEqualTo(ACCOUNTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldKeepAChangeOverARestartOfAllNodes(int k) {
        start(k);
        change(1, ADD_OWNER);
        change(0, "CREATE TABLE extra (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE extra ON COLUMN id");
        change(
                1,
                "CREATE PROCEDURE Extra PARTITION ON TABLE extra COLUMN id PARAMETER 0 AS INSERT INTO extra VALUES (?)");
        for (int id = 0; id < ACCOUNTS; id++) {
            call("Extra", id).orThrow();
        }

        nodes.forEach(node -> node.kill(true));
        nodes.forEach(ClusterMachine::start);
        reach(this::isServed);

        requireOwners();
        assertThat(number(sql("SELECT COUNT(*) FROM extra"))).isEqualTo(ACCOUNTS);
        assertThat(change(0, "CREATE PROCEDURE Extras AS SELECT COUNT(*) FROM extra")
                        .end())
                .isEqualTo(SchemaCall.End.MADE);
        assertThat(number(call("Extras"))).isEqualTo(ACCOUNTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldDivideTheRowsOfAReplicatedTableAmongAllNodes(int k) {
        start(k);
        change(
                0,
                "CREATE TABLE tariff (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(60)); CREATE INDEX by_name ON tariff (name)");
        List<String> rows = new ArrayList<>();
        for (int id = 0; id < 5 * ACCOUNTS; id++) {
            rows.add("(" + id + ", '" + "r".repeat(id) + "')");
        }
        sql("INSERT INTO tariff VALUES " + String.join(", ", rows)).orThrow();

        assertThat(change(1, "PARTITION TABLE tariff ON COLUMN id").end()).isEqualTo(SchemaCall.End.MADE);

        requireRates(5 * ACCOUNTS);
        sql("DELETE FROM tariff WHERE id < 10").orThrow();
        sql("INSERT INTO tariff VALUES (3, 'again')").orThrow();
        requireRates(5 * ACCOUNTS - 9);
        if (k > 0) {
            reach(this::isInSync);
            nodes.get(1).kill(false);
            reach(this::isServed);
            requireRates(5 * ACCOUNTS - 9);
            nodes.get(1).start();
            reach(this::isInSync);
        }
        nodes.forEach(node -> node.kill(true));
        nodes.forEach(ClusterMachine::start);
        reach(this::isServed);
        requireRates(5 * ACCOUNTS - 9);
        assertThat(number(sql("SELECT COUNT(*) FROM tariff WHERE name = 'rrrrrrrrrrrrrrrrrrrr'")))
                .isEqualTo(1);
    }

    private void requireRates(int count) {
        assertThat(number(sql("SELECT COUNT(*) FROM tariff"))).isEqualTo(count);
        assertThat(number(sql("SELECT SUM(1) FROM tariff WHERE id = 15"))).isEqualTo(1);
    }

    @Test
    void shouldCheckTheRowsOfAllNodesWhenAConstraintIsAdded() {
        start(0);

        for (int account = 0; account < ACCOUNTS; account++) {
            SchemaCall.Ended refused = change(0, "ALTER TABLE account ADD CONSTRAINT c CHECK (id <> " + account + ")");
            assertThat(refused.end()).as("account " + account).isEqualTo(SchemaCall.End.REFUSED);
            assertThat(refused.code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
        }
        change(0, "CREATE TABLE parent (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE parent ON COLUMN id");
        sql("INSERT INTO parent SELECT id FROM account WHERE id < " + (ACCOUNTS - 1))
                .orThrow();
        String key = "ALTER TABLE account ADD CONSTRAINT k FOREIGN KEY (id) REFERENCES parent";
        assertThat(change(1, key).end()).isEqualTo(SchemaCall.End.REFUSED);
        sql("INSERT INTO parent VALUES (" + (ACCOUNTS - 1) + ")").orThrow();
        assertThat(change(1, key).end()).isEqualTo(SchemaCall.End.MADE);
        assertThat(change(0, "ALTER TABLE account ADD CONSTRAINT c CHECK (id < 1000)")
                        .end())
                .isEqualTo(SchemaCall.End.MADE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldChangeNothingAnywhereWhenRowsOfOnePartitionRefuse(int k) {
        start(k);
        call("Note", 5, "twice").orThrow();
        call("Note", 5, "twice").orThrow();

        SchemaCall.Ended refused =
                change(0, "CREATE UNIQUE INDEX once ON note (account, text); CREATE TABLE more (id BIGINT)");

        assertThat(refused.end()).isEqualTo(SchemaCall.End.REFUSED);
        assertThat(refused.code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
        nodes.forEach(node -> assertThat(node.engine().catalog().table("MORE")).isEmpty());
        call("Note", 6, "on").orThrow();
        assertThat(change(1, ADD_OWNER).end()).isEqualTo(SchemaCall.End.MADE);
    }

    @Test
    void shouldBringTheSchemaToANodeThatWasDown() {
        start(1);
        reach(this::isInSync);
        nodes.get(1).kill(false);
        reach(this::isServed);

        change(0, ADD_OWNER);
        call("Deposit", 3, 0).orThrow();
        nodes.get(1).start();
        reach(this::isInSync);
        nodes.get(0).kill(false);
        reach(this::isServed);

        requireOwners();
    }

    @Test
    void shouldBringTheSchemaToANodeWhoseDiskWasReplaced() {
        start(1);
        reach(this::isInSync);
        change(1, ADD_OWNER);
        nodes.get(1).kill(true);
        nodes.get(1).wipe();
        reach(this::isServed);
        change(0, "CREATE PROCEDURE Owners AS SELECT COUNT(*) FROM account WHERE owner = 'nobody'");

        nodes.get(1).start();
        reach(this::isInSync);
        nodes.get(0).kill(true);
        reach(this::isServed);

        requireOwners();
        assertThat(number(call("Owners"))).isEqualTo(ACCOUNTS);
        nodes.get(1).kill(true);
        nodes.get(1).start();
        reach(this::isServed);
        requireOwners();
    }

    /** Two partitions without copies are on two of the three nodes. */
    @Test
    void shouldBringEachChangeToANodeWithoutReplicas() {
        start(3, 2, 0);
        ClusterMachine idle = nodes.get(2);
        assertThat(idle.replicas()).isEmpty();

        change(0, ADD_OWNER);
        reach(() -> idle.engine().procedures().containsKey("Owned"));
        change(1, "CREATE TABLE extra (id BIGINT NOT NULL PRIMARY KEY)");
        reach(() -> idle.engine().catalog().table("EXTRA").isPresent());
        idle.kill(true);
        change(1, "DROP TABLE extra");
        idle.start();
        reach(() -> idle.engine().catalog().table("EXTRA").isEmpty());

        assertThat(idle.engine().procedures()).containsKey("Owned");
        requireOwners();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldMakeAChangeWhollyOrNotAtAllWhenNodesDieDuringIt(int k) {
        start(k);
        for (int round = 0; round < 24; round++) {
            reach(this::isInSync);
            int at = round % 2;
            String column = "c" + round;
            CompletableFuture<SchemaCall.Ended> told = begin(
                    at,
                    "ALTER TABLE account ADD COLUMN " + column + " BIGINT DEFAULT " + round + "; CREATE PROCEDURE Sum"
                            + round + " AS SELECT SUM(" + column + ") FROM account");
            simulation.runFor(simulation.randomness().nextLong(12_000_000));
            boolean power = round % 3 != 0;
            if (round % 4 == 3) {
                nodes.forEach(node -> node.kill(power));
                nodes.forEach(ClusterMachine::start);
            } else {
                int victim = round % 4 == 1 ? 1 - at : at;
                nodes.get(victim).kill(power);
                simulation.runFor(simulation.randomness().nextLong(800_000_000));
                nodes.get(victim).start();
            }
            reach(this::isInSync);

            boolean made = nodes.getFirst().engine().procedures().containsKey("Sum" + round);
            if (told.isDone() && told.join().end() == SchemaCall.End.MADE) {
                assertThat(made).isTrue();
            }
            long expected = (long) round * ACCOUNTS;
            String name = "Sum" + round;
            nodes.forEach(node -> assertThat(node.engine().procedures().containsKey(name))
                    .as(name + " at " + node)
                    .isEqualTo(made));
            if (made) {
                assertThat(number(call("Sum" + round))).isEqualTo(expected);
            }
            call("Deposit", 1, 4).orThrow();
        }
    }

    @Test
    void shouldMakeOneOfTwoChangesAtATimeAndTheOtherBehindIt() {
        start(1);

        CompletableFuture<SchemaCall.Ended> first = begin(0, "CREATE TABLE first_one (id BIGINT)");
        CompletableFuture<SchemaCall.Ended> second = begin(1, "CREATE TABLE second_one (id BIGINT)");
        reach(() -> first.isDone() && second.isDone());
        assertThat(List.of(first.join().end(), second.join().end()))
                .as(first.join() + " " + second.join())
                .doesNotContain(SchemaCall.End.UNKNOWN);
        if (first.join().end() != SchemaCall.End.MADE) {
            SchemaCall.Ended ended = change(0, "CREATE TABLE first_one (id BIGINT)");
            assertThat(ended.end()).as(ended + " after " + first.join()).isEqualTo(SchemaCall.End.MADE);
        }
        if (second.join().end() != SchemaCall.End.MADE) {
            assertThat(change(1, "CREATE TABLE second_one (id BIGINT)").end()).isEqualTo(SchemaCall.End.MADE);
        }

        nodes.forEach(node -> {
            assertThat(node.engine().catalog().table("FIRST_ONE")).isPresent();
            assertThat(node.engine().catalog().table("SECOND_ONE")).isPresent();
        });
    }

    private void requireOwners() {
        for (int account = 0; account < ACCOUNTS; account++) {
            assertThat(number(call("Owner", account))).isEqualTo(1);
        }
        assertThat(number(call("Owned"))).isEqualTo(ACCOUNTS);
    }

    private static long number(Reply reply) {
        Rows rows = reply.orThrow().rows();
        assertThat(rows.next()).isTrue();
        return rows.longAt(0);
    }

    // ---- Changes and calls

    private CompletableFuture<SchemaCall.Ended> begin(int node, String script) {
        try {
            return nodes.get(node).engine().ddlAsync(script);
        } catch (ProcedureException refused) {
            return CompletableFuture.completedFuture(
                    new SchemaCall.Ended(SchemaCall.End.REFUSED, refused.code(), refused.getMessage()));
        }
    }

    /** Again as long as it had no effect because of the moment. */
    private SchemaCall.Ended change(int node, String script) {
        for (int i = 0; ; i++) {
            CompletableFuture<SchemaCall.Ended> told = begin(node, script);
            reach(told::isDone);
            SchemaCall.Ended ended = told.join();
            if (ended.code() != ErrorCode.PARTITION_UNAVAILABLE || i > 100) {
                return ended;
            }
            simulation.runFor(20_000_000);
        }
    }

    private Reply call(String procedure, Object... arguments) {
        return answered(engine -> engine.callAsync(procedure, longs(arguments)));
    }

    private static Object[] longs(Object... arguments) {
        Object[] all = arguments.clone();
        for (int i = 0; i < all.length; i++) {
            all[i] = all[i] instanceof Integer number ? Long.valueOf(number) : all[i];
        }
        return all;
    }

    private Reply sql(String text) {
        String name = "Adhoc" + simulation.randomness().nextLong(1_000_000);
        assertThat(change(0, "CREATE PROCEDURE " + name + " AS " + text).end()).isEqualTo(SchemaCall.End.MADE);
        return call(name);
    }

    private interface Call {
        CompletableFuture<Reply> at(Reprise engine);
    }

    /** At each node in turn, until the leader is met. */
    private Reply answered(Call call) {
        for (int i = 0; ; i++) {
            ClusterMachine node = nodes.get(i % 2);
            if (!node.isUp()) {
                continue;
            }
            CompletableFuture<Reply> answer = call.at(node.engine());
            reach(answer::isDone);
            Reply reply = answer.join();
            boolean again = reply.error() == ErrorCode.MOVED || reply.error() == ErrorCode.PARTITION_UNAVAILABLE;
            if (!again || i > 400) {
                return reply;
            }
            simulation.runFor(5_000_000);
        }
    }

    private void reach(BooleanSupplier condition) {
        simulation.runUntil(condition, MOST_STEPS);
    }
}
