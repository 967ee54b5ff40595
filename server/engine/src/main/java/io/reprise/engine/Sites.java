package io.reprise.engine;

import io.reprise.execution.Admission;
import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Execution;
import io.reprise.execution.LocalPartitions;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.SiteLayout;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.TransactionQueue;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.RoomSignal;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.order.InitiatorClock;
import io.reprise.runtime.time.Clock;
import io.reprise.txn.coordinator.Coordinator;
import io.reprise.txn.initiator.CallsOverNodes;
import io.reprise.txn.initiator.ClientPort;
import io.reprise.txn.initiator.Gathering;
import io.reprise.txn.initiator.Initiator;
import io.reprise.txn.initiator.Pace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The sites of a node and their connections. A site has an initiator and the executors of its partitions; a ring leads from
 * each initiator to each partition. All of them are agents, which the owner of the sites runs.
 */
public final class Sites {
    /**
     * Settings of sites.
     *
     * @param lookAhead number of stamped transactions that may wait in one ring, apart from gathered ones
     * @param lookAheadNs time that the waiting stamped transactions should last, with several sites
     * @param gather number of multi-partition transactions that may be gathered, so that sites meet once for all of
     *     them
     * @param gatherNs the longest time that these wait for others
     * @param inboundCapacity number of requests from other threads that may wait at an initiator
     * @param cycleLimit number of transactions that an executor may run in a duty cycle
     */
    public record Settings(
            int lookAhead, long lookAheadNs, int gather, long gatherNs, int inboundCapacity, int cycleLimit) {
        /** The usual settings. */
        public static Settings usual() {
            return new Settings(16, 2_000, 256, 1 << 23, 4096, 16);
        }

        /** The same with room for so many requests from other threads. */
        public Settings withInboundCapacity(int capacity) {
            return new Settings(lookAhead, lookAheadNs, gather, gatherNs, capacity, cycleLimit);
        }
    }

    private final AtomicReference<BucketMap> buckets;
    private final List<Partition> partitions;
    private final LocalPartitions local;
    private final SiteLayout layout;
    private final List<CommitGate> gates;
    private final List<SiteMeter> meters;
    private final List<Initiator> initiators = new ArrayList<>();
    private final List<PartitionExecutor> executors = new ArrayList<>();
    private final Waker[] wakers;
    private final List<InitiatorClock> clocks = new ArrayList<>();
    private CallsOverNodes overNodes;

    /**
     * Sites over the given partitions.
     *
     * @param partitions by slot
     * @param wakers by site, what wakes its thread; null entries where nothing has to be woken
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
        this(settings, buckets, partitions, wakers, clock, gates, meters, idsAbove, null);
    }

    /**
     * The same for a node of a cluster.
     *
     * @param admissions by slot; null on a node that serves alone
     */
    Sites(
            Settings settings,
            BucketMap buckets,
            List<Partition> partitions,
            Waker[] wakers,
            Clock clock,
            List<? extends CommitGate> gates,
            List<SiteMeter> meters,
            long idsAbove,
            List<? extends Admission> admissions) {
        this.buckets = new AtomicReference<>(buckets);
        this.wakers = wakers.clone();
        this.partitions = List.copyOf(partitions);
        this.gates = List.copyOf(gates);
        this.meters = List.copyOf(meters);
        local = partitions.getFirst().peers();
        layout = local.layout();
        int count = layout.sites();
        RoomSignal[] rooms = rooms();
        List<List<SpscRing<Execution>>> ringsBySite = new ArrayList<>();
        for (int site = 0; site < count; site++) {
            clocks.add(new InitiatorClock(idsAbove));
            ringsBySite.add(rings(settings, site));
            List<Partition> own = partitions(site);
            initiators.add(new Initiator(
                    own.getFirst().id(),
                    site,
                    admissions != null,
                    local,
                    clock,
                    clocks.get(site),
                    new MpscRing<>(settings.inboundCapacity(), wakers[site]),
                    settings.inboundCapacity(),
                    ringsBySite.get(site),
                    roomsElsewhere(rooms, site),
                    pace(settings, own, count),
                    gathering(settings, meters.get(site), count)));
        }
        for (Partition partition : partitions) {
            int site = partition.site();
            List<SpscRing<Execution>> ringsToIt = new ArrayList<>();
            for (List<SpscRing<Execution>> rings : ringsBySite) {
                ringsToIt.add(rings.get(partition.slot()));
            }
            executors.add(new PartitionExecutor(
                    partition,
                    new TransactionQueue(ringsToIt, clocks, site, rooms[partition.slot()]),
                    new Coordinator(gates.get(site), meters.get(site), wakersElsewhere(site)),
                    gates.get(site),
                    meters.get(site),
                    settings.cycleLimit(),
                    admissions == null ? null : admissions.get(partition.slot())));
        }
    }

