package io.reprise.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Member;
import io.reprise.cluster.Membership;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.cluster.replica.Replica;
import io.reprise.cluster.replica.ReplicaSettings;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Three to five nodes with four or five partitions and callers, through phases of faults and quiet ones; the seed draws
 * which faults there are. In the end all heals: every call ends, every partition serves, nothing is held, all replicas
 * are equal, the accounts sum up to nothing, the pointers are one ring, and the history is strictly serializable.
 */
final class TransactionScenario {
    private static final long SESSION_NS = 2_000_000_000L;
    private static final long FAILURE_NS = 300_000_000L;
    private static final long HEARTBEAT_NS = 50_000_000L;
    private static final long MOST_STEPS = 400_000;
    private static final int CALLERS = 5;
    private static final int CALLS = 20;

    private final Simulation simulation;
    private final Randomness random;
    private final SimulatedLinks network;
    private final SimulatedMembership service;
    private final boolean forced;
    private final int partitions;
    private final int copies;
    private final List<TransactionNode> nodes = new ArrayList<>();
    private final List<TransactionCaller> callers = new ArrayList<>();
    private final TransactionHistory history = new TransactionHistory();
    private final Moments moments;
    private final Aims aimed;

    /** Two seeds in five aim several faults at one rule. */
    private final boolean aims;

    private boolean cutSinceWhole;

    TransactionScenario(Simulation simulation, Set<TransactionRule> broken) {
        this.simulation = simulation;
        random = simulation.randomness();
        network = new SimulatedLinks(simulation)
                .latency(10_000, random.chance(0.3) ? 5_000_000 : 100_000)
                .breaks(random.chance(0.3) ? 0.003 : 0);
        service = new SimulatedMembership(simulation, SESSION_NS)
                .delays(100_000, random.chance(0.3) ? 300_000_000 : 5_000_000);
        forced = random.chance(0.7);
        partitions = 4 + random.nextInt(2);
        int count = 3 + random.nextInt(3);
        copies = 1 + random.nextInt(3);
        long[] forces = {500_000, 30_000_000, 1_000_000_000};
        ReplicaSettings replicas =
                new ReplicaSettings(forced, HEARTBEAT_NS, FAILURE_NS, 1 + random.nextInt(8), 64, Set.of());
        TransactionSettings transactions = new TransactionSettings(
                20_000_000 + random.nextLong(80_000_000), 1_500_000_000, random.nextLong(250_000_000), broken);
        TransactionNode.Cluster cluster = new TransactionNode.Cluster(
                simulation,
                network,
                service,
                count,
                partitions,
                copies,
                forces[random.nextInt(forces.length)],
                random.chance(0.4) ? 0.01 : 0,
                replicas,
                transactions,
                initial());
        for (int i = 0; i < count; i++) {
            nodes.add(new TransactionNode(cluster, i + 1));
            if (random.chance(0.3)) {
                jumpClock(i + 1);
            }
        }
        for (int i = 0; i < CALLERS; i++) {
            callers.add(new TransactionCaller(i + 1, nodes, partitions, CALLS, random.fork(), history));
        }
        moments = new Moments(nodes, partitions);
        long kind = Math.floorMod(simulation.seed(), 5);
        aimed = kind == 4
                ? new VoteFaults(simulation, network, service, nodes, partitions, forced || copies == 1)
                : new AimedFaults(simulation, network, service, nodes, partitions);
        aims = kind >= 3;
        if (broken.isEmpty() && new SeededRandomness(simulation.seed() + 1).chance(0.5)) {
            // Drawn apart, so that the seeds that notice a broken rule stay.
            network.tellRefusals();
        }
    }

