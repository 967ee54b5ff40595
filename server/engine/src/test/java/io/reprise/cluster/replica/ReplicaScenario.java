package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Member;
import io.reprise.cluster.Membership;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.execution.BucketMap;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Two or three nodes with callers, through phases of faults and quiet ones; the seed draws which faults there are. In
 * the end all heals: every call ends, every partition is led, all replicas are in sync and equal, and the history is
 * linearizable.
 */
final class ReplicaScenario {
    private static final long SESSION_NS = 2_000_000_000L;
    private static final long FAILURE_NS = 300_000_000L;
    private static final long HEARTBEAT_NS = 50_000_000L;
    private static final long MOST_STEPS = 3_000_000;

    private final Simulation simulation;
    private final Randomness random;
    private final SimulatedLinks network;
    private final SimulatedMembership service;
    private final boolean forced;
    private final int partitions;
    private final List<ReplicaNode> nodes = new ArrayList<>();
    private final List<ReplicaCaller> callers = new ArrayList<>();
    private final ReplicaHistory history = new ReplicaHistory();
    private boolean cutSinceWhole;

    /** Draws the losses of the map; null if there are none. */
    private Randomness losses;

    /** Whether the recovered map may be made of too few logs. */
    private boolean carelessly;

    private int recoveries;
    private int refusals;

