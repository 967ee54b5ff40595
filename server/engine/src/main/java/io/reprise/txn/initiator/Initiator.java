package io.reprise.txn.initiator;

import io.reprise.execution.Execution;
import io.reprise.execution.LocalPartitions;
import io.reprise.id.TransactionId;
import io.reprise.procedure.ErrorCode;
import io.reprise.recovery.demand.LoadProxy;
import io.reprise.runtime.Invariants;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.RoomSignal;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.order.InitiatorClock;
import io.reprise.runtime.time.Clock;
import java.util.BitSet;
import java.util.List;

/**
 * Gives transactions their ids and sends them to the partitions that take part, one ring for each partition.
 *
 * <p>It stamps no more than these short rings hold, and of that no more than the {@link Pace} allows: stamped
 * transactions have their place in the global order already, and a multi-partition transaction that is stamped later
 * waits behind them. The rest waits unstamped, in bounded queues; when those are full, a request is refused at once
 * with OVERLOADED.
 *
 * <p>Multi-partition transactions are stamped several at a time, see {@link Gathering}.
 *
 * <p>A transaction that can't be sent because a participant's ring is full holds back all behind it. The delay is no
 * longer than one transaction of that partition, and no transaction overtakes it. The initiator is told when there is room,
 * because its thread may sleep.
 */
public final class Initiator implements Agent {
    private final int number;
    private final int site;
    private final boolean inCluster;
    private final LocalPartitions partitions;
    private final Clock clock;
    private final InitiatorClock promise;
    private final MpscRing<Execution> inbound;
    private final LocalQueue local;
    private final SpscRing<Execution>[] rings;
    private final RoomSignal[] rooms;
    private final Pace pace;
    private final Gathering gathering;

    /** The number of transactions sent to each partition, and the number of them that it had taken at the last look. */
    private final long[] sent;

    private final long[] taken;
    private Execution heldBack;
    private long last;
    private long stamped;
    private boolean preferLocal = true;

    /** Null when all buckets are loaded. */
    private Parking parking;

    /**
     * An initiator.
     *
     * @param number the low bits of its ids: the id of a partition that no other initiator has
     * @param site the site that runs it
     * @param inCluster whether coordinators of other transactions may have its number
     * @param partitions of the node
     * @param inbound requests of other threads
     * @param localCapacity number of requests of agents on the same thread that may wait
     * @param rings to each partition, by slot
     * @param rooms by slot, signals for room in them; null entries without a waiting thread
     * @param pace the number that may be stamped ahead
     * @param gathering of multi-partition transactions, as many as a ring holds
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public Initiator(
            int number,
            int site,
            boolean inCluster,
            LocalPartitions partitions,
            Clock clock,
            InitiatorClock promise,
            MpscRing<Execution> inbound,
            int localCapacity,
            List<SpscRing<Execution>> rings,
            RoomSignal[] rooms,
            Pace pace,
            Gathering gathering) {
        this.number = number;
        this.site = site;
        this.inCluster = inCluster;
        this.partitions = partitions;
        this.clock = clock;
        this.promise = promise;
        this.inbound = inbound;
        this.local = new LocalQueue(localCapacity);
        this.rings = rings.toArray(new SpscRing[0]);
        this.rooms = rooms.clone();
        this.pace = pace;
        this.gathering = gathering;
        sent = new long[rings.size()];
        taken = new long[rings.size()];
    }

    @Override
    public String roleName() {
        return "initiator-" + number;
    }

    /** Any thread: sends a routed request; false if too many wait already. */
    public boolean offer(Execution execution) {
        return inbound.offer(execution);
    }

    /** The site's own thread: the same without a hand-over between threads. */
    boolean offerLocally(Execution execution) {
        return local.offer(execution);
    }

    /** The site's own thread: the number of waiting requests that were sent from it. */
    int waitingLocally() {
        return local.size();
    }

    /** The number of transactions it has stamped. */
    public long stamped() {
        return stamped;
    }

    /** The number of requests that wait unstamped, roughly. */
    public int waiting() {
        Parking parked = parking;
        return inbound.size()
                + local.size()
                + gathering.size()
                + (heldBack == null ? 0 : 1)
                + (parked == null ? 0 : parked.size());
    }

    @Override
    public int doWork(long nowNs) {
        pace.cycle(nowNs);
        Execution next = next(nowNs);
        if (next == null) {
            return 0;
        }
        if (!hasRoom(next) && !hasRoomYet(next)) {
            heldBack = next;
            return 0;
        }
        return stampBatch(next, nowNs);
    }

    /** Before the thread may sleep: has itself told of room, and looks whether it came meanwhile. */
    private boolean hasRoomYet(Execution execution) {
        for (int i = 0; i < execution.participantCount(); i++) {
            RoomSignal room = rooms[partitions.slotOf(execution.participant(i))];
            if (room != null) {
                room.await();
            }
        }
        return hasRoom(execution);
    }

