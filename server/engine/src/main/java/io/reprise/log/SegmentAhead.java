package io.reprise.log;

import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.TransientStorageException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Has the next segment made while the current one is written. It is an agent of its own, because a slice of zeros has
 * to be forced, which takes as long as many batches, and replies would wait for it.
 *
 * <pre>
 *  log writer:  want(next) --> used, used, used... --> take() when the segment is full
 *  this agent:      preparer.step, step... as much as was used, and more --> ready
 *                     +-- no room --> all of it, as soon as there is some --> ready
 * </pre>
 *
 * <p>If no agent runs it, or the agent has ended, the log writer does the steps itself.
 */
public final class SegmentAhead implements Agent, AutoCloseable {
    private static final long RETRY_NS = 100_000_000;
    private static final long NONE = 0;

    private final SegmentPreparer preparer;
    private final long segmentBytes;
    private final Waker waker = new Waker();
    private SpscRing<DataFile> ready = new SpscRing<>(2);

    // The log writer's to set.
    private final PublishedLong wanted = new PublishedLong();
    private final PublishedLong used = new PublishedLong();
    private boolean attended;

    // The agent's to set.
    private final PublishedLong prepared = new PublishedLong();
    private final PublishedLong ended = new PublishedLong();
    private final AtomicReference<StorageException> shortage = new AtomicReference<>();
    private long making = NONE;
    private boolean handedOver;
    private long retryAtNs;

    SegmentAhead(SegmentPreparer preparer, long segmentBytes) {
        this.preparer = preparer;
        this.segmentBytes = segmentBytes;
    }

    @Override
    public String roleName() {
        return "log-ahead";
    }

    /** Wakes the agent. */
    public Waker waker() {
        return waker;
    }

    /** Before anything runs: from now on an agent does this, and wakes the log writer when a segment is ready. */
    SegmentAhead attend(Waker writer) {
        attended = true;
        ready = new SpscRing<>(2, writer);
        return this;
    }

    /** Whether an agent runs this, and closes it. */
    boolean isAttended() {
        return attended;
    }

    /** Whether the log writer has to do the steps, because no agent runs them or the agent has ended. */
    boolean isLeftToWriter() {
        return !attended || ended.get() != 0;
    }

    /** Log writer: a segment has been begun, and this is the position of the next. */
    void want(long position) {
        used.set(0);
        wanted.set(position);
        if (attended) {
            waker.wake();
        }
    }

    /**
     * Log writer: sets the used part of the current segment. The agent is woken only if that leaves it something to
     * do, because there may be ten thousand batches a second. If both look at the other's number just before it
     * changes, the next batch wakes it, or its own bounded sleep ends.
     */
    void used(long bytes) {
        used.set(bytes);
        if (attended && 2 * bytes >= prepared.get()) {
            waker.wake();
        }
    }

    /** Log writer: the next segment's file, or null if it isn't ready. */
    DataFile take() {
        return ready.poll();
    }

    /** Why the next segment couldn't be made when that was last tried; null if it could. */
    StorageException shortage() {
        return shortage.getAcquire();
    }

    @Override
    public int doWork(long nowNs) {
        turnToWanted();
        if (making == NONE || handedOver || shortage.getPlain() != null && nowNs - retryAtNs < 0) {
            return 0;
        }
        long wanted = wantedBytes();
        if (wanted < 0) {
            return 0;
        }
        try {
            preparer.step(wanted);
            prepared.set(preparer.preparedBytes());
            if (preparer.isReady()) {
                handOver();
            }
            return 1;
        } catch (TransientStorageException e) {
            shortage.setRelease(e);
            retryAtNs = nowNs + RETRY_NS;
            return 0;
        }
    }

    /**
     * The number of bytes for the next step; negative if there is time for it. After a shortage there is no waiting
     * and there are no small steps: large records are refused until it is over. If nothing more can be used all are
     * refused, and small ones may never come.
     */
    private long wantedBytes() {
        return shortage.getPlain() != null ? segmentBytes : 2 * used.get() - preparer.preparedBytes();
    }

    /** Log writer, where the steps are its own: does all of them that are left. */
    void finish() {
        turnToWanted();
        if (!handedOver) {
            preparer.finish();
            handOver();
        }
    }

    private void turnToWanted() {
        long position = wanted.get();
        if (position != making) {
            making = position;
            handedOver = false;
            preparer.next(position, segmentBytes);
            prepared.set(0);
        }
    }

    private void handOver() {
        shortage.setRelease(null);
        handedOver = true;
        prepared.set(Long.MAX_VALUE);
        ready.offer(preparer.take());
    }

    @Override
    public void onClose() {
        ended.set(1);
    }

    /** When neither side uses it any more. */
    @Override
    public void close() {
        preparer.close();
        for (DataFile file = ready.poll(); file != null; file = ready.poll()) {
            file.close();
        }
    }
}
