package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reprise.cluster.MapOperation;
import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.execution.BucketMap;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.Randomness;
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
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Partitions of a cluster at their memory limit: no node ends, and no acknowledged row is lost. */
final class MemoryOverNodesTest {
    private static final int LIMIT = 4 << 20;
    private static final int AT_ONCE = 200;
    private static final int FAILURES = 50;

    /** An ordered index, which is denser when its keys have come in their order. */
    private static final String ITEMS = """
            CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL, s VARCHAR(200));
            PARTITION TABLE item ON COLUMN id;
            CREATE INDEX by_n ON item (n, id);
            CREATE PROCEDURE Put PARTITION ON TABLE item COLUMN id PARAMETER 0 AS INSERT INTO item VALUES (?, ?, ?);
            CREATE PROCEDURE Remove PARTITION ON TABLE item COLUMN id PARAMETER 0 AS DELETE FROM item WHERE id = ?;
            CREATE PROCEDURE Items AS SELECT COUNT(*) FROM item;
            """;

    private final Simulation simulation = new Simulation(1);
    private GrowthScenario cluster;
    private long next;

    @AfterEach
    void end() {
        cluster.end();
    }

    private void start(int partitions, LoggingMethod method, int... memory) {
        ClusterMachine.Shape shape = new ClusterMachine.Shape(
                memory.length, partitions, memory.length - 1, true, method, Duration.ofSeconds(5));
        cluster = new GrowthScenario(simulation, shape, memory.length, 0);
        for (int node = 0; node < memory.length; node++) {
            cluster.nodes.get(node).withMore(ITEMS).withMemory(memory[node]);
        }
        cluster.start();
    }

    private Reprise leader() {
        return cluster.nodes.getFirst().engine();
    }

    private Reprise leaderOf(long id) {
        BucketMap buckets = leader().buckets();
        int partition = buckets.partition(buckets.bucketOf(id));
        return cluster.nodes
                .get(cluster.map().partitions().get(partition).leader())
                .engine();
    }

