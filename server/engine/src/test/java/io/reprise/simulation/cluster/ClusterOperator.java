package io.reprise.simulation.cluster;

import io.reprise.cluster.Levels;
import io.reprise.cluster.Member;
import io.reprise.cluster.Membership;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.log.DamagedLogException;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.file.StorageException;
import io.reprise.snapshot.file.DamagedSnapshotException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The operator of a simulated cluster: starts machines that are down, and replaces a disk that a node refuses to open, if other
 * nodes have all of its rows.
 *
 * <p>A node that ends by itself, or can't be started, is a failure of the product unless a fault of its disk is the cause.
 */
final class ClusterOperator {
    /** The levels of a later program. */
    static final Levels LATER = new Levels(Levels.OWN.least(), Levels.OWN.greatest() + 1);

    /** The time for which faults of disks have effects behind their end. */
    private static final long HEALED_NS = 2_000_000_000L;

    private final GrowthScenario cluster;
    private final List<ClusterMachine> machines = new ArrayList<>();

    /** Nodes that may end because of their disks, by faults that pass, and the time until which they may. */
    private final Map<ClusterMachine, Long> excusedUntilNs = new HashMap<>();

    /** The node whose disk may have wrong bytes; one at a time. */
    private ClusterMachine damaged;

    /** Whether programs of two levels are in use. */
    private boolean isMixed;

    private ClusterMachine slow;
    private boolean isClosed;

    /** All machines that are up belong to the cluster. */
    ClusterOperator(GrowthScenario cluster) {
        this.cluster = cluster;
        cluster.nodes.stream().filter(ClusterMachine::isUp).forEach(machines::add);
    }

    List<ClusterMachine> machines() {
        return machines;
    }

    ClusterMachine any(Randomness random) {
        return machines.get(random.nextInt(machines.size()));
    }

    /** Whether the only copy of some partition is on a disk that can't be opened. */
    boolean isClosed() {
        return isClosed;
    }

    /** Ends the run without a verdict. */
    void giveUp() {
        isClosed = true;
    }

    // ---- Programs of two levels

    /** Some of the machines run a later program, as do all that are introduced. */
    void mix() {
        isMixed = true;
    }

    boolean isMixed() {
        return isMixed;
    }

    /** Whether the node runs the earlier of two programs. */
    boolean isEarlier(ClusterMachine node) {
        return isMixed && !node.levels().equals(LATER);
    }

    /** While the node is down: it gets the later program. */
    void upgrade(ClusterMachine node) {
        node.withLevels(LATER);
    }

    /** Starts a machine that was not there; null if there is none. */
    ClusterMachine introduce() {
        if (machines.size() == cluster.nodes.size()) {
            return null;
        }
        ClusterMachine next = cluster.nodes.get(machines.size());
        machines.add(next);
        if (isMixed) {
            upgrade(next);
        }
        start(next);
        return next;
    }

    // ---- The map

    /** Whether all machines run, and each replica is in sync under the incarnation that runs. */
    boolean isInSync() {
        Membership.VersionedMap versioned = cluster.service().map();
        if (versioned.version() == 0 || !machines.stream().allMatch(ClusterMachine::isUp)) {
            return false;
        }
        return PartitionMap.decode(versioned.content()).partitions().stream()
                .allMatch(line -> !line.isMoving()
                        && line.sync().size() == line.holders().size()
                        && line.sync().stream().allMatch(this::runs));
    }

    /** Whether no machine has rows to load. */
    boolean isLoaded() {
        return machines.stream().allMatch(node -> node.isUp() && node.isLoaded());
    }

    private boolean runs(Member member) {
        return machines.stream().anyMatch(node -> node.isUp() && node.member().equals(member));
    }

    /**
     * Whether each partition of which the node is an in-sync member has another one that runs. Only with forced writes: a write
     * that is acknowledged by receipt may be nowhere else.
     */
    boolean mayLoseDisk(ClusterMachine node) {
        Membership.VersionedMap versioned = cluster.service().map();
        if (versioned.version() == 0 || !cluster.shape().forced() || damaged != null && damaged != node) {
            return false;
        }
        return PartitionMap.decode(versioned.content()).partitions().stream()
                .filter(line -> line.member(node.number()).isPresent())
                .allMatch(line ->
                        line.sync().stream().anyMatch(member -> member.node() != node.number() && runs(member)));
    }

    /** The same, where other in-sync members need not run: they have the rows on their disks. */
    private boolean mayBeReplaced(ClusterMachine node) {
        return cluster.map().partitions().stream()
                .filter(line -> line.member(node.number()).isPresent())
                .allMatch(line -> line.sync().size() > 1);
    }