    private List<TreeMap<Integer, Long>> initial() {
        List<TreeMap<Integer, Long>> initial = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            TreeMap<Integer, Long> cells = new TreeMap<>();
            for (int account = 0; account < TransactionCaller.ACCOUNTS; account++) {
                cells.put(account, 0L);
            }
            Ring.initial(cells, i, partitions);
            initial.add(cells);
        }
        return initial;
    }

    private void jumpClock(int number) {
        simulation.clock(TransactionNode.name(number)).jumpWallClock(random.nextLong(4_000_000) - 2_000_000);
    }

    int toldCalls() {
        return history.told();
    }

    void run() {
        nodes.forEach(TransactionNode::start);
        for (TransactionCaller caller : callers) {
            simulation.add("callers", caller);
        }
        reach(this::isServing);
        int phases = 1 + random.nextInt(5);
        for (int i = 0; i < phases; i++) {
            fault();
            simulation.runFor(random.nextLong(1_000_000_000L));
            if (random.chance(0.6)) {
                heal();
                simulation.runFor(random.nextLong(600_000_000L));
            }
        }
        heal();
        reach(() -> callers.stream().allMatch(TransactionCaller::isDone));
        reach(this::isWhole);
        check();
    }

    // ---- Checks

    private void check() {
        TreeMap<Integer, TreeMap<Integer, List<Long>>> ends = new TreeMap<>();
        TreeMap<Integer, Long> pointers = new TreeMap<>();
        long sum = 0;
        for (int partition = 0; partition < partitions; partition++) {
            SimulatedStore end = leader(partition).store(partition);
            ends.put(partition, end.lists());
            sum += end.sum();
            pointers.putAll(end.cells().tailMap(SimulatedStore.POINTERS));
            for (TransactionNode node : nodes) {
                if (node.role(partition) == Replica.Role.FOLLOWER) {
                    SimulatedStore other = node.store(partition);
                    assertThat(other.lists())
                            .as("replicas of partition %s", partition)
                            .isEqualTo(end.lists());
                    assertThat(other.cells())
                            .as("replicas of partition %s", partition)
                            .isEqualTo(end.cells());
                }
            }
        }
        history.check(ends);
        assertThat(sum).as("sum of all accounts").isZero();
        long at = SimulatedStore.POINTERS;
        for (int length = 1; length <= pointers.size(); length++) {
            at = SimulatedStore.POINTERS + pointers.get((int) at);
            assertThat(at == SimulatedStore.POINTERS)
                    .as("the ring closes after %s of %s", length, pointers)
                    .isEqualTo(length == pointers.size());
        }
    }

    private TransactionNode leader(int partition) {
        return nodes.stream().filter(node -> node.leads(partition)).findFirst().orElseThrow();
    }

    private void reach(BooleanSupplier condition) {
        try {
            simulation.runUntil(condition, MOST_STEPS);
        } catch (AssertionError late) {
            if (!late.getMessage().contains("not reached")) {
                throw late;
            }
            throw new AssertionError("the partitions do not recover:\n" + describe(), late);
        }
    }

    private String describe() {
        Membership.VersionedMap map = service.map();
        StringBuilder text = new StringBuilder((forced ? "forced" : "replicated") + ", " + copies + " copies, map ");
        text.append(map.version());
        if (map.version() > 0) {
            text.append(": ").append(PartitionMap.decode(map.content()).partitions());
        }
        for (TransactionNode node : nodes) {
            text.append('\n').append(node);
        }
        return text.toString();
    }

    private boolean isServing() {
        for (int i = 0; i < partitions; i++) {
            int partition = i;
            if (nodes.stream()
                    .noneMatch(
                            node -> node.isUp() && node.transactions(partition).isServing())) {
                return false;
            }
        }
        return true;
    }

    /** Whether all nodes run and are in sync in their partitions, with nothing under way. */
    private boolean isWhole() {
        if (!isServing() || !nodes.stream().allMatch(TransactionNode::isUp)) {
            return false;
        }
        PartitionMap lines = PartitionMap.decode(service.map().content());
        for (int partition = 0; partition < partitions; partition++) {
            if (!isWhole(partition, lines.partitions().get(partition))) {
                return false;
            }
        }
        return true;
    }

    private boolean isWhole(int partition, Replicas line) {
        if (line.sync().size() != Math.min(copies, nodes.size())) {
            return false;
        }
        long index = -1;
        for (Member member : line.sync()) {
            TransactionNode node = nodes.get(member.node() - 1);
            Replica replica = node.replica(partition);
            boolean settled = node.incarnation() == member.incarnation()
                    && replica.entered() == line.epoch()
                    && (index == -1 || replica.applied() == index)
                    && (line.leader() != member.node()
                            || node.transactions(partition).isQuiet());
            if (!settled) {
                return false;
            }
            index = replica.applied();
        }
        return true;
    }

    // ---- Faults

    private void fault() {
        cutSinceWhole &= !isWhole();
        if (aims && random.chance(0.7)) {
            aimed.strike();
            return;
        }
        int number = 1 + random.nextInt(nodes.size());
        TransactionNode node = nodes.get(number - 1);
        switch (random.nextInt(22)) {
            case 0, 1 -> crash(node, false);
            case 2 -> crash(node, true);
            case 3 -> network.cut(name(number), name(1 + random.nextInt(nodes.size())));
            case 4 -> isolate(number, random.chance(0.5));
            case 5 -> service.cut(number);
            case 6 -> simulation.pause(name(number), random.nextLong(2_000_000_000L));
            case 7 -> nodes.forEach(each -> crash(each, random.chance(0.5)));
            case 8 -> service.outage();
            case 9 -> replaceDisk(node);
            case 10 -> jumpClock(number);
            case 11 -> breakLinks();
            case 12, 13, 14, 15 -> crashReplicas(aim());
            case 16, 17 -> stall();
            default -> strike(aim());
        }
        if (random.chance(0.3)) {
            nodes.stream().filter(each -> !each.isUp()).findFirst().ifPresent(TransactionNode::start);
        }
    }

    private static String name(int number) {
        return TransactionNode.name(number);
    }

    /** Runs until some transaction is in the middle of a step that is drawn; returns one of its partitions. */
    private int aim() {
        Moments.Kind kind = Moments.Kind.values()[random.nextInt(Moments.Kind.values().length)];
        long endNs = simulation.clock().nanoTime() + FAILURE_NS;
        int[] found = moments.find(kind);
        while (found.length == 0 && simulation.clock().nanoTime() < endNs) {
            simulation.step();
            found = moments.find(kind);
        }
        if (random.chance(0.5)) {
            simulation.runFor(random.nextLong(1_000_000));
        }
        if (random.chance(0.3)) {
            // Something else is in the way of the transaction, too.
            int other = 1 + random.nextInt(nodes.size());
            if (random.chance(0.5)) {
                simulation.pause(name(other), random.nextLong(1_000_000_000L));
            } else {
                network.cut(name(other), name(1 + random.nextInt(nodes.size())));
            }
        }
        return found.length == 0 ? random.nextInt(partitions) : found[random.nextInt(found.length)];
    }

    /** Something happens to the leader of a partition. */
    private void strike(int partition) {
        TransactionNode leader =
                nodes.stream().filter(node -> node.leads(partition)).findFirst().orElse(nodes.getFirst());
        int number = leader.number();
        switch (random.nextInt(6)) {
            case 0 -> crash(leader, false);
            case 1 -> crashAndStart(leader);
            case 2 -> isolate(number, false);
            case 3 -> isolate(number, true);
            case 4 -> simulation.pause(name(number), FAILURE_NS + random.nextLong(1_000_000_000L));
            default -> isolateFromFollowers(number, partition);
        }
    }

    /** The leader is replaced and does not learn it: it reaches other leaders, and neither its followers nor the service. */
    private void isolateFromFollowers(int number, int partition) {
        Replicas line =
                PartitionMap.decode(service.map().content()).partitions().get(partition);
        for (Member member : line.sync()) {
            if (member.node() != number) {
                network.cut(name(number), name(member.node()));
                if (random.chance(0.5)) {
                    network.cut(name(member.node()), name(number));
                }
            }
        }
        service.cut(number);
    }

    /** The power of all replicas of a partition fails, and comes back for some. */
    private void crashReplicas(int partition) {
        Replicas line =
                PartitionMap.decode(service.map().content()).partitions().get(partition);
        for (Member member : line.sync()) {
            crash(nodes.get(member.node() - 1), true);
        }
        if (random.chance(0.7)) {
            for (Member member : line.sync()) {
                TransactionNode node = nodes.get(member.node() - 1);
                if (!node.isUp()) {
                    node.start();
                }
            }
        }
    }

    /** Frames between some nodes wait for a while. */
    private void stall() {
        for (int i = 0; i < 3; i++) {
            network.cut(name(1 + random.nextInt(nodes.size())), name(1 + random.nextInt(nodes.size())));
        }
        simulation.runFor(random.nextLong(FAILURE_NS / 2));
        network.heal();
    }

    private void breakLinks() {
        for (int i = 0; i < 4; i++) {
            network.breakLinks(name(1 + random.nextInt(nodes.size())), name(1 + random.nextInt(nodes.size())));
        }
    }

    /** No frame reaches the node or leaves it; its callers stay. */
    private void isolate(int number, boolean fromService) {
        for (int other = 1; other <= nodes.size(); other++) {
            if (other != number) {
                network.cut(name(number), name(other));
                network.cut(name(other), name(number));
            }
        }
        if (fromService) {
            service.cut(number);
        }
    }

    /** A disk is replaced by an empty one; other replicas hold what it held. */
    private void replaceDisk(TransactionNode node) {
        if (forced && copies > 1 && isWhole()) {
            crash(node, false);
            node.wipe();
        }
    }

    private void crashAndStart(TransactionNode node) {
        crash(node, random.chance(0.7));
        if (!node.isUp()) {
            node.start();
        }
    }

    /**
     * A write that is acknowledged by receipt survives one power cut at a time: the next may come when all are in sync again.
     */
    private void crash(TransactionNode node, boolean power) {
        if (node.isUp()) {
            boolean cuts = power && (forced || copies == 1 || !cutSinceWhole);
            node.crash(cuts);
            cutSinceWhole |= cuts;
        }
    }

    private void heal() {
        network.heal();
        service.heal();
        nodes.stream().filter(node -> !node.isUp()).forEach(TransactionNode::start);
    }
}
