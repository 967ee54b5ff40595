package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Procedure;
import io.reprise.cluster.transaction.Result;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.procedure.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Calls over partitions of several leaders as one transaction, at their home: one reservation, one vote and one decision for all of
 * them. The parts of split statements run first, in the order of the calls. Then the procedures run, and a round carries the
 * next statement of each: calls of different buckets can't meet. A call waits while an earlier one that is not done has one of
 * its buckets. So the result is that of the calls one after the other, in the order of their ends.
 *
 * <p>A call that fails with changes elsewhere can't be taken back alone. Then the whole batch is aborted, and its calls are run again,
 * that one in a transaction of its own.
 *
 * <p>Owned by the home's thread.
 */
final class Batch implements Procedure {
    /** A batch takes longer than one call, and waits for the batches of other homes. */
    private static final int PATIENCE = 5;

    private final EngineStore home;
    private final List<Member> members;
    private final BlockedBuckets blocked;

    /** By partition, the statements that it runs in this round. */
    private final SortedMap<Integer, List<RemoteStatement>> running = new TreeMap<>();

    private final boolean readsOnly;

    private int round;
    private boolean broken;

    /** A batch of calls that may share it, or of one. */
    Batch(EngineStore home, List<Member> members) {
        this.home = home;
        this.members = List.copyOf(members);
        blocked = new BlockedBuckets(home.partition().store()::owns);
        readsOnly = members.stream().allMatch(member -> member.call().work().readOnly());
    }

    List<Member> members() {
        return members;
    }

    /** Whether it was aborted because of a member, so that its calls have no outcome yet. */
    boolean isBroken() {
        return broken;
    }

    TreeSet<Integer> participants() {
        TreeSet<Integer> all = new TreeSet<>();
        for (Member each : members) {
            for (int i = 0; i < each.call().participantCount(); i++) {
                all.add(each.call().participant(i));
            }
        }
        return all;
    }

    boolean readsOnly() {
        return readsOnly;
    }

    @Override
    public int ids() {
        return members.size();
    }

    @Override
    public int patience() {
        return PATIENCE;
    }

    @Override
    public boolean runsAtHome() {
        return true;
    }

    @Override
    public boolean opens() {
        return true;
    }

    /** Split statements only: no statements follow their parts. */
    @Override
    public boolean opensOnly() {
        return members.stream().allMatch(member -> member.call().work().splits());
    }

    /** Procedures run at their home; a split statement is merged when all of its parts have run. */
    @Override
    public boolean beginsAtHome() {
        return members.stream().noneMatch(member -> member.call().work().splits());
    }

    /** All calls were routed by the same map. */
    @Override
    public byte[] opening(int participant) {
        int bytes = 1 + Long.BYTES + Short.BYTES;
        for (Member each : members) {
            bytes += Integer.BYTES + (takesPart(each, participant) ? each.request().length : 0);
        }
        ByteBuffer out = ByteBuffer.allocate(bytes)
                .put(EngineStore.OPEN)
                .putLong(members.getFirst().call().map().hashOf(participant))
                .putShort((short) members.size());
        for (Member each : members) {
            if (takesPart(each, participant)) {
                out.putInt(each.request().length).put(each.request());
            } else {
                out.putInt(0);
            }
        }
        return out.array();
    }

    private static boolean takesPart(Member member, int participant) {
        return member.call().positionOf(participant) >= 0;
    }

    // ---- Rounds

    @Override
    public Step next(int number, SortedMap<Integer, Result> rows) {
        round = number;
        if (number == 0) {
            begin(rows);
        } else {
            take(rows);
        }
        return broken ? end(Step.Kind.ABORT) : advance();
    }

