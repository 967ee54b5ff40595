package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Outcome;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.durable.RequestCodec;
import io.reprise.procedure.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The calls over nodes whose home is one partition. Calls that come while batches are under way gather, and share the next one.
 * Reads and writes are apart, because a batch of reads needs no decision. Owned by the home's thread.
 */
final class HomeCalls {
    /** The most calls of a batch. */
    private static final int MOST_MEMBERS = 128;

    /** The next batch has so many times fewer calls than one that was broken up. */
    private static final int BREAK_FACTOR = 4;

    /** The most calls of a batch that wait for each other because of their buckets. */
    private static final int MOST_DEPTH = 8;

    /** The batches under way at a time: the next one is reserved while one is held, if it has enough calls to be worth it. */
    private static final int MOST_BATCHES = 2;

    private static final int LEAST_OVERLAPPING = 32;

    /** Calls of the partition alone run between two batches for as long as the last batch took, and no longer than this. */
    private static final long MOST_REST_NS = 5_000_000;

    /** A call that has met rows that are not loaded comes again after this time, and each time after twice as long. */
    private static final long PAUSE_NS = 1_000_000;

    private static final int MOST_DOUBLINGS = 6;

    /** A call is refused that has met such rows for so long. */
    private static final long MOST_MISSING_NS = 30_000_000_000L;

    private final PartitionReplica home;
    private final RequestCodec requests;
    private final Deque<Member> reads = new ArrayDeque<>();
    private final Deque<Member> writes = new ArrayDeque<>();

    /** Calls that share no batch. */
    private final Deque<Member> alone = new ArrayDeque<>();

    /** Calls whose rows are not loaded, in the order in which they missed them. */
    private final Deque<Later> later = new ArrayDeque<>();

    private final BucketDepths depths = new BucketDepths(MOST_DEPTH);
    private int underWay;

    /** The time of the last step, the begin of the last batch, and the time that the last one to end has taken. */
    private long steppedNs;

    private long beganNs = Long.MIN_VALUE / 2;
    private long tookNs;

    /** The most calls of the next batch. It is small after batches that were broken up. */
    private int limit = MOST_MEMBERS;

    /** Whether a call that shares no batch has its turn next. */
    private boolean aloneIsNext;

    /** Whether reads have their turn next, of the calls that share batches. */
    private boolean readsAreNext;

    /** A call that comes again. */
    private record Later(Member member, long atNs) {}

    HomeCalls(PartitionReplica home, RequestCodec requests) {
        this.home = home;
        this.requests = requests;
    }

    /** Takes a call. */
    void add(Execution call) {
        if (!home.admitsOverNodes(call)) {
            answer(call);
            return;
        }
        Member member = new Member(call, requests.encode(call));
        boolean shares = call.work().keepsWrites() && (call.work().splits() || call.isConfined());
        if (!shares) {
            member.leaveAlone();
            alone.add(member);
        } else {
            (call.work().readOnly() ? reads : writes).add(member);
        }
    }

    /** The number of calls that wait. */
    int waiting() {
        return ready() + later.size();
    }

    private int ready() {
        return reads.size() + writes.size() + alone.size();
    }

    /** Begins batches. Returns how much was done. */
    int begin(long nowNs) {
        int work = 0;
        steppedNs = nowNs;
        comeAgain();
        while (ready() > 0 && mayBegin(nowNs)) {
            List<Member> members = next();
            members.removeIf(member -> isRefused(member) || lacksRows(member));
            if (!members.isEmpty()) {
                begin(new Batch(home.store(), members), nowNs);
            }
            work++;
        }
        return work;
    }

    /**
     * Whether another batch may begin. A batch holds its partitions whether it has few calls or many, so a full one begins at once. A smaller
     * one waits while another is under way, and lets waiting calls of this partition run before.
     */
    private boolean mayBegin(long nowNs) {
        if (underWay == MOST_BATCHES) {
            return false;
        }
        if (ready() >= limit) {
            return true;
        }
        boolean overlaps = underWay > 0 && alone.isEmpty() && ready() < LEAST_OVERLAPPING;
        boolean rests = nowNs - beganNs < Math.min(tookNs, MOST_REST_NS) && home.hasCallsAlone();
        return !overlaps && !rests;
    }

    /** Whether rows at home are missing that a call needs; then it comes again, or is refused if they can't be loaded. */
    private boolean lacksRows(Member member) {
        if (home.rows().suffice(member.call())) {
            return false;
        }
        member.miss(home.rows().problem());
        if (member.hasMissed()) {
            later(member);
        } else {
            answer(member.call());
        }
        return true;
    }