    private int stampBatch(Execution first, long nowNs) {
        long nowMicros = clock.epochMicros();
        last = Math.max(last, promise.beginStamping());
        Execution next = first;
        int count = 0;
        while (true) {
            last = inCluster
                    ? TransactionId.nextInCluster(last, nowMicros, number)
                    : TransactionId.next(last, nowMicros, number);
            if (next.admittedNs() == 0) {
                next.admitted(nowNs);
            }
            giveHome(next);
            next.stamp(last);
            send(next);
            count++;
            next = next(nowNs);
            if (next == null) {
                break;
            }
            if (!hasRoom(next)) {
                heldBack = next;
                break;
            }
        }
        promise.endStamping(last);
        stamped += count;
        return count;
    }

    /** Those that follow each other and are run by the same site need to meet only once. */
    private void giveHome(Execution execution) {
        if (execution.participantCount() == 1 || execution.home() != Execution.ANYWHERE) {
            return;
        }
        for (int i = 0; i < execution.participantCount(); i++) {
            int partition = execution.participant(i);
            if (partitions.siteOf(partition) == site) {
                execution.runAt(partition, Execution.NO_BUCKET);
                return;
            }
        }
    }

    private Execution next(long nowNs) {
        if (heldBack != null) {
            Execution next = heldBack;
            heldBack = null;
            return next;
        }
        Execution gathered = gathering.poll(nowNs);
        while (gathered == null) {
            Execution next = poll();
            if (next == null) {
                gathering.letGo();
                return gathering.poll(nowNs);
            }
            if (!gathering.takes(next)) {
                return next;
            }
            gathering.add(next, nowNs);
            gathered = gathering.poll(nowNs);
        }
        return gathered;
    }

    /** From now on calls wait for their buckets. Before it starts. */
    public void parkBy(Parking newParking) {
        parking = newParking;
    }

    /** The site's own thread, between transactions: from now on calls of some buckets wait until these are rebuilt. */
    public void fence(LoadProxy loads, BitSet buckets) {
        parking = new Parking(loads, buckets, parking);
    }

    /** From now on calls of this bucket wait until the proxy says that it serves, also those that were polled before. */
    public void park(int bucket, LoadProxy proxy) {
        if (parking == null) {
            parking = Parking.ofLoaded(proxy);
        }
        parking.park(bucket, proxy);
        if (heldBack != null) {
            parking.lookAgainAt(heldBack);
            heldBack = null;
        }
        for (Execution next = gathering.take(); next != null; next = gathering.take()) {
            parking.lookAgainAt(next);
        }
    }

    private Execution poll() {
        return parking == null ? pollQueues() : pollAdmitted();
    }

    /** Calls that have waited for buckets come first, so that none is overtaken by a later one of its bucket. */
    private Execution pollAdmitted() {
        parking.update();
        Execution next = parking.poll();
        if (next != null) {
            next.admitted(0);
            return next;
        }
        if (parking.isOver()) {
            parking = null;
            return pollQueues();
        }
        next = pollQueues();
        while (next != null && !parking.admits(next)) {
            next = pollQueues();
        }
        return next;
    }

    private Execution pollQueues() {
        preferLocal = !preferLocal;
        Execution next = preferLocal ? local.poll() : inbound.poll();
        if (next == null) {
            next = preferLocal ? inbound.poll() : local.poll();
        }
        return next;
    }

    /** Gathered transactions follow each other, and are to meet, not to be kept apart. */
    private boolean hasRoom(Execution execution) {
        int most = gathering.takes(execution) ? rings[0].capacity() : pace.lookAhead();
        for (int i = 0; i < execution.participantCount(); i++) {
            int slot = partitions.slotOf(execution.participant(i));
            if (sent[slot] - taken[slot] >= most) {
                taken[slot] = sent[slot] - rings[slot].size();
                if (sent[slot] - taken[slot] >= most) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Counts the participants first: after the last offer the execution may belong to another thread. */
    private void send(Execution execution) {
        int participants = execution.participantCount();
        for (int i = 0; i < participants; i++) {
            int slot = partitions.slotOf(execution.participant(i));
            sent[slot]++;
            Invariants.check(rings[slot].offer(execution), "a ring with room refused a transaction", number);
        }
    }

    /** Refuses everything that has not been stamped; when the engine closes. */
    @Override
    public void onClose() {
        if (parking != null) {
            parking.refuseAll();
        }
        for (Execution next = next(0); next != null; next = next(0)) {
            next.refuse(ErrorCode.SHUTTING_DOWN, "the engine is closing; the call was not run");
        }
    }
}
