package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.MapOperation;
import io.reprise.cluster.Member;
import io.reprise.cluster.Membership;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.ReplicaStatus;
import io.reprise.cluster.Replicas;
import io.reprise.engine.Reply;
import io.reprise.engine.Stats;
import io.reprise.execution.BucketMap;
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

/** Real engines with clients, to which nodes are added and from which nodes are removed. Each acknowledged write stays. */
final class GrowthScenario {
    private static final long MOST_STEPS = 5_000_000;
    private static final int PAYERS = 2;

    final Simulation simulation;
    final List<ClusterMachine> nodes = new ArrayList<>();
    private final SimulatedLinks network;
    private final SimulatedMembership service;
    private final ClusterMachine.Shape shape;
    private final List<ClusterCaller> callers = new ArrayList<>();
    private final List<BankCaller> payers = new ArrayList<>();

    /** Machines of which the first {@code nodes} begin the cluster; the others do not run. */
    GrowthScenario(Simulation simulation, int nodes, int all, int partitions, int kSafety, Duration failure) {
        this(simulation, nodes, all, partitions, kSafety, failure, 0);
    }

    /** The same with snapshots at intervals. */
    GrowthScenario(
            Simulation simulation,
            int nodes,
            int all,
            int partitions,
            int kSafety,
            Duration failure,
            long snapshotEveryMs) {
        this(
                simulation,
                new ClusterMachine.Shape(nodes, partitions, kSafety, true, LoggingMethod.COMMAND, failure),
                all,
                snapshotEveryMs);
    }

    /** The same with all settings. */
    GrowthScenario(Simulation simulation, ClusterMachine.Shape shape, int all, long snapshotEveryMs) {
        this.simulation = simulation;
        this.shape = shape;
        network = new SimulatedLinks(simulation);
        service = new SimulatedMembership(simulation, 2_000_000_000L);
        for (int i = 0; i < all; i++) {
            this.nodes.add(new ClusterMachine(simulation, network, service, shape, i, snapshotEveryMs));
        }
    }

    // ---- The cluster

    SimulatedLinks network() {
        return network;
    }

    SimulatedMembership service() {
        return service;
    }

    ClusterMachine.Shape shape() {
        return shape;
    }

    void start() {
        for (int i = 0; i < shape.nodes(); i++) {
            nodes.get(i).start();
        }
        reach("all in sync", this::isSettled);
    }

