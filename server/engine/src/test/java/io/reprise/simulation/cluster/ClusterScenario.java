package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Membership;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.ReplicaStatus;
import io.reprise.cluster.Replicas;
import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Rows;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Two or three real engines with clients, through phases of faults and quiet ones; the seed draws which faults there are. In
 * the end all heals: every call has an answer, every partition is served, all replicas are in sync and hold the same, each
 * acknowledged write is there once.
 */
final class ClusterScenario {
    private static final long SESSION_NS = 2_000_000_000L;
    private static final long FAILURE_NS = 300_000_000L;
    private static final int PAYERS = 3;
    private static final long MOST_STEPS = 3_000_000;

    private final Simulation simulation;
    private final Randomness random;
    private final SimulatedLinks network;
    private final SimulatedMembership service;
    private final ClusterMachine.Shape shape;
    private final List<ClusterMachine> nodes = new ArrayList<>();
    private final List<ClusterCaller> callers = new ArrayList<>();
    private final List<BankCaller> payers = new ArrayList<>();
    private final SchemaCaller operator;
    private boolean cutSinceWhole;

    ClusterScenario(Simulation simulation) {
        this(simulation, false);
    }

    /**
     * A scenario of the simulation's seed.
     *
     * @param forces acknowledges by forced writes, also if the seed draws receipt
     */
    ClusterScenario(Simulation simulation, boolean forces) {
        this.simulation = simulation;
        random = simulation.randomness();
        network = new SimulatedLinks(simulation)
                .latency(10_000, random.chance(0.3) ? 5_000_000 : 100_000)
                .breaks(random.chance(0.3) ? 0.005 : 0);
        service = new SimulatedMembership(simulation, SESSION_NS)
                .delays(100_000, random.chance(0.3) ? 300_000_000 : 5_000_000);
        // Drawn apart, so that seeds which found something go on to find it.
        Randomness apart = new SeededRandomness(simulation.seed() + 1);
        operator = new SchemaCaller(nodes, apart.fork(), apart.chance(0.5) ? 3 : 0);
        // Drawn apart from those, too.
        boolean cuts = new SeededRandomness(simulation.seed() + 2).chance(0.35);
        int count = 2 + random.nextInt(2);
        shape = new ClusterMachine.Shape(
                count,
                1 + random.nextInt(3),
                random.nextInt(count),
                random.chance(0.6) || forces,
                method(random.chance(0.5), cuts),
                Duration.ofNanos(FAILURE_NS),
                apart.chance(0.5) ? 1024 : 0);
        if (apart.chance(0.5)) {
            network.tellRefusals();
        }
        boolean onDemand = new SeededRandomness(simulation.seed() + 3).chance(0.5);
        long snapshotEveryMs = random.chance(0.5) ? 300 : 0;
        for (int i = 0; i < count; i++) {
            nodes.add(new ClusterMachine(simulation, network, service, shape, i, snapshotEveryMs).onDemand(onDemand));
        }
        List<ClusterCaller.Account> accounts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            accounts.add(new ClusterCaller.Account(i));
        }
        for (ClusterCaller.Account account : accounts) {
            callers.add(new ClusterCaller(account, accounts, nodes, random.fork(), 30));
        }
        for (int i = 0; i < PAYERS; i++) {
            payers.add(new BankCaller(i, PAYERS, nodes, random.fork(), 12, cuts ? "Invoice" : "Pay"));
        }
    }

    private static LoggingMethod method(boolean commands, boolean cuts) {
        if (cuts) {
            return LoggingMethod.BOUNDARY;
        }
        return commands ? LoggingMethod.COMMAND : LoggingMethod.PHYSIOLOGICAL;
    }

    void run() {
        simulation.onNodeFailure((node, role, cause) -> {
            throw cause;
        });
        try {
            runGuarded();
        } catch (AssertionError | RuntimeException verdict) {
            nodes.forEach(ClusterMachine::abandon);
            throw verdict;
        }
        nodes.forEach(ClusterMachine::abandon);
    }

    private void runGuarded() {
        for (ClusterMachine node : nodes) {
            node.start();
            if (random.chance(0.3)) {
                node.slow(10_000, random.chance(0.5) ? 2_000_000 : 100_000_000);
            }
        }
        for (ClusterCaller caller : callers) {
            simulation.add("callers", caller);
        }
        for (BankCaller payer : payers) {
            simulation.add("callers", payer);
        }
        simulation.add("callers", operator);
        reach(() -> nodes.stream().anyMatch(node -> node.replicas().stream().anyMatch(ReplicaStatus::serves)));
        int phases = 1 + random.nextInt(4);
        for (int i = 0; i < phases; i++) {
            fault();
            simulation.runFor(random.nextLong(1_500_000_000L));
            if (random.chance(0.6)) {
                heal();
                simulation.runFor(random.nextLong(1_000_000_000L));
            }
        }
        heal();
        reach(() -> callers.stream().allMatch(ClusterCaller::isDone)
                && payers.stream().allMatch(BankCaller::isDone)
                && operator.isDone());
        reach(this::isWhole);
        check();
    }

    private void check() {
        for (ClusterCaller caller : callers) {
            int account = caller.own().id;
            caller.check(number("Balance", account), number("Notes", account));
        }
        for (BankCaller payer : payers) {
            assertThat(number("Balance", payer.account()))
                    .as("balance of %s", payer)
                    .isEqualTo(-payer.paid());
        }
        reach(this::isWhole);
        operator.check();
        for (int partition = 0; partition < shape.partitions(); partition++) {
            int checked = partition;
            List<Long> hashes = nodes.stream()
                    .filter(node -> node.replicas().stream().anyMatch(replica -> replica.partition() == checked))
                    .map(node -> node.engine().contentHashes()[checked])
                    .distinct()
                    .toList();
            assertThat(hashes)
                    .as("content of the replicas of partition %s", checked)
                    .hasSize(1);
        }
    }

    private Reprise leaderOf(long account) {
        int partition = nodes.getFirst()
                .engine()
                .buckets()
                .partition(nodes.getFirst().engine().buckets().bucketOf(account));
        return nodes.stream()
                .filter(node -> node.replicas().stream()
                        .anyMatch(replica -> replica.partition() == partition && replica.serves()))
                .findFirst()
                .orElseThrow()
                .engine();
    }

    /** Reads at the leader, again if the leader changes meanwhile. */
    private long number(String procedure, long account) {
        while (true) {
            reach(this::isWhole);
            var answer = leaderOf(account).callAsync(procedure, account);
            reach(answer::isDone);
            Reply reply = answer.join();
            if (reply.committed()) {
                Rows rows = reply.rows();
                return rows.next() ? rows.longAt(0) : 0;
            }
            assertThat(reply.error()).as(reply.message()).isIn(ErrorCode.PARTITION_UNAVAILABLE, ErrorCode.MOVED);
        }
    }

    private void reach(BooleanSupplier condition) {
        try {
            simulation.runUntil(condition, MOST_STEPS);
        } catch (AssertionError late) {
            throw new AssertionError("the cluster does not recover:\n" + describe(), late);
        }
    }

    private String describe() {
        Membership.VersionedMap map = service.map();
        StringBuilder text = new StringBuilder(shape + "\nmap " + map.version());
        if (map.version() > 0) {
            text.append(": ").append(PartitionMap.decode(map.content()).partitions());
        }
        nodes.forEach(node -> text.append('\n').append(node));
        callers.forEach(caller -> text.append('\n').append(caller));
        text.append('\n').append(operator);
        payers.forEach(payer -> text.append('\n').append(payer));
        return text.toString();
    }

    private void fault() {
        cutSinceWhole &= !isWhole();
        int number = random.nextInt(nodes.size());
        ClusterMachine node = nodes.get(number);
        switch (random.nextInt(11)) {
            case 0, 1 -> crash(node, false);
            case 2 -> crash(node, true);
            case 3 -> network.cut(ClusterMachine.name(number), ClusterMachine.name(random.nextInt(nodes.size())));
            case 4 -> isolate(number, random.chance(0.5));
            case 5 -> service.cut(number);
            case 6 -> simulation.pause(ClusterMachine.name(number), random.nextLong(2_000_000_000L));
            case 7 -> nodes.forEach(each -> crash(each, shape.forced() && random.chance(0.5)));
            case 8 -> service.outage();
            case 9 -> replaceDisk(node);
            default -> cutPowerWhileSuspected(number);
        }
        if (random.chance(0.3)) {
            nodes.stream().filter(each -> !each.isUp()).findFirst().ifPresent(ClusterMachine::start);
        }
    }

    private void isolate(int number, boolean fromService) {
        for (int other = 0; other < nodes.size(); other++) {
            if (other != number) {
                network.cut(ClusterMachine.name(number), ClusterMachine.name(other));
                network.cut(ClusterMachine.name(other), ClusterMachine.name(number));
            }
        }
        if (fromService) {
            service.cut(number);
        }
    }

    /** An empty disk is no fault that a lone copy survives, nor, by receipt, one that comes before the others know of it. */
    private void replaceDisk(ClusterMachine node) {
        if (shape.forced() && shape.kSafety() == nodes.size() - 1 && shape.kSafety() > 0 && isWhole()) {
            crash(node, false);
            node.wipe();
        }
    }

    private void cutPowerWhileSuspected(int number) {
        isolate(number, random.chance(0.3));
        simulation.runFor(FAILURE_NS / 2 + random.nextLong(FAILURE_NS));
        if (random.chance(0.5)) {
            heal();
            simulation.runFor(random.nextLong(FAILURE_NS));
        }
        ClusterMachine victim = nodes.get(random.nextInt(nodes.size()));
        crash(victim, true);
        if (!victim.isUp()) {
            victim.start();
        }
    }

    /** A write that is acknowledged by receipt survives one power cut at a time: the next may come when all are in sync again. */
    private void crash(ClusterMachine node, boolean power) {
        if (node.isUp() && !isLastReceiver(node)) {
            boolean cuts = power && (shape.forced() || !cutSinceWhole && shape.kSafety() > 0);
            node.kill(cuts);
            cutSinceWhole |= cuts;
        }
    }

    /**
     * Whether this node is the last of several in-sync replicas by receipt: records that all of them received and none has
     * written are nowhere else, and the guarantee does not cover them.
     */
    private boolean isLastReceiver(ClusterMachine node) {
        Membership.VersionedMap map = service.map();
        if (shape.forced() || map.version() == 0) {
            return false;
        }
        return PartitionMap.decode(map.content()).partitions().stream()
                .anyMatch(line -> line.sync().size() > 1
                        && line.has(node.member())
                        && nodes.stream()
                                .noneMatch(other -> other != node && other.isUp() && line.has(other.member())));
    }

    private void heal() {
        network.heal();
        service.heal();
        nodes.stream().filter(node -> !node.isUp()).forEach(ClusterMachine::start);
    }

    /** Whether all nodes run and are in sync in each of their partitions, with nothing under way. */
    private boolean isWhole() {
        Membership.VersionedMap map = service.map();
        if (map.version() == 0 || !nodes.stream().allMatch(ClusterMachine::isUp)) {
            return false;
        }
        List<Replicas> lines = PartitionMap.decode(map.content()).partitions();
        long[] indexes = new long[lines.size()];
        boolean[] served = new boolean[lines.size()];
        int[] held = new int[lines.size()];
        for (ClusterMachine node : nodes) {
            for (ReplicaStatus replica : node.replicas()) {
                int partition = replica.partition();
                Replicas line = lines.get(partition);
                boolean settled = line.has(node.member())
                        && replica.epoch() == line.epoch()
                        && (replica.serves() || replica.role().equals("FOLLOWER"))
                        && (indexes[partition] == 0 || indexes[partition] == replica.lastIndex());
                if (!settled) {
                    return false;
                }
                indexes[partition] = replica.lastIndex();
                served[partition] |= replica.serves();
                held[partition]++;
            }
        }
        for (int partition = 0; partition < held.length; partition++) {
            if (!served[partition] || held[partition] <= shape.kSafety()) {
                return false;
            }
        }
        return true;
    }
}
