package io.reprise.simulation.cluster;

import io.reprise.cluster.MapOperation;
import io.reprise.cluster.PartitionMap;
import io.reprise.execution.BucketMap;
import io.reprise.runtime.Randomness;
import io.reprise.simulation.DiskFaults;
import io.reprise.simulation.Simulation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Faults that happen to a cluster of real engines. The seed draws which of them a run has, and when. */
final class ClusterFaults {
    private static final long LONGEST_PAUSE_NS = 2_000_000_000L;
    private static final long SECONDS_MICROS = 4_000_000;
    private static final long HOUR_MICROS = 3_600_000_000L;
    private static final int MOST_DISK_CALLS = 60;
    private static final int MOST_ATTEMPTS = 4;

    private final Simulation simulation;
    private final GrowthScenario cluster;
    private final ClusterOperator operator;
    private final Randomness random;
    private final DivergedRows rows;
    private final List<ClusterFault> drawn = new ArrayList<>();
    private final Map<ClusterFault, Integer> counts = new EnumMap<>(ClusterFault.class);

    /** Power was cut since all replicas were in sync: a write by receipt survives one cut at a time. */
    private boolean cutSinceWhole;

    ClusterFaults(Simulation simulation, GrowthScenario cluster, ClusterOperator operator) {
        this.simulation = simulation;
        this.cluster = cluster;
        this.operator = operator;
        random = simulation.randomness();
        rows = new DivergedRows(cluster, operator);
        Arrays.stream(ClusterFault.values())
                .filter(fault -> fault != ClusterFault.COPIES_LOST && random.chance(0.5))
                .forEach(drawn::add);
        drawn.add(random.chance(0.5) ? ClusterFault.KILL : ClusterFault.POWER_LOSS);
    }

    /** Before the first fault: moves of buckets are among few others. */
    void aimAtMoves() {
        drawn.clear();
        drawn.addAll(List.of(
                ClusterFault.BUCKET_MOVE,
                ClusterFault.BUCKET_MOVE,
                ClusterFault.BUCKET_MOVE,
                ClusterFault.KILL,
                ClusterFault.PAUSE));
    }

    /** The number of faults by their class. */
    Map<ClusterFault, Integer> counts() {
        return counts;
    }

    /** One of the faults that this run has. Some can't happen in the present state of the cluster. */
    void strike() {
        cutSinceWhole &= !(cluster.isSettled() && operator.isInSync());
        for (int attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
            ClusterFault fault = drawn.get(random.nextInt(drawn.size()));
            ClusterMachine node = operator.any(random);
            if (happens(fault, node)) {
                count(fault);
                simulation.event(fault.name(), node.number(), 0);
                break;
            }
        }
        if (random.chance(0.3)) {
            operator.startSome();
        }
    }

    private void count(ClusterFault fault) {
        counts.merge(fault, 1, Integer::sum);
    }

    private boolean happens(ClusterFault fault, ClusterMachine node) {
        return switch (fault) {
            case KILL -> crash(node, false);
            case POWER_LOSS -> crash(node, true);
            case ALL_KILLED -> crashAll();
            case ONE_WAY_CUT -> cut(node.number(), operator.any(random).number());
            case ISOLATED -> isolate(node.number());
            case SERVICE_CUT -> {
                cluster.service().cut(node.number());
                yield true;
            }
            case SERVICE_OUTAGE -> {
                cluster.outage();
                yield true;
            }
            case PAUSE -> {
                simulation.pause(ClusterMachine.name(node.number()), random.nextLong(LONGEST_PAUSE_NS));
                yield true;
            }
            case CLOCK_JUMP -> jump(node.number());
            case WIPED_DISK -> wipe(node);
            case FAILED_CALL -> fail(node);
            case FULL_DISK -> refuse(node, DiskFaults.Refusal.FULL);
            case READ_ONLY_DISK -> refuse(node, DiskFaults.Refusal.READ_ONLY);
            case BIT_ROT, MISDIRECTED_WRITE, LOST_WRITE -> damage(node, fault);
            case SLOW_DISK -> operator.slow(node, 10_000, random.chance(0.5) ? 2_000_000 : 100_000_000);
            case FROZEN_DISK -> freeze(node);
            case BUCKET_MOVE -> moveBuckets(node);
            case NODE_ADDED -> add(node);
            case NODE_REMOVED ->
                operate(node, new MapOperation.Remove(operator.any(random).number()));
            case OPERATION_CANCELED -> operate(node, new MapOperation.Cancel());
            case DIVERGED_ROW -> diverge();
            case NODE_UPGRADED -> upgrade(node);
            case CLUSTER_UPGRADED -> operator.isMixed() && operate(node, new MapOperation.Upgrade());
            case COPIES_LOST -> false;
        };
    }

    /** All faults end, and all machines run. */
    void heal() {
        cluster.network().heal();
        cluster.heal();
        operator.heal();
    }

    // ---- Ends of processes

    private boolean crash(ClusterMachine node, boolean power) {
        if (!node.isUp() || operator.isLastReceiver(node) || !operator.mayEnd(node)) {
            return false;
        }
        boolean forced = cluster.shape().forced();
        boolean cuts = power
                && !operator.isDamaged(node)
                && (forced || !cutSinceWhole && cluster.shape().kSafety() > 0);
        node.kill(cuts);
        cutSinceWhole |= cuts;
        return true;
    }

