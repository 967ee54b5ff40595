package io.reprise.execution;

import io.reprise.runtime.agent.RoomSignal;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.order.InitiatorPromise;
import java.util.List;

/**
 * The transactions that wait for one partition, given out in the order of their ids. Each initiator has a ring of its
 * own to this partition, in which ids ascend; the lowest id among the heads of the rings is due once no initiator can
 * still send a lower one.
 *
 * <p>The executor knows this up to a horizon: every initiator has promised to send nothing more at or below it, and
 * its earlier transactions are in its ring. When the lowest head lies beyond the horizon, all promises are asked to
 * rise to it, or to the last promise of the initiator on this site if that is higher, which covers everything that
 * this site has stamped so far in one go. With a single initiator there is no other one to ask.
 *
 * <p>Owned by the partition's executor.
 */
public final class TransactionQueue {
    private static final long NONE = Long.MAX_VALUE;

    private final SpscRing<Execution>[] rings;
    private final InitiatorPromise[] promises;
    private final int ownInitiator;
    private final RoomSignal room;
    private final long[] headIds;
    private long horizon;

    /**
     * A queue over rings and promises by initiator.
     *
     * @param ownInitiator the initiator that runs on the same thread, or -1
     * @param room tells initiators that there is room again; null without initiators that wait
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public TransactionQueue(
            List<SpscRing<Execution>> rings,
            List<? extends InitiatorPromise> promises,
            int ownInitiator,
            RoomSignal room) {
        if (rings.isEmpty() || rings.size() != promises.size()) {
            throw new IllegalArgumentException(rings.size() + " rings and " + promises.size() + " promises");
        }
        this.rings = rings.toArray(new SpscRing[0]);
        this.promises = promises.toArray(InitiatorPromise[]::new);
        this.ownInitiator = ownInitiator;
        this.room = room;
        headIds = new long[rings.size()];
        java.util.Arrays.fill(headIds, NONE);
    }

    /** Takes the transaction that is due, or returns null if there is none, or none yet. */
    public Execution poll() {
        if (rings.length == 1) {
            return rings[0].poll();
        }
        int lowest = lowest();
        if (headIds[lowest] > horizon) {
            lowest = peekEmpty(lowest);
            if (headIds[lowest] == NONE) {
                return null;
            }
            if (headIds[lowest] > horizon) {
                raiseHorizon(headIds[lowest]);
                lowest = peekEmpty(lowest);
                if (headIds[lowest] > horizon) {
                    return null;
                }
            }
        }
        Execution due = rings[lowest].poll();
        peek(lowest);
        return due;
    }

    /** The same for a partition with a door: only a transaction below an id is due. */
    Execution pollBelow(long id) {
        if (rings.length == 1) {
            Execution head = rings[0].peek();
            return head == null || head.id() >= id ? null : rings[0].poll();
        }
        int lowest = peekEmpty(lowest());
        return headIds[lowest] >= id ? null : poll();
    }

    /** Whether every transaction below an id has been taken, and none will come any more. */
    boolean isPassed(long id) {
        long promised = NONE;
        for (InitiatorPromise promise : promises) {
            promised = Math.min(promised, promise.promiseAtLeast(id));
        }
        if (promised < id) {
            return false;
        }
        for (SpscRing<Execution> ring : rings) {
            Execution head = ring.peek();
            if (head != null && head.id() < id) {
                return false;
            }
        }
        return true;
    }

    /** To be called when some have been taken, before they run. */
    void roomMade() {
        if (room != null) {
            room.made();
        }
    }

    /** After {@link #poll} gave nothing: whether one waits that will be due as soon as an initiator has stamped. */
    public boolean hasWaiting() {
        return hasWaitingBelow(NONE);
    }

    /** The same for a partition with a door: whether one below an id waits. */
    boolean hasWaitingBelow(long id) {
        return headIds[lowest()] < id;
    }

    /** The number of waiting transactions, due or not. */
    int size() {
        int size = 0;
        for (SpscRing<Execution> ring : rings) {
            size += ring.size();
        }
        return size;
    }

    private int lowest() {
        int lowest = 0;
        for (int i = 1; i < headIds.length; i++) {
            if (headIds[i] < headIds[lowest]) {
                lowest = i;
            }
        }
        return lowest;
    }

    /** Looks again into the rings that were empty, and returns where the lowest head is then. */
    private int peekEmpty(int lowestSoFar) {
        int lowest = lowestSoFar;
        for (int i = 0; i < headIds.length; i++) {
            if (headIds[i] == NONE) {
                peek(i);
            }
            if (headIds[i] < headIds[lowest]) {
                lowest = i;
            }
        }
        return lowest;
    }

    private void peek(int initiator) {
        Execution head = rings[initiator].peek();
        headIds[initiator] = head == null ? NONE : head.id();
    }

    private void raiseHorizon(long lowestHead) {
        long target = lowestHead;
        if (ownInitiator >= 0) {
            target = Math.max(target, promises[ownInitiator].promiseAtLeast(lowestHead));
        }
        long promised = NONE;
        for (InitiatorPromise promise : promises) {
            promised = Math.min(promised, promise.promiseAtLeast(target));
        }
        horizon = promised;
    }
}
