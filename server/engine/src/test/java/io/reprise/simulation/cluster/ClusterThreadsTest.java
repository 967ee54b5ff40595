package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.ReplicaStatus;
import io.reprise.cluster.Replicas;
import io.reprise.engine.ClusterOptions;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.runtime.agent.Waker;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Engines of a cluster with threads of their own, in one process: a node is cut off under load, and another is restarted. */
@Timeout(120)
final class ClusterThreadsTest {
    private static final int NODES = 3;
    private static final int PARTITIONS = 3;
    private static final int CALLERS = 3;
    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL);
            PARTITION TABLE account ON COLUMN id;
            CREATE PROCEDURE Add PARTITION ON TABLE account COLUMN id PARAMETER 0 AS
                INSERT INTO account VALUES (?, 0);
            CREATE PROCEDURE Deposit PARTITION ON TABLE account COLUMN id PARAMETER 1 AS
                UPDATE account SET balance = balance + ? WHERE id = ?;
            CREATE PROCEDURE Balance PARTITION ON TABLE account COLUMN id PARAMETER 0 AS
                SELECT balance FROM account WHERE id = ?;
            CREATE PROCEDURE PARTITION ON TABLE account COLUMN id PARAMETER 0
                FROM CLASS io.reprise.simulation.cluster.ClusterThreadsTest$Many;
            """;

    private final LocalNetwork network = new LocalNetwork();
    private final LocalMembership membership = new LocalMembership();
    private final Reprise[] engines = new Reprise[NODES];
    private final long[] incarnations = new long[NODES];
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Load> loads = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private long runs;
    private Duration failureTimeout = Duration.ofMillis(500);
    private boolean onDemand;

    @TempDir
    Path directory;

    private void start(int node) {
        start(node, network.of("n" + node));
    }

    private void start(int node, Links links) {
        incarnations[node] = ++runs;
        engines[node] = Options.create()
                .name("n" + node)
                .partitions(PARTITIONS)
                .memoryPerPartition(16 << 20)
                .ddl(DDL)
                .timeLimit(Duration.ofSeconds(60))
                .recoverOnDemand(onDemand)
                .directory(directory.resolve("n" + node))
                .cluster(new ClusterOptions(
                        node,
                        NODES,
                        incarnations[node],
                        1,
                        true,
                        failureTimeout,
                        links,
                        membership.of(node),
                        "n" + node,
                        "",
                        0))
                .open();
    }

    @AfterEach
    void close() {
        for (Reprise engine : engines) {
            if (engine != null) {
                engine.close();
            }
        }
    }

    /** A network whose threads have a frame at once: a node without replicas asks for the schema. */
    private static final class EagerLinks implements Links {
        private static final byte SCHEMA = 66;
        private final Links links;
        private boolean offered;

        EagerLinks(Links links) {
            this.links = links;
        }

        @Override
        public Link connect(String address) {
            return links.connect(address);
        }

        @Override
        public Link accept() {
            return links.accept();
        }

        @Override
        public void wake(Waker waker) {
            links.wake(waker);
        }

        @Override
        public void offerTo(FrameTaker taker) {
            byte[] question = ByteBuffer.allocate(22)
                    .put(SCHEMA)
                    .put((byte) 1)
                    .putInt(2)
                    .putLong(0)
                    .putLong(0)
                    .array();
            offered = taker.take(question);
        }
    }

    @Test
    void shouldTakeFramesThatArriveAtItsStart() throws InterruptedException {
        EagerLinks links = new EagerLinks(network.of("n0"));
        start(0, links);
        for (int i = 1; i < NODES; i++) {
            start(i);
        }
        await(this::isWhole);

        assertThat(links.offered).isTrue();
    }

    @Test
    void shouldServeWhileANodeIsCutOffAndAnotherIsRestarted() throws InterruptedException {
        for (int i = 0; i < NODES; i++) {
            start(i);
        }
        await(this::isWhole);
        begin();
        awaitProgress(loads);

        network.isolate("n0");
        membership.expire(0);
        awaitProgress(loads);
        network.heal();
        await(this::isWhole);
        engines[1].close();
        engines[1] = null;
        membership.expire(1);
        awaitProgress(loads);
        start(1);
        await(this::isWhole);

        requireAllDeposits();
    }

    /** Nodes that are counted on alone lead while they load rows; the others lead or join when their rows are loaded. */
    @Test
    void shouldServeWhileRowsAreLoadedAfterARestartOfAllNodes() throws InterruptedException {
        onDemand = true;
        for (int i = 0; i < NODES; i++) {
            start(i);
        }
        await(this::isWhole);
        begin();
        awaitProgress(loads);
        for (Reprise engine : engines) {
            assertThat(engine.snapshot().problem()).isEmpty();
        }
        awaitProgress(loads);

        for (int i = 0; i < NODES; i++) {
            Reprise ended = engines[i];
            engines[i] = null;
            ended.close();
            membership.expire(i);
        }
        for (int i = 0; i < NODES; i++) {
            start(i);
            assertThat(engines[i].load()).isPresent();
        }
        awaitProgress(loads);
        await(this::isWhole);

        requireAllDeposits();
        for (Reprise engine : engines) {
            assertThat(engine.load().orElseThrow().failed()).isZero();
        }
    }

    @Test
    void shouldChangeTheSchemaWhileCallsRun() throws InterruptedException {
        for (int i = 0; i < NODES; i++) {
            start(i);
        }
        await(this::isWhole);
        begin();
        awaitProgress(loads);

        for (int i = 0; i < 4; i++) {
            engines[leader(i)].ddl("ALTER TABLE account ADD COLUMN c" + i + " BIGINT DEFAULT " + i
                    + "; CREATE PROCEDURE C" + i + " PARTITION ON TABLE account COLUMN id PARAMETER 0 AS SELECT c" + i
                    + " FROM account WHERE id = ?;");
            for (Reprise engine : engines) {
                assertThat(engine.procedures()).containsKey("C" + i);
            }
            awaitProgress(loads);
        }

        requireAllDeposits();
        for (int i = 0; i < 4; i++) {
            assertThat(read("C" + i, 0)).isEqualTo(i);
        }
    }

    /** The first node from one on that leads a partition. */
    private int leader(int from) {
        for (int i = from; ; i++) {
            if (engines[i % NODES].replicas().stream().anyMatch(ReplicaStatus::serves)) {
                return i % NODES;
            }
        }
    }

    private void begin() {
        for (int i = 0; i < CALLERS; i++) {
            Load load = new Load(i, over);
            loads.add(load);
            Thread thread = new Thread(load, "load-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void requireAllDeposits() throws InterruptedException {
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        await(this::isWhole);
        for (Load load : loads) {
            assertThat(load.balance())
                    .as("account %d", load.account)
                    .isBetween(load.acknowledged.get(), load.sent.get());
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            List<Long> hashes = new ArrayList<>();
            for (Reprise engine : engines) {
                int checked = partition;
                if (engine.replicas().stream().anyMatch(replica -> replica.partition() == checked)) {
                    hashes.add(engine.contentHashes()[partition]);
                }
            }
            assertThat(hashes).as("partition %d", partition).hasSize(2);
            assertThat(hashes.get(0)).isEqualTo(hashes.get(1));
        }
    }

    @Test
    void shouldHandOverWhenNodesAreRestartedInTurn() throws InterruptedException {
        failureTimeout = Duration.ofSeconds(5);
        for (int i = 0; i < NODES; i++) {
            start(i);
        }
        await(this::isWhole);
        begin();
        awaitProgress(loads);

        for (int node = 0; node < 2; node++) {
            Reprise stopped = engines[node];
            stopped.leaveCluster();
            await(stopped::hasLeftCluster);
            assertThat(stopped.replicas())
                    .allSatisfy(replica -> assertThat(replica.role()).isEqualTo("OUT"));
            awaitProgress(loads);
            engines[node] = null;
            stopped.close();
            membership.expire(node);
            awaitProgress(loads);
            start(node);
            await(this::isWhole);
        }

        requireAllDeposits();
    }

    /** Reads a row so often that the transaction takes long. */
    public static final class Many extends Procedure {
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement change = sql("UPDATE account SET balance = balance + 1 WHERE id = ?");

        /** Gives the number of reads, behind which it writes. */
        public long run(long id, long reads) {
            for (long i = 0; i < reads; i++) {
                read.set(0, id).first();
            }
            change.set(0, id).update();
            return reads;
        }
    }

    @Test
    void shouldKeepTheLeadWhileAProcedureRunsForTenFailureTimeouts() {
        failureTimeout = Duration.ofMillis(500);
        for (int i = 0; i < NODES; i++) {
            start(i);
        }
        await(this::isWhole);
        Reprise leader = leaderOf(7);
        leader.call("Add", 7L);
        List<Replicas> before = PartitionMap.decode(membership.map().content()).partitions();
        int partition = leader.buckets().partition(leader.buckets().bucketOf(7));
        long reads = 100_000;
        long tookNs = 0;

        while (tookNs < 10 * failureTimeout.toNanos()) {
            reads = tookNs == 0 ? reads : reads * Math.clamp(6_000_000_000L / tookNs, 2, 100);
            long beganNs = System.nanoTime();
            leader.call("Many", 7L, reads);
            tookNs = System.nanoTime() - beganNs;
        }

        assertThat(PartitionMap.decode(membership.map().content())
                        .partitions()
                        .get(partition)
                        .term())
                .isEqualTo(before.get(partition).term());
        await(this::isWhole);
    }

    private Reprise leaderOf(long account) {
        for (Reprise engine : engines) {
            int partition = engine.buckets().partition(engine.buckets().bucketOf(account));
            if (engine.replicas().stream().anyMatch(replica -> replica.partition() == partition && replica.serves())) {
                return engine;
            }
        }
        throw new AssertionError("no engine leads the partition of account " + account);
    }

    private static void awaitProgress(List<Load> loads) {
        for (Load load : loads) {
            long target = load.acknowledged.get() + 50;
            await(() -> load.acknowledged.get() >= target);
        }
    }

    private static void await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + 120_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited for two minutes").isLessThan(endNs);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private boolean isWhole() {
        if (membership.map().version() == 0) {
            return false;
        }
        List<Replicas> lines = PartitionMap.decode(membership.map().content()).partitions();
        if (lines.stream().anyMatch(line -> line.sync().size() < 2)) {
            // A node that has just started shows no replica yet.
            return false;
        }
        int serving = 0;
        for (int node = 0; node < NODES; node++) {
            for (ReplicaStatus replica : engines[node].replicas()) {
                if (!lines.get(replica.partition()).has(new Member(node, incarnations[node]))) {
                    return false;
                }
                serving += replica.serves() ? 1 : 0;
            }
        }
        return serving == PARTITIONS;
    }

    /** Deposits to one account, one call at a time, at whichever node leads. */
    private final class Load implements Runnable {
        private final long account;
        private final AtomicBoolean over;
        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong acknowledged = new AtomicLong();
        private final Random random;

        Load(long account, AtomicBoolean over) {
            this.account = account;
            this.over = over;
            random = new Random(account);
        }

        @Override
        public void run() {
            boolean added = false;
            while (!over.get()) {
                Reprise engine = engines[random.nextInt(NODES)];
                if (engine == null) {
                    LockSupport.parkNanos(100_000);
                    continue;
                }
                try {
                    if (added) {
                        sent.incrementAndGet();
                        engine.call("Deposit", 1L, account);
                        acknowledged.incrementAndGet();
                    } else {
                        engine.call("Add", account);
                        added = true;
                    }
                } catch (ProcedureException e) {
                    // It has moved, or its outcome is unknown: the next deposit may go elsewhere.
                    LockSupport.parkNanos(100_000);
                }
            }
        }

        long balance() {
            return read("Balance", account);
        }
    }

    private long read(String procedure, long account) {
        while (true) {
            for (Reprise engine : engines) {
                try {
                    Rows rows = engine.call(procedure, account).rows();
                    rows.next();
                    return rows.longAt(0);
                } catch (ProcedureException e) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
        }
    }
}
