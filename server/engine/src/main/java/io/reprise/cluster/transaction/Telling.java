package io.reprise.cluster.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Everything that waits to be told: replies to callers, confirmations of reads, reports of stable transactions. Rules P7,
 * P8, T9 and T13.
 *
 * <p>A position is told when it is stable here, and when each transaction decided at or in front of it is stable in all
 * partitions.
 */
final class Telling {
    private final Leading leading;
    private final List<Waiting> waiting = new ArrayList<>();
    private final TreeMap<TransactionName, Seen> seen = new TreeMap<>();

    /** By transaction that was decided here and is not stable, the time of its last report. */
    private final TreeMap<TransactionName, Long> reportedNs = new TreeMap<>();

    /** Each transaction decided up to this index is stable in all partitions. */
    private long stableTo;

    private long markedNs = Long.MIN_VALUE / 2;

    /** A part of another transaction that has seen this partition's rows. */
    private static final class Seen {
        final Held place;
        boolean isConfirmed;

        Seen(Held place) {
            this.place = place;
        }
    }

    /** Something told when its index and its token allow. */
    private record Waiting(long index, long token, Seen seen, Reply reply, Outcome outcome) {}

    Telling(Leading leading) {
        this.leading = leading;
        stableTo = leading.state.mark();
    }

    // ---- What has run

    /** A transaction of this partition has written at an index. */
    void wrote(LocalCall call, Result result, long index) {
        Outcome outcome = new Outcome(Outcome.Kind.DONE, rows(result));
        waiting.add(new Waiting(index, 0, null, call.reply(), outcome));
    }

    /** A transaction of this partition has read, or was aborted by the user. */
    void seen(LocalCall call, Result result) {
        Outcome outcome = new Outcome(result.aborted() ? Outcome.Kind.USER_ABORT : Outcome.Kind.DONE, rows(result));
        long index = leading.replica.applied();
        waiting.add(new Waiting(index, leading.replica.nextToken(), null, call.reply(), outcome));
    }

    private TreeMap<Integer, Result> rows(Result result) {
        TreeMap<Integer, Result> rows = new TreeMap<>();
        rows.put(leading.partition, result);
        return rows;
    }

    /** A part has read, and all other parts have: it is confirmed from now on. */
    void seen(Held place) {
        Seen part = new Seen(place);
        long index = leading.holds(TransactionRule.READ_STABLE) ? leading.replica.applied() : 0;
        long token = leading.replica.nextToken();
        seen.put(place.name, part);
        waiting.add(new Waiting(index, leading.holds(TransactionRule.CONFIRM_PARTS) ? token : 0, part, null, null));
    }

    // ---- Messages

    /** Confirms once more a part that has read, if it is confirmed. Returns false if the part is not known. */
    boolean repeat(TransactionName name) {
        Seen part = seen.get(name);
        if (part != null && part.isConfirmed) {
            leading.send(name.home(), new TransactionMessage.Confirmed(name));
        }
        return part != null;
    }

    /** The read has ended or was given up. */
    void release(TransactionName name) {
        Seen part = seen.remove(name);
        if (part != null) {
            waiting.removeIf(each -> each.seen == part);
        }
    }

    /** The parts that have read and whose end is not known. */
    List<Held> open() {
        List<Held> open = new ArrayList<>();
        seen.values().forEach(part -> open.add(part.place));
        return open;
    }

    void stableAll(TransactionName name) {
        TransactionState.Committed committed = leading.state.committed(name);
        if (committed != null) {
            stableTo = Math.max(stableTo, committed.index());
            reportedNs.remove(name);
        }
    }

    /** Whether the transaction is known to be stable in all partitions. */
    boolean isStable(TransactionName name, long id) {
        TransactionState.Committed committed = leading.state.committed(name);
        return committed == null ? id <= leading.state.markId() : committed.index() <= stableTo;
    }

    void repeatStable() {
        reportedNs.clear();
    }

    /** The leadership has ended. */
    void end() {
        for (Waiting each : waiting) {
            if (each.reply != null) {
                each.reply.told(Outcome.without(Outcome.Kind.UNKNOWN));
            }
        }
    }

    /** The waiting answers, for a person. */
    List<String> describe() {
        List<String> lines = new ArrayList<>();
        waiting.forEach(each -> lines.add("untold at " + each.index));
        seen.values().forEach(part -> lines.add("has read for " + part.place.name));
        TransactionState.Committed first = leading.state.firstBehind(stableTo);
        if (first != null) {
            lines.add("not stable " + first.name() + " at " + first.index());
        }
        return lines;
    }

    // ---- Time

    int step(long nowNs) {
        long stable = leading.replica.stable();
        return tell(stable) + report(stable, nowNs) + mark(nowNs);
    }

    /** The index up to which no transaction waits to be stable in other partitions. */
    long limit() {
        TransactionState.Committed first = leading.state.firstBehind(stableTo);
        return first == null ? Long.MAX_VALUE : first.index() - 1;
    }

    private int tell(long stable) {
        if (waiting.isEmpty()) {
            return 0;
        }
        long limit = leading.holds(TransactionRule.STABLE_EVERYWHERE) ? Math.min(stable, limit()) : stable;
        long confirmed = leading.replica.confirmed();
        int told = 0;
        for (int i = 0; i < waiting.size(); i++) {
            Waiting each = waiting.get(i);
            if (each.index <= limit && each.token <= confirmed) {
                waiting.remove(i--);
                tell(each);
                told++;
            }
        }
        return told;
    }

    private void tell(Waiting each) {
        if (each.seen == null) {
            each.reply.told(each.outcome);
        } else {
            each.seen.isConfirmed = true;
            TransactionName name = each.seen.place.name;
            leading.send(name.home(), new TransactionMessage.Confirmed(name));
        }
    }

    /** T9: reports to the home, in order. */
    private int report(long stable, long nowNs) {
        int work = 0;
        TransactionState.Committed next = leading.state.firstBehind(stableTo);
        while (next != null) {
            TransactionName name = next.name();
            boolean isHome = name.home() == leading.partition;
            boolean isStable = next.index() <= stable || isHome && !leading.holds(TransactionRule.HOME_STABLE);
            if (!isStable) {
                return work;
            }
            if (nowNs - reportedNs.getOrDefault(name, Long.MIN_VALUE / 2) >= leading.settings.repeatNs()) {
                reportedNs.put(name, nowNs);
                leading.send(
                        name.home(),
                        new TransactionMessage.Stable(name, next.run().id()));
                work++;
            }
            if (leading.holds(TransactionRule.STABLE_IN_FRONT)) {
                return work;
            }
            next = leading.state.firstBehind(next.index());
        }
        return work;
    }

    private int mark(long nowNs) {
        if (stableTo <= leading.state.mark() || nowNs - markedNs < leading.settings.markNs()) {
            return 0;
        }
        markedNs = nowNs;
        leading.propose(new TransactionRecord.Mark(stableTo));
        return 1;
    }
}