    /** Has a call come again when the missing rows may have been loaded. */
    private void later(Member member) {
        int misses = member.countMiss(steppedNs);
        if (steppedNs - member.missedSinceNs() > MOST_MISSING_NS) {
            answer(member.call());
            return;
        }
        later.add(new Later(member, steppedNs + (PAUSE_NS << Math.min(misses - 1, MOST_DOUBLINGS))));
    }

    private void comeAgain() {
        for (int left = later.size(); left > 0; left--) {
            Later each = later.remove();
            if (each.atNs > steppedNs) {
                later.add(each);
            } else {
                again(each.member);
            }
        }
    }

    private boolean isRefused(Member member) {
        if (home.admitsOverNodes(member.call()) && isRouted(member.call())) {
            return false;
        }
        answer(member.call());
        return true;
    }

    /** Routes a call again if buckets have moved since. Whether it still belongs here; otherwise it has its outcome. */
    private boolean isRouted(Execution call) {
        BucketMap now = home.routes();
        if (call.map() == now) {
            return true;
        }
        call.work().route(call, now);
        if (call.participantCount() > 1 && call.coordinator() == home.partition()) {
            return true;
        }
        call.outcome()
                .fail(
                        ErrorCode.PARTITION_UNAVAILABLE,
                        "buckets of " + call.work().name() + " have moved; the call was not run. Try again");
        return false;
    }

    /** Of the kinds of calls each has its turn. */
    private List<Member> next() {
        List<Member> members = new ArrayList<>();
        aloneIsNext = !aloneIsNext;
        if (!alone.isEmpty() && (aloneIsNext || reads.isEmpty() && writes.isEmpty())) {
            members.add(alone.remove());
            return members;
        }
        // The longer queue would starve a few calls of the other kind.
        readsAreNext = writes.isEmpty() || readsAreNext && !reads.isEmpty();
        Deque<Member> from = readsAreNext ? reads : writes;
        readsAreNext = !readsAreNext;
        depths.clear();
        int left = from.size();
        while (left-- > 0 && members.size() < limit) {
            Member member = from.remove();
            if (isRepeated(member, members) || depths.isTooDeep(member.call())) {
                from.add(member);
            } else {
                members.add(member);
            }
        }
        return members;
    }

    /** Whether the same numbered call is a member already: the second one has to find the outcome of the first. */
    private static boolean isRepeated(Member member, List<Member> members) {
        long sequence = member.call().request().sequence();
        if (sequence == 0) {
            return false;
        }
        for (Member each : members) {
            if (each.call().request().sequence() == sequence
                    && each.call().request().client() == member.call().request().client()) {
                return true;
            }
        }
        return false;
    }

    private void begin(Batch batch, long nowNs) {
        underWay++;
        beganNs = nowNs;
        home.transactions()
                .run(
                        batch,
                        batch.participants(),
                        batch.readsOnly(),
                        outcome -> ended(batch, outcome.kind(), nowNs),
                        nowNs);
    }

    private void ended(Batch batch, Outcome.Kind kind, long sinceNs) {
        underWay--;
        tookNs = steppedNs - sinceNs;
        boolean ran = kind == Outcome.Kind.DONE || kind == Outcome.Kind.USER_ABORT;
        if (ran && batch.isBroken()) {
            limit = Math.max(1, batch.members().size() / BREAK_FACTOR);
            for (Member each : batch.members()) {
                if (each.hasMissed()) {
                    later(each);
                } else {
                    again(each);
                }
            }
            return;
        }
        limit = Math.min(MOST_MEMBERS, 2 * limit);
        for (Member each : batch.members()) {
            if (ran && each.hasMissed()) {
                later(each);
                continue;
            }
            if (!ran) {
                fail(each.call(), kind);
            }
            answer(each.call());
        }
    }

    private void again(Member member) {
        if (member.isAlone()) {
            alone.add(member);
        } else {
            (member.call().work().readOnly() ? reads : writes).addFirst(member);
        }
    }

    private void fail(Execution call, Outcome.Kind kind) {
        String name = call.work().name();
        String changed = "partition " + home.partition() + " changed its leader; ";
        if (kind == Outcome.Kind.NOT_RUN) {
            call.outcome()
                    .fail(
                            ErrorCode.PARTITION_UNAVAILABLE,
                            name
                                    + " was given up, because a leader of one of its partitions changed or did not answer; it"
                                    + " had no effect. Try again");
        } else if (call.work().readOnly()) {
            call.outcome()
                    .fail(
                            ErrorCode.PARTITION_UNAVAILABLE,
                            changed + name + " had no effect, and its answer can't be confirmed");
        } else {
            call.outcome().failUnknown(call.request(), changed + "whether " + name + " is kept is unknown");
        }
    }

    private void answer(Execution call) {
        call.ranAt(home.at());
        call.reply();
    }
}