    private void begin(SortedMap<Integer, Result> rows) {
        broken = false;
        running.clear();
        home.forgetCalls();
        home.forgetAnswers();
        SortedMap<Integer, List<Result>> opened = decoded(rows);
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            member.begin(MemberRuns.memberId(home.id(), i, members.size()));
            opened(member, i, opened);
            boolean left = member.isDone() && member.call().work().splits() && !member.isKept();
            if (left && !member.call().work().readOnly()) {
                breakUp(member);
            }
        }
    }

    private void opened(Member member, int place, SortedMap<Integer, List<Result>> opened) {
        Execution call = member.call();
        if (call.work().retired()) {
            call.outcome()
                    .failStale(call.work().name() + " was changed or dropped while this call waited; call it again");
            member.done();
            return;
        }
        Result failure = failedOpening(call, place, opened);
        if (failure != null) {
            member.fail(failure);
            return;
        }
        Partition partition = home.partition();
        if (call.request().sequence() != 0 && partition.outcomes().answer(call.request(), call.outcome())) {
            member.done();
        } else if (call.work().splits()) {
            partition.goOn(call);
            member.merge(partition, opened, place);
        }
    }

    /** The first failure among the participants that are known to have opened, or null. */
    private static Result failedOpening(Execution call, int place, SortedMap<Integer, List<Result>> opened) {
        for (int i = 0; i < call.participantCount(); i++) {
            List<Result> results = opened.get(call.participant(i));
            if (results != null && results.get(place).aborted()) {
                return results.get(place);
            }
        }
        return null;
    }

    /** Calls that could not be opened elsewhere fail. If others are in the batch, all are run again without them. */
    @Override
    public boolean opened(SortedMap<Integer, Result> openings) {
        SortedMap<Integer, List<Result>> opened = decoded(openings);
        List<Member> failed = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            Result failure = member.isDone() ? null : failedOpening(member.call(), i, opened);
            if (failure != null) {
                member.fail(failure);
                failed.add(member);
            }
        }
        if (failed.size() < members.size()) {
            failed.forEach(this::breakUp);
        }
        return failed.isEmpty();
    }

    private static SortedMap<Integer, List<Result>> decoded(SortedMap<Integer, Result> rows) {
        SortedMap<Integer, List<Result>> decoded = new TreeMap<>();
        rows.forEach((participant, result) -> decoded.put(participant, MemberRuns.decode(result.rows())));
        return decoded;
    }

    /** A member has left changes that are to be taken back. Alone it is aborted with its outcome. */
    private void breakUp(Member member) {
        if (members.size() > 1) {
            member.leaveAlone();
            broken = true;
        }
    }

    private Step advance() {
        blocked.clear();
        running.clear();
        SortedMap<Integer, ByteArrayOutputStream> statements = new TreeMap<>();
        int back = -1;
        boolean areDone = true;
        for (int i = 0; i < members.size() && !broken; i++) {
            Member member = members.get(i);
            if (!member.isDone() && isBlocked(member)) {
                lookAhead(member);
                if (member.hasOpen()) {
                    add(member, i, statements);
                }
            } else if (!member.isDone()) {
                run(member);
                if (member.hasOpen()) {
                    add(member, i, statements);
                }
                if (member.back() >= 0) {
                    back = member.back();
                    member.wentBack();
                    breakUp(member);
                }
            }
            if (!member.isDone()) {
                areDone = false;
                blocked.add(member.call());
            }
        }
        if (broken) {
            return end(Step.Kind.ABORT);
        }
        if (areDone && back < 0) {
            return finish(works(statements, EngineStore.LAST_STATEMENTS));
        }
        return new Step(Step.Kind.STATEMENTS, works(statements, EngineStore.STATEMENTS), back);
    }

    private static SortedMap<Integer, byte[]> works(SortedMap<Integer, ByteArrayOutputStream> statements, byte kind) {
        SortedMap<Integer, byte[]> works = new TreeMap<>();
        statements.forEach((partition, bytes) -> {
            byte[] work = bytes.toByteArray();
            work[0] = kind;
            works.put(partition, work);
        });
        return works;
    }

    /** Whether an earlier call that is not done has one of its buckets. Reads don't wait for each other. */
    private boolean isBlocked(Member member) {
        return !readsOnly && home.holds(StreamRule.BATCH_IN_ORDER) && blocked.isBlocked(member.call());
    }

    private void run(Member member) {
        Partition partition = home.partition();
        int before = partition.store().savepoint();
        long hashBefore = partition.store().writeHash();
        long sinceNs = home.beforeRun();
        partition.goOn(member.call());
        member.run(partition);
        if (home.rows().missed()) {
            member.miss(home.rows().problem());
        }
        boolean stays = member.isDone() && member.call().outcome().succeeded();
        if (!stays) {
            partition.store().rollbackTo(before);
        } else if (member.isKept()) {
            home.ended(member.call(), hashBefore, sinceNs);
        }
        if (member.isDone() && !stays && member.wroteElsewhere()) {
            breakUp(member);
        }
    }

    /** Has the rows come that a blocked call will ask for elsewhere, if only its buckets at home are blocked. */
    private void lookAhead(Member member) {
        if (!member.mayLookAhead() || !blocked.isFreeElsewhere(member.call())) {
            return;
        }
        Partition partition = home.partition();
        int before = partition.store().savepoint();
        partition.goOn(member.call());
        member.lookAhead(partition);
        partition.store().rollbackTo(before);
    }

    private void add(Member member, int place, SortedMap<Integer, ByteArrayOutputStream> statements) {
        for (RemoteStatement each : member.send(round)) {
            byte[] header = ByteBuffer.allocate(Short.BYTES + 2 * Integer.BYTES)
                    .putShort((short) place)
                    .putInt(each.number)
                    .putInt(each.parameters.length)
                    .array();
            for (int partition : each.partitions) {
                ByteArrayOutputStream work = statements.computeIfAbsent(partition, key -> {
                    ByteArrayOutputStream begun = new ByteArrayOutputStream();
                    begun.write(EngineStore.STATEMENTS);
                    return begun;
                });
                work.writeBytes(header);
                work.writeBytes(each.parameters);
                running.computeIfAbsent(partition, key -> new ArrayList<>()).add(each);
            }
        }
    }

    private void take(SortedMap<Integer, Result> rows) {
        running.forEach((partition, order) -> take(order, rows.get(partition)));
        for (Member each : members) {
            taken(each);
        }
    }

    private static void take(List<RemoteStatement> order, Result rows) {
        List<Result> results = MemberRuns.decode(rows.rows());
        for (int i = 0; i < order.size(); i++) {
            order.get(i).take(results.get(i));
        }
    }

    /** A member whose statement failed unread is run again without such statements, also if it is alone. */
    private void taken(Member member) {
        if (member.hasOpen() && !member.taken()) {
            member.leaveAlone();
            broken = true;
        }
    }

    @Override
    public void refused(int participant, Result result) {
        take(running.get(participant), result);
        members.forEach(this::taken);
    }

    private Step finish(SortedMap<Integer, byte[]> lastWorks) {
        home.forgetCalls();
        boolean keeps = false;
        for (Member each : members) {
            if (each.isKept()) {
                home.remember(each.call());
                keeps = true;
            }
        }
        if (!keeps) {
            return end(readsOnly() ? Step.Kind.COMMIT : Step.Kind.ABORT);
        }
        if (!home.isLoggable()) {
            return tooLarge();
        }
        return new Step(Step.Kind.COMMIT, lastWorks, -1);
    }

    private Step tooLarge() {
        if (members.size() == 1) {
            members.getFirst()
                    .call()
                    .outcome()
                    .fail(ErrorCode.VALUE_TOO_LONG, "the transaction writes more than a record of the log can hold");
        } else {
            members.forEach(this::breakUp);
        }
        return end(Step.Kind.ABORT);
    }

    private static Step end(Step.Kind kind) {
        return new Step(kind, new TreeMap<>(), -1);
    }
}