    /**
     * Whether this node is the last of several in-sync replicas by receipt: records that all of them received and none has
     * written are nowhere else, and the guarantee does not cover them.
     */
    boolean isLastReceiver(ClusterMachine node) {
        Membership.VersionedMap versioned = cluster.service().map();
        if (cluster.shape().forced() || versioned.version() == 0) {
            return false;
        }
        for (Replicas line : PartitionMap.decode(versioned.content()).partitions()) {
            boolean others =
                    machines.stream().anyMatch(other -> other != node && other.isUp() && line.has(other.member()));
            if (line.sync().size() > 1 && line.has(node.member()) && !others) {
                return true;
            }
        }
        return false;
    }

    // ---- Disks

    /** The node may end because of its disk until all has healed, and for a while behind it. */
    void excuse(ClusterMachine node) {
        excusedUntilNs.put(node, Long.MAX_VALUE);
    }

    /** Whether some node may end because of its disk. */
    boolean hasExcuses() {
        return excusedUntilNs.values().stream().anyMatch(untilNs -> nowNs() <= untilNs);
    }

    private long nowNs() {
        return cluster.simulation.clock().nanoTime();
    }

    /** The node's disk may have wrong bytes until it is replaced. */
    void damaged(ClusterMachine node) {
        damaged = node;
    }

    boolean isDamaged(ClusterMachine node) {
        return damaged == node;
    }

    boolean hasDamage() {
        return damaged != null;
    }

    /**
     * Whether the end of a node leaves each partition to a sound disk. A damaged log may look like one with a torn end: such a node must not
     * be the first that reopens a partition, so others of its partitions run until the map knows its new incarnation.
     */
    boolean mayEnd(ClusterMachine node) {
        if (damaged == null) {
            return true;
        }
        if (damaged == node) {
            return mayLoseDisk(node);
        }
        return damaged.isUp()
                && cluster.map().partitions().stream()
                        .flatMap(line -> line.member(damaged.number()).stream())
                        .allMatch(damaged.member()::equals);
    }

    /** Forces of the node take so long from now on. One disk is slow at a time, because calls under way are nested. */
    boolean slow(ClusterMachine node, long leastNs, long mostNs) {
        if (slow != null && slow != node) {
            return false;
        }
        slow = mostNs == 0 ? null : node;
        node.slow(leastNs, mostNs);
        return true;
    }

    // ---- Starts and ends

    /** A node has failed, and its agents are dropped. */
    void failed(String name, Throwable cause) throws Throwable {
        ClusterMachine node = machines.stream()
                .filter(each -> ClusterMachine.name(each.number()).equals(name))
                .findFirst()
                .orElseThrow();
        if (!isExcused(node, cause)) {
            throw cause;
        }
        node.ended(false);
    }

    private boolean isExcused(ClusterMachine node, Throwable failure) {
        if (damaged != node && nowNs() > excusedUntilNs.getOrDefault(node, Long.MIN_VALUE)) {
            return false;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StorageException
                    || cause instanceof DamagedLogException
                    || cause instanceof DamagedSnapshotException) {
                return true;
            }
        }
        return false;
    }

    /** Starts the first machine that is down. */
    void startSome() {
        machines.stream().filter(node -> !node.isUp()).findFirst().ifPresent(this::start);
    }

    /** Starts all machines that are down. */
    void startAll() {
        machines.stream().filter(node -> !node.isUp()).forEach(this::start);
    }

    /** Starts a machine; one that refuses to open a damaged disk gets an empty one, if that loses nothing. */
    void start(ClusterMachine node) {
        Optional<RuntimeException> failure = node.tryStart();
        if (failure.isEmpty()) {
            return;
        }
        if (!isExcused(node, failure.get())) {
            throw new AssertionError(node + " can't be started", failure.get());
        }
        if (damaged != node) {
            return;
        }
        if (mayBeReplaced(node)) {
            wipe(node);
            node.start();
        } else {
            isClosed = true;
        }
    }

    /** The node gets an empty disk. */
    void wipe(ClusterMachine node) {
        node.wipe();
        excusedUntilNs.remove(node);
        if (damaged == node) {
            damaged = null;
        }
    }

    /** Disks have no faults from now on, and all machines run. */
    void heal() {
        machines.forEach(node -> node.faults().none());
        excusedUntilNs.replaceAll((node, untilNs) -> Math.min(untilNs, nowNs() + HEALED_NS));
        slow = null;
        startAll();
    }

    /** A disk that may be damaged is replaced while all replicas are in sync. */
    void replaceDamagedDisk() {
        if (damaged != null) {
            ClusterMachine node = damaged;
            node.kill(true);
            wipe(node);
            node.start();
        }
    }
}
