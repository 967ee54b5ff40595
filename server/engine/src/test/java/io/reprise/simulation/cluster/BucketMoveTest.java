package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.MapOperation;
import io.reprise.engine.ClosuresOfFiles;
import io.reprise.engine.LogClosure;
import io.reprise.engine.Reply;
import io.reprise.engine.RunLimits;
import io.reprise.engine.TapeReply;
import io.reprise.engine.TapeStep;
import io.reprise.engine.replication.SchemaCall;
import io.reprise.execution.BucketMap;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Buckets move between partitions of real engines while clients call. Each acknowledged write stays, and counts once. */
final class BucketMoveTest {
    /** A failure timeout for runs in which no node dies: a scheduler may leave an agent alone for long. */
    private static final Duration PATIENT = Duration.ofSeconds(5);

    private static final Duration QUICK = Duration.ofMillis(300);

    private static final int TARIFF_COUNT = 60;

    /** A replicated table, and procedures that fill and read it. */
    private static final String TARIFFS = """
            CREATE TABLE %1$s (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL);
            CREATE INDEX %1$s_name ON %1$s (name);
            CREATE PROCEDURE Count_%1$s AS SELECT COUNT(*) FROM %1$s;
            CREATE PROCEDURE Named_%1$s AS SELECT COUNT(*) FROM %1$s WHERE name = 'tariff 3';
            CREATE PROCEDURE One_%1$s AS SELECT COUNT(*) FROM %1$s WHERE id = ?;
            """;

    private GrowthScenario cluster;

    private void start(long seed, int nodes, int partitions, int kSafety, Duration failure, long snapshotEveryMs) {
        end();
        cluster = new GrowthScenario(new Simulation(seed), nodes, nodes, partitions, kSafety, failure, snapshotEveryMs);
        cluster.start();
        cluster.load();
    }

    @AfterEach
    void end() {
        if (cluster != null) {
            cluster.end();
        }
    }

    private BucketMap buckets() {
        return cluster.nodes.getFirst().engine().buckets();
    }

    /** Goals by which the buckets of a partition go to another one. */
    private SortedMap<Integer, Integer> all(int from, int to) {
        SortedMap<Integer, Integer> goals = new TreeMap<>();
        for (int bucket : buckets().buckets(from)) {
            goals.put(bucket, to);
        }
        return goals;
    }

    private void move(int node, SortedMap<Integer, Integer> goals) {
        var begun = cluster.nodes.get(node).engine().moveBuckets(goals);
        cluster.reach("the goals in the map", begun::isDone);
        begun.join();
    }

    private void restart() {
        cluster.nodes.forEach(node -> node.kill(true));
        cluster.nodes.forEach(ClusterMachine::start);
        cluster.reach("a settled cluster", cluster::isSettled);
    }

    @ParameterizedTest
    @CsvSource({"1, 2, 0, 0", "2, 4, 0, 0", "2, 4, 1, 100", "3, 6, 1, 0", "3, 3, 2, 100"})
    void shouldMoveAllBucketsOfAPartitionWhileCallsRun(int nodes, int partitions, int kSafety, long snapshotEveryMs) {
        start(41, nodes, partitions, kSafety, PATIENT, snapshotEveryMs);

        move(0, all(0, 1));
        cluster.reach("the end of the move", cluster::isSettled);
        cluster.simulation.runFor(200_000_000);

        assertThat(buckets().buckets(0)).isEmpty();
        cluster.check();
        cluster.requireRowsAtTheirPlaces();
        restart();
        cluster.check();
        cluster.requireRowsAtTheirPlaces();
        move(nodes - 1, all(1, 0));
        cluster.reach("the end of the move back", cluster::isSettled);
        cluster.check();
        cluster.requireRowsAtTheirPlaces();
    }

    @Test
    void shouldCountClosuresByTheBucketsThatAPartitionHas() {
        start(46, 1, 2, 0, PATIENT, 0);
        move(0, all(0, 1));
        cluster.reach("the end of the move", cluster::isSettled);
        int buckets = buckets().count();
        cluster.nodes.getFirst().kill(true);

        LogClosure closure = ClosuresOfFiles.of(cluster.nodes.getFirst().disk());

        assertThat(closure.ofPartition(0, 2).wholeBuckets()).isZero();
        assertThat(closure.ofPartition(1, 2).wholeBuckets()).isEqualTo(buckets);
        assertThat(closure.ofPartition(1, 2).reexecuted()).isPositive();
        assertThat(closure.ofNode(2)).isEqualTo(closure.ofPartition(1, 2));
    }

