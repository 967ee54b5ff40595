package io.reprise.cluster.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Everything that waits to be told: replies to callers, confirmations of reads, reports of stable transactions. Rules P7,
 * P8, T9 and T13.
 *
 * <p>A position is told when it is stable here, when each transaction decided at or in front of it is stable in all
 * partitions, and when each one-shot read in front of it has run everywhere.
 */
final class Telling {
    private final Leading leading;
    private final List<Waiting> waiting = new ArrayList<>();
    private final TreeMap<TransactionName, Seen> seen = new TreeMap<>();

    /** Reads whose other parts may not have run, by their order. */
    private final TreeMap<Long, Seen> gates = new TreeMap<>();

    /** The order of each transaction that was decided here and is not stable, and when that was last reported. */
    private final TreeMap<TransactionName, Long> orders = new TreeMap<>();

    private final TreeMap<TransactionName, Long> reportedNs = new TreeMap<>();

    /** Each transaction decided up to this index is stable in all partitions. */
    private long stableTo;

    private long markedNs = Long.MIN_VALUE / 2;

    /** A part of another transaction that has seen this partition's rows. */
    private static final class Seen {
        final Held place;
        final boolean isOneShot;
        long order;
        boolean isConfirmed;

        Seen(Held place, boolean isOneShot) {
            this.place = place;
            this.isOneShot = isOneShot;
        }
    }

    /** Something told when its order, its index and its token allow. */
    private record Waiting(long order, long index, long token, Seen seen, Reply reply, Outcome outcome) {}

    Telling(Leading leading) {
        this.leading = leading;
        stableTo = leading.state.mark();
    }

    // ---- What has run

    /** A transaction of this partition has written at an index. */
    void wrote(LocalCall call, Result result, long index) {
        Outcome outcome = new Outcome(Outcome.Kind.DONE, rows(result));
        waiting.add(new Waiting(leading.nextOrder(), index, 0, null, call.reply(), outcome));
    }

    /** A transaction of this partition has read, or was aborted by the user. */
    void seen(LocalCall call, Result result) {
        Outcome outcome = new Outcome(result.aborted() ? Outcome.Kind.USER_ABORT : Outcome.Kind.DONE, rows(result));
        long index = leading.replica.applied();
        waiting.add(new Waiting(leading.nextOrder(), index, leading.replica.nextToken(), null, call.reply(), outcome));
    }

    private TreeMap<Integer, Result> rows(Result result) {
        TreeMap<Integer, Result> rows = new TreeMap<>();
        rows.put(leading.partition, result);
        return rows;
    }

    /** A part has read; a one-shot part keeps back what is behind it until all parts have run. */
    void seen(Held place, boolean isOneShot) {
        Seen part = new Seen(place, isOneShot);
        part.order = leading.nextOrder();
        long index = leading.holds(TransactionRule.READ_STABLE) ? leading.replica.applied() : 0;
        long token = leading.replica.nextToken();
        seen.put(place.name, part);
        if (isOneShot && leading.holds(TransactionRule.GATE_BEHIND_READ)) {
            gates.put(part.order, part);
        }
        waiting.add(new Waiting(
                part.order, index, leading.holds(TransactionRule.CONFIRM_PARTS) ? token : 0, part, null, null));
    }

    /** A transaction was decided here. */
    void decided(TransactionName name) {
        orders.put(name, leading.nextOrder());
    }

    // ---- Messages

    /** Sends the answers of a part that has read once more. False if it is not known. */
    boolean repeat(TransactionName name) {
        Seen part = seen.get(name);
        if (part == null) {
            return false;
        }
        if (part.isOneShot) {
            leading.send(name.home(), new TransactionMessage.Ran(name, part.place.run, part.place.results));
        }
        if (part.isConfirmed) {
            leading.send(name.home(), new TransactionMessage.Confirmed(name));
        }
        return true;
    }

    void allRan(TransactionName name) {
        Seen part = seen.get(name);
        if (part != null) {
            gates.remove(part.order);
            if (part.isConfirmed) {
                leading.send(name.home(), new TransactionMessage.Confirmed(name));
            }
        }
    }

    /** The read has ended or was given up. */
    void release(TransactionName name) {
        Seen part = seen.remove(name);
        if (part != null) {
            gates.remove(part.order);
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
            orders.remove(name);
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

    /** The records behind an index are void. */
    void cut(long end) {
        for (Waiting each : List.copyOf(waiting)) {
            if (each.index > end || each.seen != null) {
                waiting.remove(each);
                if (each.reply != null) {
                    each.reply.told(Outcome.without(Outcome.Kind.UNKNOWN));
                }
            }
        }
        seen.clear();
        gates.clear();
        orders.clear();
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

    private long gate() {
        return gates.isEmpty() ? Long.MAX_VALUE : gates.firstKey();
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
        TransactionState.Committed first = leading.state.firstBehind(stableTo);
        long limit = first != null && leading.holds(TransactionRule.STABLE_EVERYWHERE)
                ? Math.min(stable, first.index() - 1)
                : stable;
        long confirmed = leading.replica.confirmed();
        int told = 0;
        for (int i = 0; i < waiting.size(); i++) {
            Waiting each = waiting.get(i);
            boolean isOpen = each.order < gate() || each.seen != null && each.order == gate();
            if (isOpen && each.index <= limit && each.token <= confirmed) {
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
            if (!isStable || orders.getOrDefault(name, 0L) >= gate()) {
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
