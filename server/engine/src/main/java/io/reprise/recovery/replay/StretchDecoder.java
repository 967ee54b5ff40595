package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.log.LogFrame;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.log.physiological.DataRedo;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Decodes stretches of the log that have nothing but data records, on a thread of its own. One of several: each has every so manieth
 * stretch, and the replaying thread sends what they come to in the order of the log.
 *
 * <pre>
 *  replaying thread    free stretch -- fill --> toDecode          decoded --> DataRun ... --> executors --> free
 *                                                  |                 ^   \-> the stretch, when it is through
 *  this agent                                      +---- decode -----+  <-- free runs
 * </pre>
 */
public final class StretchDecoder implements Agent, RunOutlet {
    /** Stretches that can be under way to and from it. */
    private static final int STRETCHES = 2;

    /** Runs beyond one for each partition: they wait until it is their stretch's turn. */
    private static final int MORE_RUNS = 8;

    private static final int MOST_RUNS_WITHOUT_WAITING = 1024;

    private static final long LEAST_WAIT_NS = 50_000;
    private static final long MOST_WAIT_NS = 1_000_000;

    /** Thrown where it waits for a run that won't come, because the replay is over. */
    private static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1;

        Stopped() {
            super("stopped", null, false, false);
        }
    }

    private final String name;
    private final Waker waker;
    private final DataRedo[] redo;
    private final RunFiller filler;
    private final LogRecords records = new LogRecords();
    private final List<DataRun> runs = new ArrayList<>();
    private final SpscRing<DataRun> free;
    private final SpscRing<Stretch> toDecode;
    private final SpscRing<AutoCloseable> decoded;
    private final IdleStrategy waiting;
    private final PublishedLong stopped = new PublishedLong();

    /** What has no log in it, and has places given back. */
    private final Stretch settling = new Stretch();

    /** The replaying thread's. */
    private final Deque<Stretch> freeStretches = new ArrayDeque<>();

    private final List<Stretch> stretches = new ArrayList<>();

    /**
     * One of them.
     *
     * @param waker its thread's; null if it has none, and then it does not wait for runs, but makes more
     * @param replaying the replaying thread's
     * @param redo by partition, what stores what it has decoded
     */
    public StretchDecoder(int number, Waker waker, Waker replaying, BucketMap buckets, DataRedo... redo) {
        name = "decoder-" + number;
        this.waker = waker;
        this.redo = redo.clone();
        waiting = waker == null ? null : new ParkingIdleStrategy(waker, LEAST_WAIT_NS, MOST_WAIT_NS, 1);
        int runCount = redo.length + MORE_RUNS;
        int mostRuns = waker == null ? MOST_RUNS_WITHOUT_WAITING : runCount;
        toDecode = new SpscRing<>(STRETCHES + 1, waker);
        free = new SpscRing<>(mostRuns, waker);
        decoded = new SpscRing<>(mostRuns + STRETCHES + 1, replaying);
        for (int i = 0; i < runCount; i++) {
            free.offerQuietly(newRun());
        }
        for (int i = 0; i < STRETCHES; i++) {
            stretches.add(new Stretch());
        }
        freeStretches.addAll(stretches);
        filler = new RunFiller(redo, buckets, this);
    }

    private DataRun newRun() {
        DataRun run = new DataRun(this, redo);
        runs.add(run);
        return run;
    }

    @Override
    public String roleName() {
        return name;
    }

    @Override
    public int doWork(long nowNs) {
        Stretch stretch = isStopped() ? null : toDecode.poll();
        if (stretch == null) {
            return 0;
        }
        try {
            if (stretch == settling) {
                filler.giveBack();
            } else {
                decodeRecords(stretch);
            }
            filler.send();
        } catch (Stopped e) {
            return 0;
        }
        offer(stretch);
        return 1;
    }

    /** What fails is told when it is the stretch's turn: who is at an earlier one may find something out, which goes before it. */
    private void decodeRecords(Stretch stretch) {
        filler.endAt(stretch.logEnd());
        try {
            for (LogFrame frame : stretch.log().frames()) {
                records.wrap(frame);
                while (records.next()) {
                    stretch.note(records);
                    if (records.kind() == RecordKind.DATA) {
                        stretch.noteTransaction();
                        filler.decode(records);
                    } else if (records.kind() != RecordKind.SNAPSHOT_BEGIN) {
                        throw new IllegalStateException("a record of kind " + records.kind()
                                + ", in the log's frame at " + records.framePosition() + ", was taken for data");
                    }
                }
            }
            filler.giveBackWhatIsWanted();
        } catch (Stopped e) {
            throw e;
        } catch (RuntimeException | Error e) {
            stretch.fail(records, e);
        }
    }

    @Override
    public DataRun take() {
        DataRun run = free.poll();
        if (waiting == null) {
            return run == null ? newRun() : run;
        }
        while (run == null) {
            if (isStopped()) {
                throw new Stopped();
            }
            waiting.idle(0);
            run = free.poll();
        }
        waiting.idle(1);
        return run;
    }

    @Override
    public void send(DataRun full) {
        offer(full);
    }

    private void offer(AutoCloseable what) {
        if (!decoded.offer(what)) {
            throw new IllegalStateException("a decoder of the log has more under way than there is");
        }
    }

    @Override
    public void giveBack(DataRun stored) {
        if (!free.offer(stored)) {
            throw new IllegalStateException("more runs come back to a decoder of the log than it has");
        }
    }

    /** The replaying thread: one that can be filled, or null. */
    Stretch takeStretch() {
        return freeStretches.poll();
    }

    /** The replaying thread: this one is not, or no longer, needed. */
    void putBack(Stretch stretch) {
        if (stretch != settling) {
            freeStretches.add(stretch);
        }
    }

    /** The replaying thread: has one decoded that it has filled. */
    void decode(Stretch filled) {
        if (!toDecode.offer(filled)) {
            throw new IllegalStateException("a decoder of the log is given more than there is");
        }
    }

    /** The replaying thread: has all places given back; a stretch like another, to wait for. */
    Stretch settle() {
        decode(settling);
        return settling;
    }

    /** The replaying thread: a run that is next, or a stretch that is through, or null. */
    AutoCloseable next() {
        return decoded.poll();
    }

    /** Any thread: what it does is of no use any more. */
    public void stop() {
        stopped.set(1);
        if (waker != null) {
            waker.wake();
        }
    }

    private boolean isStopped() {
        return stopped.get() != 0;
    }

    /** Executors have ended: nobody has anything of this. */
    @Override
    public void onClose() {
        runs.forEach(DataRun::close);
        stretches.forEach(Stretch::close);
    }
}