    /** Nodes that lead a partition know a move from its stream, before the membership service does. */
    @ParameterizedTest
    @CsvSource({"1, 2, 0", "2, 4, 1", "2, 2, 0"})
    void shouldServeABucketAtItsNewPlaceWhenTheMapIsNotToldOfTheMove(int nodes, int partitions, int kSafety) {
        start(44, nodes, partitions, kSafety, PATIENT, 0);
        cluster.rest();
        int target = partitions - 1;
        int bucket = buckets().bucketOf(0);
        int source = buckets().partition(bucket);
        SortedMap<Integer, Integer> goal = new TreeMap<>();
        goal.put(bucket, source == target ? 0 : target);
        ClusterMachine leader = cluster.nodes.stream()
                .filter(node ->
                        node.replicas().stream().anyMatch(replica -> replica.partition() == source && replica.serves()))
                .findFirst()
                .orElseThrow();

        move(0, goal);
        cluster.outage();
        cluster.reach("the move in the stream", () -> leader.engine().buckets().partition(bucket) != source);
        long balance = cluster.number("Balance", 0L);

        assertThat(cluster.map().movingBuckets()).isEqualTo(1);
        add(leader, 7);
        assertThat(cluster.number("Balance", 0L)).isEqualTo(balance + 7);
        add(leader, -7);
        cluster.heal();
        cluster.reach("the end of the move", cluster::isSettled);
        cluster.check();
        cluster.requireRowsAtTheirPlaces();
    }

    /** Adds to an account by a session at a node. */
    private void add(ClusterMachine node, int amount) {
        TapeStep pays = TapeStep.statement("UPDATE account SET balance = balance + " + amount + " WHERE id = ?", 0L);
        var answer = node.engine().tapeAsync(List.of(pays), 7, new RunLimits(1 << 20, null));
        cluster.reach("the answer of a session", answer::isDone);
        assertThat(answer.join().message()).isNull();
    }

    private void requireTariffs(String table) {
        assertThat(cluster.number("Count_" + table)).isEqualTo(TARIFF_COUNT);
        assertThat(cluster.number("Named_" + table)).isEqualTo(9);
        for (long id = 1; id <= TARIFF_COUNT; id++) {
            assertThat(cluster.number("One_" + table, id)).as("row %d", id).isEqualTo(1);
        }
    }

    /** At each node in turn, until one leads. */
    private void change(String script) {
        for (int i = 0; ; i++) {
            ClusterMachine node = cluster.nodes.get(i % cluster.nodes.size());
            CompletableFuture<SchemaCall.Ended> told;
            try {
                told = node.engine().ddlAsync(script);
            } catch (ProcedureException refused) {
                told = CompletableFuture.completedFuture(
                        new SchemaCall.Ended(SchemaCall.End.REFUSED, refused.code(), refused.getMessage()));
            }
            cluster.reach("the end of a change", told::isDone);
            SchemaCall.Ended ended = told.join();
            if (ended.end() == SchemaCall.End.MADE) {
                return;
            }
            assertThat(ended.code()).as(ended.message()).isEqualTo(ErrorCode.PARTITION_UNAVAILABLE);
            assertThat(i).isLessThan(100);
            cluster.simulation.runFor(20_000_000);
        }
    }

    private void fill(String table) {
        List<String> rows = new ArrayList<>();
        for (int id = 1; id <= TARIFF_COUNT; id++) {
            rows.add("(" + id + ", 'tariff " + id % 7 + "')");
        }
        change("CREATE PROCEDURE Fill_" + table + " AS INSERT INTO " + table + " VALUES " + String.join(", ", rows));
        for (int i = 0; ; i++) {
            CompletableFuture<Reply> answer =
                    cluster.nodes.get(i % cluster.nodes.size()).engine().callAsync("Fill_" + table);
            cluster.reach("the rows of a table", answer::isDone);
            if (answer.join().committed()) {
                return;
            }
            assertThat(answer.join().error()).isEqualTo(ErrorCode.PARTITION_UNAVAILABLE);
            assertThat(i).isLessThan(100);
            cluster.simulation.runFor(20_000_000);
        }
    }