    private boolean crashAll() {
        if (operator.hasDamage()) {
            return false;
        }
        boolean some = false;
        for (ClusterMachine each : operator.machines()) {
            some |= crash(each, cluster.shape().forced() && random.chance(0.5));
        }
        return some;
    }

    // ---- Network and clocks

    private boolean cut(int from, int to) {
        cluster.network().cut(ClusterMachine.name(from), ClusterMachine.name(to));
        return from != to;
    }

    private boolean isolate(int number) {
        for (ClusterMachine other : operator.machines()) {
            if (other.number() != number) {
                cut(number, other.number());
                cut(other.number(), number);
            }
        }
        if (random.chance(0.5)) {
            cluster.service().cut(number);
        }
        return true;
    }

    private boolean jump(int number) {
        long most = random.chance(0.7) ? SECONDS_MICROS : HOUR_MICROS;
        simulation.clock(ClusterMachine.name(number)).jumpWallClock(random.nextLong(2 * most + 1) - most);
        return true;
    }

    // ---- Disks

    /**
     * Each partition of the node has another in-sync replica. By receipt that one need not have what it has acknowledged on its
     * own disk.
     */
    private boolean wipe(ClusterMachine node) {
        if (!operator.mayLoseDisk(node)) {
            return false;
        }
        if (node.isUp()) {
            node.kill(random.chance(0.5));
        }
        operator.wipe(node);
        return true;
    }

    /** A node ends that can't force: by receipt this is like a loss of power. */
    private boolean fail(ClusterMachine node) {
        if (!cluster.shape().forced() || !node.isUp() || operator.hasDamage()) {
            return false;
        }
        operator.excuse(node);
        node.faults().failCall(1 + random.nextLong(MOST_DISK_CALLS));
        return true;
    }

    private boolean refuse(ClusterMachine node, DiskFaults.Refusal why) {
        if (!cluster.shape().forced() || !node.isUp() || operator.hasDamage()) {
            return false;
        }
        operator.excuse(node);
        node.faults().refuseFromCall(1 + random.nextLong(MOST_DISK_CALLS), why);
        return true;
    }

    /** The disk is damaged, and the node meets it while it runs or when it starts again. */
    private boolean damage(ClusterMachine node, ClusterFault fault) {
        if (!node.isUp() || !operator.mayLoseDisk(node) || operator.hasExcuses()) {
            return false;
        }
        operator.damaged(node);
        long write = 1 + random.nextLong(MOST_DISK_CALLS / 2);
        boolean done = switch (fault) {
            case MISDIRECTED_WRITE -> {
                node.faults().misdirectWrite(write);
                yield true;
            }
            case LOST_WRITE -> {
                node.faults().loseWrite(write);
                yield true;
            }
            default -> node.rot();
        };
        simulation.runFor(random.nextLong(1_500_000_000L));
        if (node.isUp() && operator.mayLoseDisk(node)) {
            node.kill(random.chance(0.5));
            simulation.runFor(random.nextLong(500_000_000L));
            operator.start(node);
        }
        return done;
    }

    /** One force at least takes longer than the failure timeout, and perhaps than the session. */
    private boolean freeze(ClusterMachine node) {
        long ns = 500_000_000L + random.nextLong(2_500_000_000L);
        if (!operator.slow(node, ns, ns)) {
            return false;
        }
        simulation.runFor(random.nextLong(1_000_000_000L));
        operator.slow(node, 0, 0);
        return true;
    }

    // ---- Rows

    /** Nothing else goes wrong until the row is written again: a leader that ends before it would leave the choice to chance. */
    private boolean diverge() {
        heal();
        simulation.runFor(1_000_000_000L);
        return rows.strike();
    }

    /** The rows that have differed. */
    DivergedRows rows() {
        return rows;
    }

    // ---- Operations

    private boolean moveBuckets(ClusterMachine at) {
        if (!at.isUp()) {
            return false;
        }
        BucketMap buckets = at.engine().buckets();
        SortedMap<Integer, Integer> goals = new TreeMap<>();
        int from = random.nextInt(buckets.partitions());
        int to = random.nextInt(buckets.partitions());
        for (int bucket : buckets.buckets(from)) {
            if (random.chance(0.5)) {
                goals.put(bucket, to);
            }
        }
        at.engine().moveBuckets(goals);
        return from != to && !goals.isEmpty();
    }

    private boolean add(ClusterMachine at) {
        ClusterMachine added = operator.introduce();
        if (added == null) {
            added = operator.any(random);
        }
        simulation.runFor(random.nextLong(200_000_000));
        return operate(at, new MapOperation.Add(added.number()));
    }

    private boolean upgrade(ClusterMachine node) {
        if (!operator.isEarlier(node) || node.isUp() && !crash(node, false)) {
            return false;
        }
        operator.upgrade(node);
        operator.start(node);
        return true;
    }

    /** An operation that the map refuses changes nothing. */
    private boolean operate(ClusterMachine at, MapOperation operation) {
        if (!at.isUp()) {
            return false;
        }
        at.engine().operate(operation);
        return true;
    }

    // ---- The last one

    /** All nodes of a partition lose their disks at once. Returns the partition, or -1. */
    int loseCopies() {
        if (!operator.isInSync()) {
            return -1;
        }
        PartitionMap map = cluster.map();
        int partition = random.nextInt(map.partitions().size());
        for (ClusterMachine node : operator.machines()) {
            if (map.partitions().get(partition).member(node.number()).isPresent()) {
                node.kill(true);
                operator.wipe(node);
            }
        }
        count(ClusterFault.COPIES_LOST);
        return partition;
    }
}
