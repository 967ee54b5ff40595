package io.reprise.execution;

import io.reprise.id.Buckets;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.metric.Counter;
import io.reprise.runtime.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The measurements of a site: the times that transactions waited, ran and were held back for the log, and how busy the
 * site is. Owned by the site's thread; counters may be read by any.
 *
 * <p>A look at the clock costs as much as two or three row accesses, so there is one for each group of transactions
 * that the executor runs in one go, not for each transaction: times are right to the length of such a group, some
 * microseconds. Transactions that are answered while their group still runs are noted, and recorded when it ends.
 * Some are timed by themselves; see {@link ProcedureMeter}.
 *
 * <pre>
 *  cycle(now) -> begin, end, answeredAtOnce for each transaction of a group -> groupEnded -> answered, for those
 *                that waited
 * </pre>
 */
public final class SiteMeter {
    private static final int MOST_NOTED = 64;

    private final int site;
    private final Clock clock;
    private final SlowTransactions slow;
    private final Counter busyNs = new Counter();
    private final Counter stoodStillNs = new Counter();
    private final Counter slowUntold = new Counter();
    private final BucketLoad buckets = new BucketLoad();

    /** The meter of the engine's own transactions, which are no procedures. It is never read. */
    private final ProcedureMeter own = new ProcedureMeter("");

    private final CallTimes[] noted = new CallTimes[MOST_NOTED];
    private int notedCount;

    /** The last of these; null if there is none. */
    private CallTimes open;

    private long nowNs;
    private long cycleBeganNs;
    private boolean worked;
    private ProcedureMeter running = own;
    private boolean timed;

    /** A meter of a site. */
    public SiteMeter(int site, Clock clock, SlowTransactions slow) {
        this.site = site;
        this.clock = clock;
        this.slow = slow;
        for (int i = 0; i < noted.length; i++) {
            noted[i] = new CallTimes();
        }
    }

    /** Meters of so many sites that are never read. */
    public static List<SiteMeter> unread(int sites, Clock clock) {
        List<SiteMeter> meters = new ArrayList<>();
        for (int i = 0; i < sites; i++) {
            meters.add(new SiteMeter(i, clock, new SlowTransactions(0)));
        }
        return meters;
    }

    /** Counts transactions by the buckets of a database; before any transaction runs. */
    public void measure(Buckets ofDatabase) {
        buckets.resize(ofDatabase.count());
    }

    /** A duty cycle of the site begins. */
    public void cycle(long cycleNs) {
        if (worked) {
            busyNs.add(cycleNs - cycleBeganNs);
            worked = false;
        }
        cycleBeganNs = cycleNs;
        nowNs = cycleNs;
    }

    /** The time as this site knows it, without a look at the clock. */
    public long nowNs() {
        return nowNs;
    }

    /** Makes an idle strategy tell this meter which cycles did something. */
    public IdleStrategy watch(IdleStrategy idle) {
        return workCount -> {
            worked |= workCount > 0;
            idle.idle(workCount);
        };
    }

    /** A transaction begins to run here. */
    public void begin(Execution execution) {
        running = procedure(execution);
        timed = running.takesTime();
        if (timed) {
            nowNs = clock.nanoTime();
            buckets.count(execution.routedBucket(), running.standsFor());
        }
        execution.began(nowNs);
    }

    /** The average time of the procedure whose transaction runs, or has run last. */
    public long averageNs() {
        return running.averageNs();
    }

    /** It has ended, and is about to be given to the gate. */
    public void end(Execution execution) {
        running.ended(execution.outcome().error());
        if (timed) {
            nowNs = clock.nanoTime();
            running.executed(nowNs - execution.beganNs());
            execution.ended(nowNs);
        }
    }

    /** The transaction that has ended last is answered while its group still runs. */
    public void answeredAtOnce(Execution execution) {
        if (open != null && isLike(open, execution)) {
            open.count++;
        } else {
            note(execution);
        }
    }

    private void note(Execution execution) {
        if (notedCount == MOST_NOTED) {
            groupEnded();
        }
        CallTimes note = noted[notedCount++];
        note.note(running, execution);
        open = note;
    }

    /** The executor has run a group of transactions. */
    void groupEnded() {
        nowNs = clock.nanoTime();
        for (int i = 0; i < notedCount; i++) {
            CallTimes note = noted[i];
            long endedNs = note.endedNs == 0 ? nowNs : note.endedNs;
            long tookNs = endedNs - note.admittedNs;
            note.procedure.answered(tookNs, note.count);
            if (tookNs >= slow.limitNs()) {
                tellSlow(note, note.count, endedNs, endedNs);
            }
        }
        notedCount = 0;
        open = null;
    }

    /** Keeps the times of the transaction that has ended last and will be answered later, for {@link #answered}. */
    public void remember(CallTimes times, Execution execution) {
        times.note(running, execution);
    }

    /** Whether these are the times of the transaction that has ended last too, if both were in the same group. */
    public boolean isLike(CallTimes times, Execution execution) {
        return !timed
                && execution.outcome().succeeded()
                && times.isUsual()
                && times.procedure == running
                && times.admittedNs == execution.admittedNs();
    }

    /**
     * Transactions with the same times are answered after their group has ended.
     *
     * @param count their number
     * @param groupEndedNs the end of their group
     */
    public void answered(CallTimes times, int count, long groupEndedNs) {
        long tookNs = nowNs - times.admittedNs;
        times.procedure.answered(tookNs, count);
        if (tookNs >= slow.limitNs()) {
            tellSlow(times, count, times.endedNs == 0 ? groupEndedNs : times.endedNs, nowNs);
        }
    }

    private void tellSlow(CallTimes note, int count, long endedNs, long answeredNs) {
        if (note.procedure == own) {
            return;
        }
        boolean told = slow.hasRoom()
                && slow.offer(new SlowTransaction(
                        note.id,
                        note.procedure.name(),
                        site,
                        note.participants,
                        note.beganNs - note.admittedNs,
                        endedNs - note.beganNs,
                        note.endedNs != 0,
                        answeredNs - endedNs,
                        Optional.ofNullable(note.error),
                        clock.epochMicros()));
        slowUntold.add(told ? count - 1 : count);
    }

    private ProcedureMeter procedure(Execution execution) {
        ProcedureMeter procedure = execution.work().meter(site);
        return procedure == null ? own : procedure;
    }

    /**
     * About how many transactions of the last seconds each bucket had, by its number; asked for four times a second, because
     * what was asked for fades.
     */
    public long[] bucketLoad() {
        return buckets.fade();
    }

    /** About how many transactions of the last seconds a bucket had. The site's thread. */
    public long load(int bucket) {
        return buckets.of(bucket);
    }

    /** Counts time for which the site's partition stood still, because a transaction waited for other participants. */
    void stoodStill(long ns) {
        stoodStillNs.add(ns);
    }

    /** Any thread: for how long that was so, since it began. */
    public long stoodStillNs() {
        return stoodStillNs.get();
    }

    /** Any thread: the time for which the site has been doing something since it began. */
    public long busyNs() {
        return busyNs.get();
    }

    /**
     * Any thread: the number of slow transactions that were not told of, because there were too many, or because they
     * were like another one in the same group.
     */
    public long slowUntold() {
        return slowUntold.get();
    }
}