    /** A table is divided among the partitions that have buckets; so is one that comes after a move. */
    @ParameterizedTest
    @CsvSource({"1, 2, 0", "2, 4, 0", "2, 4, 1"})
    void shouldKeepTheRowsOfDividedTablesOverMovesAndRestarts(int nodes, int partitions, int kSafety) {
        start(45, nodes, partitions, kSafety, PATIENT, 0);
        cluster.rest();
        change(TARIFFS.formatted("early") + TARIFFS.formatted("late"));
        fill("early");
        fill("late");
        change("PARTITION TABLE early ON COLUMN id");
        requireTariffs("early");

        move(0, all(0, 1));
        cluster.reach("the end of the move", cluster::isSettled);
        requireTariffs("early");
        change("PARTITION TABLE late ON COLUMN id");
        requireTariffs("late");
        restart();
        requireTariffs("early");
        requireTariffs("late");
        move(nodes - 1, all(1, 0));
        cluster.reach("the end of the move back", cluster::isSettled);
        restart();
        requireTariffs("early");
        requireTariffs("late");
    }

    @Test
    void shouldLeaveWhereTheyAreTheBucketsOfACancelledMove() {
        start(42, 2, 4, 1, PATIENT, 0);

        move(0, all(0, 3));
        cluster.operate(1, new MapOperation.Cancel());
        cluster.reach("a settled cluster", cluster::isSettled);

        assertThat(cluster.map().movingBuckets()).isZero();
        cluster.check();
        cluster.requireRowsAtTheirPlaces();
    }

    /** A session's statements are confined to no bucket, and may have been routed before a move. */
    @ParameterizedTest
    @CsvSource({"1, 3, 0", "2, 4, 1"})
    void shouldFindEachRowOfASessionWhileBucketsMove(int nodes, int partitions, int kSafety) {
        start(43, nodes, partitions, kSafety, PATIENT, 0);
        cluster.rest();
        long[] expected = new long[6];
        for (int account = 0; account < 6; account++) {
            expected[account] = cluster.number("Balance", (long) account);
        }

        for (int round = 0; round < 60; round++) {
            if (round % 10 == 5) {
                cluster.nodes
                        .getFirst()
                        .engine()
                        .moveBuckets(all(round / 10 % partitions, (round / 10 + 1) % partitions));
            }
            List<CompletableFuture<TapeReply>> answers = new ArrayList<>();
            for (long account = 0; account < 6; account++) {
                TapeStep pays = TapeStep.statement("UPDATE account SET balance = balance + 1 WHERE id = ?", account);
                TapeStep takes =
                        TapeStep.statement("UPDATE account SET balance = balance + 1 WHERE id = ?", (account + 1) % 6);
                List<TapeStep> tape = round % 2 == 0 ? List.of(pays) : List.of(pays, takes);
                answers.add(cluster.nodes.get(round % nodes).engine().tapeAsync(tape, 7, new RunLimits(1 << 20, null)));
                expected[(int) account] += round % 2 == 0 ? 1 : 2;
            }
            cluster.reach("the answers of sessions", () -> answers.stream().allMatch(CompletableFuture::isDone));
            for (CompletableFuture<TapeReply> each : answers) {
                assertThat(each.join().message()).isNull();
                each.join().entries().forEach(entry -> assertThat(entry.count()).isEqualTo(1));
            }
        }

        cluster.reach("the end of all moves", cluster::isSettled);
        for (int account = 0; account < 6; account++) {
            assertThat(cluster.number("Balance", (long) account)).isEqualTo(expected[account]);
        }
    }

    /** Any node dies at any moment of a move and returns, or the whole cluster does. */
    @Test
    void shouldKeepEachBucketAtOnePartitionWhenNodesDie() {
        Seeds.forEach(8, seed -> {
            start(seed, 3, 5, (int) Math.floorMod(seed, 3L), QUICK, seed % 2 == 0 ? 100 : 0);
            for (int round = 0; round < 4; round++) {
                var random = cluster.simulation.randomness();
                SortedMap<Integer, Integer> goals = all(random.nextInt(5), random.nextInt(5));
                goals.putAll(all(random.nextInt(5), random.nextInt(5)));
                cluster.nodes.get(round % 3).engine().moveBuckets(goals);
                for (int fault = 0; fault < 2; fault++) {
                    fail();
                }
                cluster.reach("the end of a move", cluster::isSettled);
            }
            cluster.check();
            cluster.requireRowsAtTheirPlaces();
        });
    }

    private void fail() {
        var random = cluster.simulation.randomness();
        cluster.simulation.runFor(random.nextLong(random.chance(0.5) ? 10_000_000 : 60_000_000));
        boolean power = random.chance(0.5);
        if (random.chance(0.2)) {
            cluster.nodes.forEach(node -> node.kill(power));
            cluster.nodes.forEach(ClusterMachine::start);
            return;
        }
        ClusterMachine victim = cluster.nodes.get(random.nextInt(3));
        victim.kill(power);
        cluster.simulation.runFor(random.nextLong(900_000_000));
        victim.start();
    }
}
