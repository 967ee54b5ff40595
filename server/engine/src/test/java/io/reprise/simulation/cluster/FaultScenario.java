package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.MapOperation;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.ReplicaStatus;
import io.reprise.cluster.transaction.TransactionHistory;
import io.reprise.engine.BrokenRules;
import io.reprise.engine.Reply;
import io.reprise.execution.BucketMap;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.Randomness;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Three to five real engines with clients and an operator, through phases of {@link ClusterFault}s and quiet ones; the seed
 * draws the cluster and its faults. In the end all heals: every call has an answer, every partition is served, all replicas
 * are equal, each acknowledged write is there once, and the history of the chains is that of a serial execution in the order of
 * real time.
 *
 * <p>Some runs end with the loss of all copies of a partition, which must stay closed.
 */
final class FaultScenario {
    private static final long FAILURE_NS = 300_000_000L;
    private static final int CHAIN_CALLERS = 5;
    private static final int APPENDS = 24;
    private static final int SLOWEST_LOADING = 60;
    private static final int LATER_LEVEL = ClusterOperator.LATER.greatest();
    private static final int MOST_ATTEMPTS = 20;

    /** One seed in so many has moves of buckets among ends and pauses of processes, in quick succession. */
    private static final int AIMED = 7;

    private final Simulation simulation;
    private final Randomness random;
    private final GrowthScenario cluster;
    private final List<ChainCaller> chains = new ArrayList<>();
    private final TransactionHistory history = new TransactionHistory();
    private final SchemaCaller schema;
    private final boolean isMixed;
    private final boolean aimsAtMoves;
    private ClusterOperator operator;
    private ClusterFaults faults;

    FaultScenario(Simulation simulation) {
        this(simulation, BrokenRules.NONE);
    }

    /** A run whose engines do not keep some rules. */
    FaultScenario(Simulation simulation, BrokenRules broken) {
        this.simulation = simulation;
        random = simulation.randomness();
        aimsAtMoves = simulation.seed() % AIMED == 3;
        int count = 3 + random.nextInt(3);
        ClusterMachine.Shape shape = new ClusterMachine.Shape(
                count,
                2 + random.nextInt(3),
                Math.min(count - 1, random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(2)),
                random.chance(0.75),
                method(random.nextInt(5)),
                Duration.ofNanos(FAILURE_NS),
                random.chance(0.5) ? 1024 : 0);
        cluster = new GrowthScenario(simulation, shape, count + 1, random.chance(0.5) ? 300 : 0);
        cluster.network()
                .latency(10_000, random.chance(0.3) ? 5_000_000 : 100_000)
                .breaks(random.chance(0.3) ? 0.003 : 0);
        cluster.service().delays(100_000, random.chance(0.3) ? 300_000_000 : 5_000_000);
        if (random.chance(0.5)) {
            cluster.network().tellRefusals();
        }
        isMixed = random.chance(0.3);
        boolean loadsOnDemand = random.chance(0.4);
        cluster.nodes.forEach(node -> {
            node.withMore(ChainCaller.DDL).withPlannedStatements().withBroken(broken);
            if (isMixed && random.chance(0.5)) {
                node.withLevels(ClusterOperator.LATER);
            }
            if (loadsOnDemand && random.chance(0.7)) {
                node.onDemand(true).slowLoading(1 + random.nextInt(SLOWEST_LOADING));
            }
        });
        for (int i = 0; i < CHAIN_CALLERS; i++) {
            chains.add(new ChainCaller(i, cluster.nodes, random.fork(), APPENDS, history));
        }
        schema = new SchemaCaller(cluster.nodes, random.fork(), random.chance(0.5) ? 3 : 0);
    }

    private static LoggingMethod method(int number) {
        return switch (number) {
            case 0 -> LoggingMethod.BOUNDARY;
            case 1, 2 -> LoggingMethod.COMMAND;
            default -> LoggingMethod.PHYSIOLOGICAL;
        };
    }

    /** The number of faults by their class, behind a run. */
    Map<ClusterFault, Integer> counts() {
        return faults == null ? Map.of() : faults.counts();
    }

    void run() {
        simulation.onNodeFailure((node, role, cause) -> {
            if (operator == null) {
                throw cause;
            }
            operator.failed(node, cause);
        });
        try {
            runGuarded();
        } finally {
            // An orderly end waits for a time that does not pass any more.
            cluster.nodes.stream().filter(ClusterMachine::isUp).forEach(node -> node.ended(false));
        }
    }