    /** Clients call until {@link #check}. */
    void load() {
        List<ClusterCaller.Account> accounts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            accounts.add(new ClusterCaller.Account(i));
        }
        for (ClusterCaller.Account account : accounts) {
            callers.add(new ClusterCaller(
                    account, accounts, nodes, simulation.randomness().fork(), Integer.MAX_VALUE));
        }
        String procedure = shape.method() == LoggingMethod.BOUNDARY ? "Invoice" : "Pay";
        for (int i = 0; i < PAYERS; i++) {
            payers.add(new BankCaller(i, PAYERS, nodes, simulation.randomness().fork(), Integer.MAX_VALUE, procedure));
        }
        callers.forEach(caller -> simulation.add("callers", caller));
        payers.forEach(payer -> simulation.add("callers", payer));
        simulation.runFor(200_000_000);
    }

    /** Clients begin no further call; each call that is under way gets its answer. */
    void rest() {
        stopCalls();
        reach("the end of all calls", this::isAtRest);
    }

    /** Clients begin no further call. */
    void stopCalls() {
        callers.forEach(ClusterCaller::stop);
        payers.forEach(BankCaller::stop);
    }

    /** Whether no call is under way. */
    boolean isAtRest() {
        return callers.stream().allMatch(ClusterCaller::isDone)
                && payers.stream().allMatch(BankCaller::isDone);
    }

    PartitionMap map() {
        return PartitionMap.decode(service.map().content());
    }

    /** The membership service does not answer until {@link #heal}. */
    void outage() {
        service.outage();
    }

    void heal() {
        service.heal();
    }

    /** The version of the map. */
    int version() {
        return service.map().version();
    }

    /** Brings an operation into the map at a node. */
    CompletableFuture<PartitionMap> begin(int node, MapOperation operation) {
        return nodes.get(node).engine().operate(operation);
    }

    /** The same, and waits for the map. */
    PartitionMap operate(int node, MapOperation operation) {
        CompletableFuture<PartitionMap> done = begin(node, operation);
        reach(operation + " in the map", done::isDone);
        return done.join();
    }

    /** Whether all goals are reached, and each holder that runs is in sync. */
    boolean isSettled() {
        Membership.VersionedMap versioned = service.map();
        if (versioned.version() == 0) {
            return false;
        }
        PartitionMap map = PartitionMap.decode(versioned.content());
        if (map.moving() > 0 || map.movingBuckets() > 0 || !map.removing().isEmpty()) {
            return false;
        }
        long[] indexes = new long[map.partitions().size()];
        int served = 0;
        for (ClusterMachine node : nodes) {
            if (!node.isUp()) {
                continue;
            }
            for (ReplicaStatus replica : node.replicas()) {
                Replicas line = map.partitions().get(replica.partition());
                int at = replica.partition();
                boolean settled = line.has(node.member())
                        && replica.epoch() == line.epoch()
                        && (indexes[at] == 0 || indexes[at] == replica.lastIndex());
                if (!settled) {
                    return false;
                }
                indexes[at] = replica.lastIndex();
                served += replica.serves() ? 1 : 0;
            }
        }
        return served == indexes.length
                && map.partitions().stream()
                        .allMatch(line -> line.sync().size() == line.holders().size());
    }

    /** While no fault occurs: no operation takes away a replica before another one is in sync. */
    void requireCopies() {
        Membership.VersionedMap versioned = service.map();
        for (Replicas line : PartitionMap.decode(versioned.content()).partitions()) {
            assertThat(line.sync())
                    .as("members of version %d", versioned.version())
                    .hasSizeGreaterThan(shape.kSafety());
        }
    }

    void reachWithCopies(String what, BooleanSupplier condition) {
        reach(what, () -> {
            requireCopies();
            return condition.getAsBoolean();
        });
    }

    void reach(String what, BooleanSupplier condition) {
        try {
            simulation.runUntil(condition, MOST_STEPS);
        } catch (AssertionError late) {
            throw new AssertionError("not reached: " + what + "\n" + describe(), late);
        }
    }

    String describe() {
        Membership.VersionedMap versioned = service.map();
        StringBuilder text = new StringBuilder("map " + versioned.version());
        if (versioned.version() > 0) {
            text.append(' ').append(PartitionMap.decode(versioned.content()));
        }
        nodes.forEach(node -> text.append('\n').append(node));
        callers.forEach(caller -> text.append('\n').append(caller));
        payers.forEach(payer -> text.append('\n').append(payer));
        return text.toString();
    }

    /** The replicas that a node holds. */
    int replicas(int node) {
        return nodes.get(node).replicas().size();
    }

    /** The partitions that a node serves. */
    long leads(int node) {
        ClusterMachine at = nodes.get(node);
        return at.isUp() ? at.replicas().stream().filter(ReplicaStatus::serves).count() : 0;
    }

    // ---- The verdict

    /**
     * Awaits a cluster that stays settled for so long that meters of tables, which are read twice in a second, are of its rows. A starved
     * node may be taken for a dead one, and comes back.
     */
    private void settle() {
        for (int i = 0; i < 20; i++) {
            reach("a settled cluster", this::isSettled);
            long version = service.map().version();
            simulation.runFor(600_000_000);
            if (isSettled() && service.map().version() == version) {
                return;
            }
        }
        throw new AssertionError("the cluster at rest does not stay settled");
    }

    /** Ends the load: each call has its answer, each acknowledged write is there once, and replicas are equal. */
    void check() {
        rest();
        for (ClusterCaller caller : callers) {
            long account = caller.own().id;
            caller.check(number("Balance", account), number("Notes", account));
        }
        for (BankCaller payer : payers) {
            assertThat(number("Balance", payer.account())).isEqualTo(-payer.paid());
        }
        settle();
        List<Replicas> lines = map().partitions();
        for (int partition = 0; partition < lines.size(); partition++) {
            int checked = partition;
            List<Long> hashes = nodes.stream()
                    .filter(ClusterMachine::isUp)
                    .filter(node -> lines.get(checked).has(node.member()))
                    .map(node -> contentHash(node, checked))
                    .toList();
            assertThat(hashes).as("replicas of partition %d", partition).hasSize(shape.kSafety() + 1);
            assertThat(hashes.stream().distinct()).hasSize(1);
            nodes.stream()
                    .filter(ClusterMachine::isUp)
                    .filter(node -> !lines.get(checked).has(node.member()))
                    .forEach(node -> assertThat(
                                    node.engine().metrics().partitions().get(checked).tables().values().stream()
                                            .mapToLong(Stats.TableStats::rows)
                                            .sum())
                            .as("rows of partition %d at %s", checked, node)
                            .isZero());
        }
    }

    /** After {@link #check}: each account is in one partition, and partitions without buckets have no rows. */
    void requireRowsAtTheirPlaces() {
        long opened = callers.stream().filter(caller -> caller.own().open).count()
                + payers.stream().filter(BankCaller::isOpened).count();
        assertThat(number("Opened")).isEqualTo(opened);
        simulation.runFor(600_000_000);
        BucketMap buckets = nodes.getFirst().engine().buckets();
        for (int partition = 0; partition < buckets.partitions(); partition++) {
            if (buckets.buckets(partition).length > 0) {
                continue;
            }
            for (ClusterMachine node : nodes) {
                assertThat(node.engine().metrics().partitions().get(partition).tables().values().stream()
                                .mapToLong(Stats.TableStats::rows)
                                .sum())
                        .as("rows of partition %d at %s", partition, node)
                        .isZero();
            }
        }
    }

    /** Again as long as a transaction that another node has to end holds a partition. */
    private long contentHash(ClusterMachine node, int partition) {
        for (int i = 0; ; i++) {
            try {
                return node.engine().contentHashes()[partition];
            } catch (ProcedureException held) {
                assertThat(i).as(held.getMessage()).isLessThan(100);
                simulation.runFor(50_000_000);
            }
        }
    }

    /** Reads at any node that leads. */
    long number(String procedure, Object... arguments) {
        Rows rows = rows(procedure, arguments);
        return rows.next() ? rows.longAt(0) : 0;
    }

    /** The rows of a read at any node that leads. */
    Rows rows(String procedure, Object... arguments) {
        for (int i = 0; ; i++) {
            ClusterMachine node = nodes.get(i % nodes.size());
            if (!node.isUp()) {
                continue;
            }
            CompletableFuture<Reply> answer = node.engine().callAsync(procedure, arguments);
            reach("an answer of " + procedure, answer::isDone);
            Reply reply = answer.join();
            if (reply.committed()) {
                return reply.rows();
            }
            assertThat(reply.error()).as(reply.message()).isIn(ErrorCode.PARTITION_UNAVAILABLE, ErrorCode.MOVED);
            assertThat(i).isLessThan(1000);
            simulation.runFor(5_000_000);
        }
    }

    Member member(int node) {
        return nodes.get(node).member();
    }

    void end() {
        nodes.forEach(ClusterMachine::abandon);
    }
}
