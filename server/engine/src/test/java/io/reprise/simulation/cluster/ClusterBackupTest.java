package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.ReplicaStatus;
import io.reprise.engine.ClusterBackup;
import io.reprise.engine.ClusterOptions;
import io.reprise.engine.ClusterRestore;
import io.reprise.engine.Options;
import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a cluster under load, restored into one node and into another number of nodes. */
@Timeout(180)
final class ClusterBackupTest {
    private static final int PARTITIONS = 4;
    private static final int ACCOUNTS = 20;
    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, memo VARCHAR(100));
            PARTITION TABLE account ON COLUMN id;
            CREATE PROCEDURE OpenAccount PARTITION ON TABLE account COLUMN id PARAMETER 0 AS
                INSERT INTO account VALUES (?, 0, 'opened');
            CREATE PROCEDURE Deposit PARTITION ON TABLE account COLUMN id PARAMETER 1 AS
                UPDATE account SET balance = balance + ? WHERE id = ?;
            CREATE PROCEDURE Pay PARTITION ON TABLE account COLUMN id PARAMETER 0
                AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.simulation.cluster.Bank$Pay;
            CREATE PROCEDURE Total AS SELECT SUM(balance) FROM account WHERE id < 20;
            CREATE PROCEDURE Opened AS SELECT COUNT(*) FROM account;
            CREATE PROCEDURE Balance PARTITION ON TABLE account COLUMN id PARAMETER 0 AS
                SELECT balance FROM account WHERE id = ?;
            """;

    private final List<Reprise> opened = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong deposits = new AtomicLong();
    private long runs;

    @TempDir
    Path directory;

    private List<Reprise> start(int nodes, int kSafety, LocalMembership membership, String folder, boolean isNew) {
        LocalNetwork network = new LocalNetwork();
        List<Reprise> engines = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            Options options = Options.create()
                    .name("n" + node)
                    .partitions(PARTITIONS)
                    .memoryPerPartition(16 << 20)
                    .timeLimit(Duration.ofSeconds(60))
                    .directory(directory.resolve(folder + node))
                    .cluster(new ClusterOptions(
                            node,
                            nodes,
                            ++runs,
                            kSafety,
                            true,
                            Duration.ofSeconds(5),
                            network.of("n" + node),
                            membership.of(node),
                            "n" + node,
                            "",
                            1 << 20));
            if (isNew) {
                options.ddl(DDL);
            }
            engines.add(options.open());
        }
        opened.addAll(engines);
        await(() -> engines.stream()
                        .flatMap(engine -> engine.replicas().stream())
                        .filter(ReplicaStatus::serves)
                        .count()
                == PARTITIONS);
        return engines;
    }

    @AfterEach
    void close() {
        over.set(true);
        opened.forEach(Reprise::close);
    }

    @Test
    void shouldRestoreOneMomentOfAllPartitionsIntoAnyNumberOfNodes() throws Exception {
        LocalMembership membership = new LocalMembership();
        List<Reprise> cluster = start(3, 1, membership, "n", true);
        for (long account = 0; account < ACCOUNTS; account++) {
            call(cluster, "OpenAccount", account);
        }
        call(cluster, "OpenAccount", 100L);
        List<Thread> load = List.of(new Thread(() -> pay(cluster, 1)), new Thread(() -> pay(cluster, 2)));
        load.forEach(Thread::start);
        await(() -> deposits.get() > 30);
        SortedMap<Integer, Integer> goals = new TreeMap<>();
        for (int bucket : cluster.getFirst().buckets().buckets(2)) {
            goals.put(bucket, bucket % 2);
        }
        cluster.getFirst().moveBuckets(goals).join();
        await(() -> PartitionMap.decode(membership.map().content()).movingBuckets() == 0);

        long before = deposits.get();
        long cut = cut(cluster);
        Path backup = directory.resolve("backup");
        Files.createDirectory(backup);
        for (int node = 0; node < 3; node++) {
            copy(membership, node, cut, backup);
        }
        over.set(true);
        for (Thread each : load) {
            each.join();
        }

        ClusterRestore.run(backup, List.of(directory.resolve("alone")), false, line -> {});
        Reprise alone = Options.create()
                .partitions(2)
                .memoryPerPartition(16 << 20)
                .directory(directory.resolve("alone"))
                .open();
        opened.add(alone);
        requireOneMoment(List.of(alone), before);

        ClusterRestore.run(backup, List.of(directory.resolve("m0"), directory.resolve("m1")), true, line -> {});
        List<Reprise> two = start(2, 1, new LocalMembership(), "m", false);
        requireOneMoment(two, before);
        assertThat(read(two, "Balance", 100L)).isEqualTo(read(List.of(alone), "Balance", 100L));
        call(two, "Pay", 1L, 2L, 5L);
        assertThat(read(two, "Total")).isZero();
    }

    @Test
    void shouldRefuseABackupThatIsNotWhole() throws Exception {
        LocalMembership membership = new LocalMembership();
        List<Reprise> cluster = start(2, 0, membership, "n", true);
        call(cluster, "OpenAccount", 1L);
        long cut = cut(cluster);
        Path backup = directory.resolve("backup");
        Files.createDirectory(backup);
        copy(membership, 0, cut, backup);

        assertThatThrownBy(() -> ClusterRestore.run(backup, List.of(directory.resolve("alone")), false, line -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lacks partitions [1, 3]");

        copy(membership, 1, cut(cluster), backup);
        assertThatThrownBy(() -> ClusterRestore.run(backup, List.of(directory.resolve("alone")), false, line -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("are not of one backup");
        assertThat(directory.resolve("alone.partial")).doesNotExist();
    }

    private void copy(LocalMembership membership, int node, long cut, Path backup) throws IOException {
        Path data = directory.resolve("n" + node);
        List<Integer> held = IntStream.range(0, PARTITIONS)
                .filter(partition -> PartitionMap.decode(membership.map().content())
                        .partitions()
                        .get(partition)
                        .member(node)
                        .isPresent())
                .boxed()
                .toList();
        await(() -> ClusterBackup.isDurable(data, cut, held));
        Path folder = Files.createDirectory(backup.resolve("node-" + node));
        ClusterBackup.copy(
                data, ClusterBackup.base(data, cut), new ClusterBackup.Note("shop", cut, PARTITIONS, held), folder);
    }

    private static void requireOneMoment(List<Reprise> engines, long deposited) {
        assertThat(read(engines, "Opened")).isEqualTo(ACCOUNTS + 1);
        assertThat(read(engines, "Total")).isZero();
        assertThat(read(engines, "Balance", 100L)).isGreaterThanOrEqualTo(deposited);
    }

    /** Pays between accounts of all partitions, and deposits one by one to an account that no payment is about. */
    private void pay(List<Reprise> engines, long seed) {
        Random random = new Random(seed);
        while (!over.get()) {
            long from = random.nextInt(ACCOUNTS);
            try {
                engines.get(random.nextInt(3)).call("Pay", from, (from + 7) % ACCOUNTS, 1L);
                if (seed == 1) {
                    engines.get(random.nextInt(3)).call("Deposit", 1L, 100L);
                    deposits.incrementAndGet();
                }
            } catch (ProcedureException elsewhere) {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    private static long cut(List<Reprise> engines) {
        for (int i = 0; ; i++) {
            try {
                return engines.get(i % engines.size()).cut().join();
            } catch (RuntimeException again) {
                assertThat(i).as(again.toString()).isLessThan(300);
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    private static Reply call(List<Reprise> engines, String procedure, Object... arguments) {
        for (int i = 0; ; i++) {
            try {
                return engines.get(i % engines.size()).call(procedure, arguments);
            } catch (ProcedureException elsewhere) {
                assertThat(i).as(elsewhere.getMessage()).isLessThan(3000);
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    private static long read(List<Reprise> engines, String procedure, Object... arguments) {
        Rows rows = call(engines, procedure, arguments).rows();
        assertThat(rows.next()).isTrue();
        return rows.longAt(0);
    }

    private static void await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + 90_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited for 90 s").isLessThan(endNs);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