    private void runGuarded() {
        cluster.start();
        operator = new ClusterOperator(cluster);
        if (isMixed) {
            operator.mix();
        }
        faults = new ClusterFaults(simulation, cluster, operator);
        if (aimsAtMoves) {
            faults.aimAtMoves();
        }
        cluster.load();
        chains.forEach(caller -> simulation.add("callers", caller));
        simulation.add("callers", schema);
        int phases = aimsAtMoves ? 10 + random.nextInt(20) : 2 + random.nextInt(5);
        long longestNs = aimsAtMoves ? 60_000_000L : 800_000_000L;
        for (int i = 0; i < phases && !operator.isClosed(); i++) {
            faults.strike();
            simulation.runFor(random.nextLong(longestNs));
            if (random.chance(aimsAtMoves ? 0.1 : 0.4)) {
                faults.heal();
                simulation.runFor(random.nextLong(600_000_000L));
            }
        }
        faults.heal();
        if (operator.isClosed() || random.chance(0.04) && reachSync() && losesCopies()) {
            return;
        }
        settle();
        if (isMixed && random.chance(0.5)) {
            upgrade();
        }
        check();
    }

    /** Runs with an operator who starts nodes that end because of what their disks did before. */
    private void reach(String what, BooleanSupplier condition) {
        cluster.reach(what, () -> {
            if (!operator.isClosed()) {
                operator.startAll();
            }
            return operator.isClosed() || condition.getAsBoolean();
        });
    }

    private boolean reachSync() {
        reach("replicas in sync", operator::isInSync);
        return !operator.isClosed();
    }

    private void settle() {
        cluster.stopCalls();
        chains.forEach(ChainCaller::stop);
        reach(
                "the end of all calls",
                () -> cluster.isAtRest() && chains.stream().allMatch(ChainCaller::isDone) && schema.isDone());
        reach("a settled cluster", () -> cluster.isSettled() && operator.isInSync() && operator.isLoaded());
        if (!operator.isClosed()) {
            operator.replaceDamagedDisk();
            reach(
                    "a settled cluster without damage",
                    () -> cluster.isSettled() && operator.isInSync() && operator.isLoaded());
        }
    }

    /** All nodes get the later program, one after the other, and the cluster goes to its level. */
    private void upgrade() {
        for (ClusterMachine node : List.copyOf(operator.machines())) {
            if (!operator.isClosed() && operator.isEarlier(node)) {
                node.kill(false);
                operator.upgrade(node);
                reach("an upgraded node in sync", () -> cluster.isSettled() && operator.isInSync());
            }
        }
        for (int attempts = 0; !operator.isClosed() && cluster.map().level() < LATER_LEVEL; attempts++) {
            assertThat(attempts).as("attempts to go to another level").isLessThan(MOST_ATTEMPTS);
            if (!reachSync()) {
                return;
            }
            CompletableFuture<PartitionMap> done =
                    cluster.begin(operator.machines().getFirst().number(), new MapOperation.Upgrade());
            reach("an answer of the upgrade", done::isDone);
            // News of the last restart may be late, and the operation is refused until they have come.
            simulation.runFor(500_000_000);
        }
        reach("a settled cluster at another level", () -> cluster.isSettled() && operator.isInSync());
    }

    private void check() {
        if (operator.isClosed()) {
            return;
        }
        cluster.check();
        faults.rows().check();
        TreeMap<Integer, List<Long>> ends = ChainCaller.chains(cluster.rows("Chains"));
        chains.forEach(caller -> caller.check(ends));
        history.check(new TreeMap<>(Map.of(0, ends)));
        schema.check();
    }

    /** All copies of a partition are lost: no node serves it, invents its rows, or says that a call ran. */
    private boolean losesCopies() {
        int partition = faults.loseCopies();
        if (partition < 0) {
            return false;
        }
        faults.heal();
        simulation.runFor(3_000_000_000L);
        for (ClusterMachine node : operator.machines()) {
            assertThat(node.replicas().stream().filter(ReplicaStatus::serves).map(ReplicaStatus::partition))
                    .as("partitions that %s serves", node)
                    .doesNotContain(partition);
        }
        ClusterMachine asked = operator.any(random);
        BucketMap buckets = asked.engine().buckets();
        long account = 0;
        while (buckets.partition(buckets.bucketOf(account)) != partition) {
            account++;
        }
        CompletableFuture<Reply> answer = asked.engine().callAsync("Balance", account);
        cluster.reach("an answer of a closed partition", answer::isDone);
        assertThat(answer.join().error()).as(answer.join().message()).isEqualTo(ErrorCode.PARTITION_UNAVAILABLE);
        return true;
    }
}
