package io.reprise.engine;

import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Invocation;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.TransactionQueue;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.RoomSignal;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.order.InitiatorClock;
import io.reprise.runtime.time.Clock;
import io.reprise.txn.coordinator.Coordinator;
import io.reprise.txn.initiator.ClientPort;
import io.reprise.txn.initiator.Gathering;
import io.reprise.txn.initiator.Initiator;
import io.reprise.txn.initiator.Pace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The sites of a node and how they are connected: one site for each partition, with an initiator and an executor, and a
 * ring from each initiator to each partition. Says nothing about threads: the parts are agents, and whoever makes the
 * sites has them run.
 */
public final class Sites {
    /**
     * How sites are made.
     *
     * @param lookAhead how many stamped transactions may wait in one ring at most, but for those that were gathered
     * @param lookAheadNs how long the stamped transactions that wait should last, where there are several sites
     * @param gather how many multi-partition transactions are gathered at most, so that sites meet once for all of them
     * @param gatherNs how long these wait for others at most
     * @param inboundCapacity how many requests from other threads may wait at an initiator
     * @param cycleLimit how many transactions an executor runs in a duty cycle at most
     */
    public record Settings(
            int lookAhead, long lookAheadNs, int gather, long gatherNs, int inboundCapacity, int cycleLimit) {
        /** What serves most uses. */
        public static Settings usual() {
            return new Settings(16, 2_000, 256, 1 << 23, 4096, 16);
        }

        /** The same with room for so many requests from other threads. */
        public Settings withInboundCapacity(int capacity) {
            return new Settings(lookAhead, lookAheadNs, gather, gatherNs, capacity, cycleLimit);
        }
    }

    private final BucketMap buckets;
    private final List<Partition> partitions;
    private final List<CommitGate> gates;
    private final List<SiteMeter> meters;
    private final List<Initiator> initiators = new ArrayList<>();
    private final List<PartitionExecutor> executors = new ArrayList<>();
    private final Waker[] wakers;

    /**
     * Sites over the given partitions.
     *
     * @param wakers what wakes each site's thread; null entries where nothing has to be woken
     * @param gates by site
     * @param meters by site
     * @param idsAbove all transactions get ids above this one
     */
    public Sites(
            Settings settings,
            BucketMap buckets,
            List<Partition> partitions,
            Waker[] wakers,
            Clock clock,
            List<? extends CommitGate> gates,
            List<SiteMeter> meters,
            long idsAbove) {
        this.buckets = buckets;
        this.wakers = wakers.clone();
        this.partitions = List.copyOf(partitions);
        this.gates = List.copyOf(gates);
        this.meters = List.copyOf(meters);
        int count = partitions.size();
        RoomSignal[] rooms = rooms(wakers);
        List<InitiatorClock> clocks = new ArrayList<>();
        List<List<SpscRing<Invocation>>> ringsByInitiator = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clocks.add(new InitiatorClock(idsAbove));
            ringsByInitiator.add(rings(settings, i, count));
            initiators.add(new Initiator(
                    i,
                    clock,
                    clocks.get(i),
                    new MpscRing<>(settings.inboundCapacity(), wakers[i]),
                    settings.inboundCapacity(),
                    ringsByInitiator.get(i),
                    roomsElsewhere(rooms, i),
                    pace(settings, partitions.get(i), count),
                    gathering(settings, meters.get(i), count)));
        }
        for (int i = 0; i < count; i++) {
            List<SpscRing<Invocation>> ringsToIt = new ArrayList<>();
            for (List<SpscRing<Invocation>> rings : ringsByInitiator) {
                ringsToIt.add(rings.get(i));
            }
            executors.add(new PartitionExecutor(
                    partitions.get(i),
                    new TransactionQueue(ringsToIt, clocks, i, rooms[i]),
                    new Coordinator(gates.get(i), meters.get(i), this.wakers),
                    gates.get(i),
                    meters.get(i),
                    settings.cycleLimit()));
        }
    }

    private static Pace pace(Settings settings, Partition partition, int count) {
        return new Pace(partition, settings.lookAhead(), count == 1 ? Long.MAX_VALUE : settings.lookAheadNs());
    }

    private static Gathering gathering(Settings settings, SiteMeter meter, int count) {
        return new Gathering(meter::stoodStillNs, count == 1 ? 0 : settings.gatherNs(), settings.gather());
    }

    /** By partition, what wakes the other sites when its executor has made room; null where there is nobody to wake. */
    private static RoomSignal[] rooms(Waker[] wakers) {
        RoomSignal[] rooms = new RoomSignal[wakers.length];
        for (int partition = 0; partition < rooms.length; partition++) {
            List<Waker> others = new ArrayList<>(Arrays.asList(wakers));
            others.remove(partition);
            others.removeIf(Objects::isNull);
            rooms[partition] = others.isEmpty() ? null : new RoomSignal(others);
        }
        return rooms;
    }

    /** A site's own executor makes room on the same thread. */
    private static RoomSignal[] roomsElsewhere(RoomSignal[] rooms, int site) {
        RoomSignal[] elsewhere = rooms.clone();
        elsewhere[site] = null;
        return elsewhere;
    }

    /** From one initiator to each partition; only other sites have to be woken. */
    private List<SpscRing<Invocation>> rings(Settings settings, int initiator, int count) {
        List<SpscRing<Invocation>> rings = new ArrayList<>();
        for (int partition = 0; partition < count; partition++) {
            int capacity = Math.max(settings.lookAhead(), count == 1 ? 0 : settings.gather());
            rings.add(new SpscRing<>(capacity, partition == initiator ? null : wakers[partition]));
        }
        return rings;
    }

    /** How many there are. */
    public int count() {
        return partitions.size();
    }

    /** Which partition holds which bucket. */
    public BucketMap buckets() {
        return buckets;
    }

    /** All partitions. */
    public List<Partition> partitions() {
        return partitions;
    }

    /** The initiator of a site. */
    public Initiator initiator(int site) {
        return initiators.get(site);
    }

    /** The executor of a site. */
    public PartitionExecutor executor(int site) {
        return executors.get(site);
    }

    /** What measures a site. */
    public SiteMeter meter(int site) {
        return meters.get(site);
    }

    /** What a site's transactions pass between their end and their replies. */
    public CommitGate gate(int site) {
        return gates.get(site);
    }

    /** Makes a port for an agent that will run on the site's thread. */
    public ClientPort port(int site, int capacity) {
        return new ClientPort(initiators.get(site), buckets, site, meters.get(site), capacity, wakers[site]);
    }
}