    /** Inserts until calls are refused for want of memory. Returns the number of rows that came. */
    private int fill() {
        String text = "x".repeat(100);
        int came = 0;
        for (int failures = 0; failures < FAILURES; ) {
            List<CompletableFuture<Reply>> answers = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                next++;
                answers.add(leaderOf(next).callAsync("Put", next, next, text));
            }
            cluster.reach("answers", () -> answers.stream().allMatch(CompletableFuture::isDone));
            for (CompletableFuture<Reply> answer : answers) {
                Reply reply = answer.join();
                if (reply.committed()) {
                    came++;
                } else {
                    assertThat(reply.error()).as(reply.message()).isEqualTo(ErrorCode.MEMORY_LIMIT);
                    failures++;
                }
            }
        }
        return came;
    }

    private long items() {
        return cluster.number("Items");
    }

    private void requireEqualReplicas() {
        cluster.reach(
                "replicas in sync",
                () -> cluster.isSettled()
                        && cluster.map().partitions().stream()
                                .allMatch(line -> cluster.nodes.stream().allMatch(node -> line.has(node.member()))));
        assertThat(cluster.nodes.get(1).engine().contentHashes())
                .isEqualTo(cluster.nodes.get(0).engine().contentHashes());
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldLoadAReplicaThatIsAtItsLimit(LoggingMethod method) {
        start(1, method, LIMIT, LIMIT);
        int rows = fill();
        requireEqualReplicas();
        // The rows of later keys lie among those of earlier ones.
        for (long id = 1; id < next; id += 2) {
            CompletableFuture<Reply> gone = leader().callAsync("Remove", id);
            cluster.reach("an answer", gone::isDone);
            rows -= (int) gone.join().longValue();
        }
        rows += fill();

        cluster.nodes.get(1).kill(true);
        cluster.nodes.get(1).wipe();
        cluster.nodes.get(1).start();

        requireEqualReplicas();
        assertThat(items()).isEqualTo(rows);
        cluster.nodes.get(1).kill(true);
        cluster.nodes.get(1).start();
        requireEqualReplicas();
    }

    /** A follower with half of the memory takes what its leader takes. As a leader it keeps its own limit. */
    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldFollowALeaderWithMoreMemory(LoggingMethod method) {
        start(1, method, 2 * LIMIT, LIMIT);
        int rows = fill();

        requireEqualReplicas();
        cluster.nodes.get(0).kill(true);
        cluster.reach("another leader", () -> cluster.leads(1) == 1);
        assertThat(items()).isEqualTo(rows);
        CompletableFuture<Reply> more = cluster.nodes.get(1).engine().callAsync("Put", next + 1, 0L, "x");
        cluster.reach("an answer", more::isDone);
        assertThat(more.join().error()).isEqualTo(ErrorCode.MEMORY_LIMIT);
        cluster.nodes.get(0).start();
        requireEqualReplicas();
    }

    /** A node with too little memory goes on without the replica, also behind another start. With more memory it gets the replica. */
    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldServeWithoutAReplicaForWhichANodeHasNoMemory(LoggingMethod method) {
        start(1, method, 4 * LIMIT, LIMIT);
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        Logger log = (Logger) LoggerFactory.getLogger("io.reprise.cluster.replica.Joining");
        log.addAppender(told);
        int rows = fill();
        log.detachAppender(told);

        assertThat(told.list.getFirst().getFormattedMessage())
                .startsWith(
                        "Partition 0: this node has no memory for its replica, and loads it anew in 5000 ms. Transaction ");
        assertThat(items()).isEqualTo(rows);
        simulation.runFor(20_000_000_000L);
        assertThat(cluster.nodes.get(1).isUp()).isTrue();
        assertThat(cluster.map().partitions().getFirst().sync()).containsExactly(cluster.member(0));
        assertThat(cluster.nodes
                        .get(1)
                        .engine()
                        .metrics()
                        .partitions()
                        .getFirst()
                        .memoryUsed())
                .isLessThanOrEqualTo(2 * LIMIT);

        restart(LIMIT);
        requireServedAlone(rows);
        restart(4 * LIMIT);
        requireEqualReplicas();
        assertThat(items()).isEqualTo(rows);
    }

    private void restart(int memory) {
        cluster.nodes.get(1).kill(true);
        cluster.nodes.get(1).withMemory(memory).start();
    }

    private void requireServedAlone(int rows) {
        simulation.runFor(20_000_000_000L);
        assertThat(cluster.nodes.get(1).isUp()).isTrue();
        assertThat(cluster.map().partitions().getFirst().sync()).containsExactly(cluster.member(0));
        assertThat(items()).isEqualTo(rows);
    }

    /** Its process or machine ends at any moment of an image that is given up. */
    @Test
    void shouldOpenBehindAbandonedImages() {
        start(1, LoggingMethod.COMMAND, 4 * LIMIT, LIMIT);
        int rows = fill();
        Randomness random = simulation.randomness().fork();
        for (int i = 0; i < 6; i++) {
            ClusterMachine node = cluster.nodes.get(1);
            cluster.reach(
                    "an image",
                    () -> node.replicas().stream().anyMatch(each -> each.role().equals("LOADING")));
            simulation.runFor(1 + random.nextLong(1L << 20 + 3 * i));
            node.kill(random.chance(0.5));
            node.start();
        }

        requireServedAlone(rows);
        restart(4 * LIMIT);
        requireEqualReplicas();
        assertThat(items()).isEqualTo(rows);
    }

    private void beginAnewWithoutRows(int memory) {
        cluster.nodes.get(1).wipe();
        cluster.nodes.get(1).withMemory(memory).start();
    }

    private void leaveAlone() {
        cluster.nodes.get(1).kill(true);
        cluster.reach(
                "a leader alone",
                () -> cluster.map().partitions().getFirst().sync().size() == 1);
    }

    /** The log has blocks of an abandoned image that find no room when the node starts with less memory. */
    @Test
    void shouldOpenWithLessMemoryThanAnAbandonedImageTook() {
        start(1, LoggingMethod.COMMAND, 4 * LIMIT, LIMIT);
        leaveAlone();
        int rows = fill();
        beginAnewWithoutRows(LIMIT);
        requireServedAlone(rows);

        restart(LIMIT / 2);
        requireServedAlone(rows);
        restart(4 * LIMIT);
        requireEqualReplicas();
        assertThat(items()).isEqualTo(rows);
    }

    /** An image that is whole counts: without room for it, the node does not open. */
    @Test
    void shouldNotOpenWithoutRoomForAWholeImage() {
        start(1, LoggingMethod.COMMAND, LIMIT, LIMIT);
        leaveAlone();
        int rows = fill();
        beginAnewWithoutRows(LIMIT);
        requireEqualReplicas();
        cluster.nodes.get(1).kill(true);

        assertThat(cluster.nodes.get(1).withMemory(LIMIT / 4).tryStart())
                .hasValueSatisfying(failure -> assertThat(failure)
                        .isInstanceOfSatisfying(
                                ProcedureException.class,
                                refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.MEMORY_LIMIT)));
        cluster.nodes.get(1).withMemory(LIMIT).start();
        requireEqualReplicas();
        assertThat(items()).isEqualTo(rows);
    }

    /** Buckets move as long as the other partition has room for them. The others stay, and both partitions serve. */
    @Test
    void shouldLeaveBucketsForWhichAPartitionHasNoRoom() {
        start(2, LoggingMethod.COMMAND, LIMIT, LIMIT);
        int rows = fill();
        requireEqualReplicas();
        BucketMap before = leader().buckets();
        SortedMap<Integer, Integer> goals = new TreeMap<>();
        for (int bucket : before.buckets(0)) {
            goals.put(bucket, 1);
        }

        leader().moveBuckets(goals);
        simulation.runFor(20_000_000_000L);

        assertThat(cluster.nodes).allMatch(ClusterMachine::isUp);
        assertThat(cluster.map().movingBuckets()).isPositive();
        assertThat(items()).isEqualTo(rows);
        cluster.operate(0, new MapOperation.Cancel());
        requireEqualReplicas();
        assertThat(items()).isEqualTo(rows);
        assertThat(leader().buckets().buckets(0)).isNotEmpty();
    }
}