    private static Pace pace(Settings settings, List<Partition> own, int sites) {
        return new Pace(own, settings.lookAhead(), sites == 1 ? Long.MAX_VALUE : settings.lookAheadNs());
    }

    private static Gathering gathering(Settings settings, SiteMeter meter, int sites) {
        return new Gathering(meter::stoodStillNs, sites == 1 ? 0 : settings.gatherNs(), settings.gather());
    }

    /** By slot, the signal to the other sites when the partition's executor has made room; null if no other site sleeps. */
    private RoomSignal[] rooms() {
        RoomSignal[] rooms = new RoomSignal[partitions.size()];
        for (int slot = 0; slot < rooms.length; slot++) {
            List<Waker> others = new ArrayList<>(Arrays.asList(wakers));
            others.remove(layout.siteOf(slot));
            others.removeIf(Objects::isNull);
            rooms[slot] = others.isEmpty() ? null : new RoomSignal(others);
        }
        return rooms;
    }

    /** A site's own executors make room on the same thread. */
    private RoomSignal[] roomsElsewhere(RoomSignal[] rooms, int site) {
        RoomSignal[] elsewhere = rooms.clone();
        for (int slot = 0; slot < elsewhere.length; slot++) {
            if (layout.siteOf(slot) == site) {
                elsewhere[slot] = null;
            }
        }
        return elsewhere;
    }

    /** By slot, the wakers of other sites: a site at work runs each of its executors again before it sleeps. */
    private Waker[] wakersElsewhere(int site) {
        Waker[] elsewhere = new Waker[partitions.size()];
        for (int slot = 0; slot < elsewhere.length; slot++) {
            elsewhere[slot] = layout.siteOf(slot) == site ? null : wakers[layout.siteOf(slot)];
        }
        return elsewhere;
    }

    /** From the initiator of a site to each partition. */
    private List<SpscRing<Execution>> rings(Settings settings, int site) {
        int capacity = Math.max(settings.lookAhead(), layout.sites() == 1 ? 0 : settings.gather());
        List<SpscRing<Execution>> rings = new ArrayList<>();
        for (Waker waker : wakersElsewhere(site)) {
            rings.add(new SpscRing<>(capacity, waker));
        }
        return rings;
    }

    /** Before the first port is made: takes the calls over several partitions. */
    void callOverNodesBy(CallsOverNodes calls) {
        overNodes = calls;
    }

    /** Takes a call over several partitions, if this is a node of a cluster and it is one. */
    boolean callsOverNodes(Execution execution) {
        return overNodes != null && overNodes.take(execution);
    }

    /** Has all initiators stamp above an id; false if one could not promise it just now. Any thread. */
    boolean stampAbove(long id) {
        boolean promised = true;
        for (InitiatorClock each : clocks) {
            promised &= each.promiseAtLeast(id) >= id;
        }
        return promised;
    }

    /** The number of sites. */
    public int count() {
        return layout.sites();
    }

    /** The partition of each bucket, as it is now. Any thread; a transaction reads it once. */
    public BucketMap buckets() {
        return buckets.get();
    }

    /** Transactions are routed by this map from now on. Any thread. */
    public void route(BucketMap map) {
        buckets.set(map);
    }

    /** All partitions, by slot. */
    public List<Partition> partitions() {
        return partitions;
    }

    /** The partitions of a site. */
    public List<Partition> partitions(int site) {
        return partitions.stream().filter(partition -> partition.site() == site).toList();
    }

    /** The site that runs the partition with that id. */
    public int siteOf(int partition) {
        return local.siteOf(partition);
    }

    /** The initiator of a site. */
    public Initiator initiator(int site) {
        return initiators.get(site);
    }

    /** The executor of a partition. */
    public PartitionExecutor executor(Partition partition) {
        return executors.get(partition.slot());
    }

    /** The meter of a site. */
    public SiteMeter meter(int site) {
        return meters.get(site);
    }

    /** The gate of a site, between the end of its transactions and their replies. */
    public CommitGate gate(int site) {
        return gates.get(site);
    }

    /** Makes a port for an agent that will run on the site's thread. */
    public ClientPort port(int site, int capacity) {
        return new ClientPort(
                initiators.get(site), this::buckets, site, meters.get(site), capacity, wakers[site], overNodes);
    }
}