    ReplicaScenario(Simulation simulation, Set<Rule> broken) {
        this.simulation = simulation;
        random = simulation.randomness();
        network = new SimulatedLinks(simulation)
                .latency(10_000, random.chance(0.3) ? 5_000_000 : 100_000)
                .breaks(random.chance(0.3) ? 0.005 : 0);
        service = new SimulatedMembership(simulation, SESSION_NS)
                .delays(100_000, random.chance(0.3) ? 300_000_000 : 5_000_000);
        forced = random.chance(0.5);
        partitions = 1 + random.nextInt(2);
        int count = 2 + random.nextInt(2);
        long[] forces = {500_000, 30_000_000, 1_500_000_000};
        long mostForceNs = forces[random.nextInt(forces.length)];
        ReplicaSettings settings =
                new ReplicaSettings(forced, HEARTBEAT_NS, FAILURE_NS, 1 + random.nextInt(8), 48, broken);
        int window = random.chance(0.5) ? 1 + random.nextInt(40) : Integer.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            nodes.add(new ReplicaNode(
                    simulation, network, service, settings, i + 1, count, partitions, mostForceNs, window));
        }
        if (broken.isEmpty()) {
            // Drawn apart, so that the seeds that notice a broken rule stay.
            limit(new SeededRandomness(simulation.seed() + 1));
        }
        for (int i = 0; i < 3; i++) {
            callers.add(new ReplicaCaller(i + 1, nodes, partitions, 60, random.fork(), history));
        }
    }

    /**
     * The membership service loses its data between the phases, and the map is made anew of the logs of nodes that run.
     *
     * @param carelessly whether any log will do, which breaks the rule
     */
    ReplicaScenario losingMaps(boolean carelessly) {
        losses = new SeededRandomness(simulation.seed() + 2);
        this.carelessly = carelessly;
        nodes.forEach(node -> node.delayNotes(losses.fork()));
        return this;
    }

    /** The number of maps that were made anew. */
    int recoveries() {
        return recoveries;
    }

    /** The number of times that too few nodes were running for a new map. */
    int refusals() {
        return refusals;
    }

    private void limit(Randomness drawn) {
        if (drawn.chance(0.5)) {
            network.tellRefusals();
        }
        int ring = drawn.chance(0.3) ? 4 + drawn.nextInt(20) : Integer.MAX_VALUE;
        double lends = drawn.chance(0.3) ? 0.01 : 0;
        nodes.forEach(node -> node.limit(ring, lends, drawn.fork()));
        if (drawn.chance(0.3)) {
            nodes.forEach(node -> node.loadWhileRunning(1 + drawn.nextInt(1_500), drawn.fork()));
        }
    }

    /** The records that leaders have read for peers because they were not at hand. */
    long olderRecords() {
        return nodes.stream().mapToLong(ReplicaNode::olderRecords).sum();
    }

    int toldCalls() {
        return history.size();
    }

    void run() {
        nodes.forEach(ReplicaNode::start);
        for (ReplicaCaller caller : callers) {
            simulation.add("callers", caller);
        }
        simulation.runUntil(this::isLed, MOST_STEPS);
        if (losses != null) {
            reach(() -> isWhole() && nodes.stream().allMatch(ReplicaNode::isNoted));
        }
        int phases = 1 + random.nextInt(5);
        for (int i = 0; i < phases; i++) {
            fault();
            simulation.runFor(random.nextLong(1_500_000_000L));
            if (losses != null && losses.chance(0.7)) {
                loseMap();
            }
            if (random.chance(0.6)) {
                heal();
                simulation.runFor(random.nextLong(1_000_000_000L));
            }
        }
        heal();
        reach(() -> callers.stream().allMatch(ReplicaCaller::isDone));
        reach(this::isWhole);
        for (int partition = 0; partition < partitions; partition++) {
            int checked = partition;
            ReplicaNode leader = nodes.stream()
                    .filter(node -> node.replica(checked).role() == Replica.Role.LEADER)
                    .findFirst()
                    .orElseThrow();
            history.check(partition, leader.machine(partition));
            for (ReplicaNode node : nodes) {
                assertThat(node.machine(partition).entries())
                        .as("replica of partition %s at another node", partition)
                        .isEqualTo(leader.machine(partition).entries());
            }
        }
    }

    private void reach(BooleanSupplier condition) {
        try {
            simulation.runUntil(condition, MOST_STEPS);
        } catch (AssertionError late) {
            throw new AssertionError("the partitions do not recover:\n" + describe(), late);
        }
    }

    private String describe() {
        Membership.VersionedMap map = service.map();
        StringBuilder text = new StringBuilder("map " + map.version());
        if (map.content().length > 0) {
            text.append(": ").append(PartitionMap.decode(map.content()).partitions());
        }
        for (ReplicaNode node : nodes) {
            text.append('\n').append(node);
        }
        return text.toString();
    }

    private void fault() {
        cutSinceWhole &= !isWhole();
        int number = 1 + random.nextInt(nodes.size());
        ReplicaNode node = nodes.get(number - 1);
        switch (random.nextInt(13)) {
            case 0, 1 -> crash(node, false);
            case 2 -> crash(node, true);
            case 3 -> network.cut(ReplicaNode.name(number), ReplicaNode.name(1 + random.nextInt(nodes.size())));
            case 4 -> isolate(number, random.chance(0.5));
            case 5 -> service.cut(number);
            case 6 -> simulation.pause(ReplicaNode.name(number), random.nextLong(2_000_000_000L));
            case 7 -> nodes.forEach(each -> crash(each, forced && random.chance(0.5)));
            case 8 -> service.outage();
            case 9 -> replaceDisk(node);
            case 10 -> cutPowerWhileSuspected(number);
            case 11 -> cutPowerWhileJoining(node);
            default -> isolateWhileJoining(number);
        }
        if (random.chance(0.3)) {
            nodes.stream().filter(each -> !each.isUp()).findFirst().ifPresent(ReplicaNode::start);
        }
    }

    /** No frame reaches the node or leaves it; its callers stay. */
    private void isolate(int number, boolean service) {
        for (int other = 1; other <= nodes.size(); other++) {
            if (other != number) {
                network.cut(ReplicaNode.name(number), ReplicaNode.name(other));
                network.cut(ReplicaNode.name(other), ReplicaNode.name(number));
            }
        }
        if (service) {
            this.service.cut(number);
        }
    }

    /**
     * A disk is replaced by an empty one, and the node comes back under its old name. By receipt alone the partition would
     * stay closed if all members ended before the others have removed it.
     */
    private void replaceDisk(ReplicaNode node) {
        if (forced && losses == null && isWhole()) {
            crash(node, false);
            node.wipe();
        }
    }

    /** The power of either side goes about when the other is removed. */
    private void cutPowerWhileSuspected(int number) {
        isolate(number, random.chance(0.3));
        simulation.runFor(FAILURE_NS / 2 + random.nextLong(FAILURE_NS));
        if (random.chance(0.5)) {
            heal();
            simulation.runFor(random.nextLong(FAILURE_NS));
        }
        untilAsked();
        simulation.runFor(random.nextLong(FAILURE_NS));
        crashAndStart(random.chance(0.5) ? nodes.get(number - 1) : nodes.get(random.nextInt(nodes.size())));
    }

    private void cutPowerWhileJoining(ReplicaNode node) {
        crash(node, false);
        simulation.runFor(FAILURE_NS + random.nextLong(FAILURE_NS));
        heal();
        simulation.runFor(random.nextLong(FAILURE_NS));
        crashAndStart(nodes.get(random.nextInt(nodes.size())));
    }

    private void isolateWhileJoining(int number) {
        crash(nodes.get(number % nodes.size()), false);
        simulation.runFor(FAILURE_NS + random.nextLong(FAILURE_NS));
        heal();
        untilAsked();
        isolate(number, true);
    }

    /** Until a change of the map is on its way, and a little longer. */
    private void untilAsked() {
        long endNs = simulation.clock().nanoTime() + 2 * FAILURE_NS;
        while (!service.isAsked() && simulation.clock().nanoTime() < endNs) {
            simulation.step();
        }
        simulation.runFor(random.nextLong(1_000_000));
    }

    private void crashAndStart(ReplicaNode node) {
        crash(node, true);
        if (!node.isUp()) {
            node.start();
        }
    }

    /**
     * A write that is acknowledged by receipt survives one power cut at a time: the next may come when all are in sync again.
     */
    private void crash(ReplicaNode node, boolean power) {
        if (node.isUp()) {
            boolean cuts = power && (forced || !cutSinceWhole);
            node.crash(cuts);
            cutSinceWhole |= cuts;
        }
    }

    private void heal() {
        network.heal();
        service.heal();
        nodes.stream().filter(node -> !node.isUp()).forEach(ReplicaNode::start);
    }

    /** All nodes end and the map is lost. Some nodes start, and more until their logs are enough. */
    private void loseMap() {
        boolean power = forced && losses.chance(0.5);
        nodes.forEach(node -> crash(node, power));
        network.heal();
        service.heal();
        service.lose();
        List<ReplicaNode> down = new ArrayList<>(nodes);
        while (!down.isEmpty()) {
            ReplicaNode next = down.remove(losses.nextInt(down.size()));
            next.start();
            simulation.runUntil(() -> service.live().size() == nodes.size() - down.size(), MOST_STEPS);
            MapRecovery.Result result = MapRecovery.plan(
                    BucketMap.dealt(partitions),
                    entries(),
                    accepted(),
                    TimeUnit.MICROSECONDS.toSeconds(simulation.clock().epochMicros()));
            if (result.map().isPresent()) {
                service.put(result.map().get().encode());
                recoveries++;
                return;
            }
            refusals++;
        }
        throw new AssertionError("the logs of all nodes make no map:\n" + describe());
    }

    private SortedMap<Integer, NodeEntry> entries() {
        SortedMap<Integer, NodeEntry> entries = new TreeMap<>();
        service.live().forEach((node, bytes) -> entries.put(node, NodeEntry.decode(bytes)));
        return entries;
    }

    private SortedMap<Integer, Integer> accepted() {
        SortedMap<Integer, Integer> accepted = new TreeMap<>();
        for (int partition = 0; carelessly && partition < partitions; partition++) {
            accepted.put(partition, MapRecovery.LONGEST);
        }
        return accepted;
    }

    private boolean isLed() {
        return nodes.stream().anyMatch(node -> node.isUp() && node.replica(0).role() == Replica.Role.LEADER);
    }

    /** Whether all nodes run and are in sync in each partition, with nothing under way. */
    private boolean isWhole() {
        Membership.VersionedMap map = service.map();
        if (map.content().length == 0 || !nodes.stream().allMatch(ReplicaNode::isUp)) {
            return false;
        }
        PartitionMap lines = PartitionMap.decode(map.content());
        for (int partition = 0; partition < partitions; partition++) {
            Replicas line = lines.partitions().get(partition);
            long index = -1;
            for (int i = 0; i < nodes.size(); i++) {
                ReplicaNode node = nodes.get(i);
                Replica replica = node.replica(partition);
                boolean settled = line.has(new Member(i + 1, node.incarnation()))
                        && replica.entered() == line.epoch()
                        && replica.role() != Replica.Role.COLLECTING
                        && (index == -1 || replica.applied() == index);
                if (!settled) {
                    return false;
                }
                index = replica.applied();
            }
        }
        return true;
    }
}
