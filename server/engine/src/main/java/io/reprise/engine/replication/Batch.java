package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Procedure;
import io.reprise.cluster.transaction.Result;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.id.BucketSet;
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
    private final BucketSet blocked = new BucketSet();

    /** By partition, the members whose statements it runs in this round. */
    private final SortedMap<Integer, List<Member>> running = new TreeMap<>();

    private int round;
    private boolean broken;

    /** A batch of calls that may share it, or of one. */
    Batch(EngineStore home, List<Member> members) {
        this.home = home;
        this.members = List.copyOf(members);
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
        return members.stream().allMatch(member -> member.call().work().readOnly());
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
        SortedMap<Integer, List<Result>> opened = new TreeMap<>();
        rows.forEach((participant, result) -> opened.put(participant, MemberRuns.decode(result.rows())));
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
        for (int i = 0; i < call.participantCount(); i++) {
            Result result = opened.get(call.participant(i)).get(place);
            if (result.aborted()) {
                member.fail(result);
                return;
            }
        }
        Partition partition = home.partition();
        if (call.request().sequence() != 0 && partition.outcomes().answer(call.request(), call.outcome())) {
            member.done();
        } else if (call.work().splits()) {
            partition.goOn(call);
            member.merge(partition, opened, place);
        }
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
        for (int i = 0; i < members.size() && !broken; i++) {
            Member member = members.get(i);
            if (!member.isDone() && !isBlocked(member)) {
                run(member);
                if (member.hasPending()) {
                    add(member, i, statements);
                }
                if (member.back() >= 0) {
                    back = member.back();
                    member.wentBack();
                    breakUp(member);
                }
            }
            if (!member.isDone()) {
                block(member);
            }
        }
        if (broken) {
            return end(Step.Kind.ABORT);
        }
        if (statements.isEmpty() && back < 0) {
            return finish();
        }
        SortedMap<Integer, byte[]> works = new TreeMap<>();
        statements.forEach((partition, bytes) -> works.put(partition, bytes.toByteArray()));
        return new Step(Step.Kind.STATEMENTS, works, back);
    }

    private boolean isBlocked(Member member) {
        Execution call = member.call();
        BucketSet buckets = call.buckets();
        if (buckets == null) {
            return call.bucket() >= 0 && blocked.contains(call.bucket());
        }
        for (int i = 0; i < Math.min(buckets.size(), BucketSet.MOST_LISTED); i++) {
            if (blocked.contains(buckets.get(i))) {
                return true;
            }
        }
        return false;
    }

    private void block(Member member) {
        Execution call = member.call();
        BucketSet buckets = call.buckets();
        if (buckets == null) {
            if (call.bucket() >= 0) {
                blocked.add(call.bucket());
            }
            return;
        }
        for (int i = 0; i < Math.min(buckets.size(), BucketSet.MOST_LISTED); i++) {
            blocked.add(buckets.get(i));
        }
    }

    private void run(Member member) {
        Partition partition = home.partition();
        int before = partition.store().savepoint();
        partition.goOn(member.call());
        member.run(partition);
        boolean stays = member.isDone() && member.call().outcome().succeeded();
        if (!stays) {
            partition.store().rollbackTo(before);
        }
        if (member.isDone() && !stays && member.wroteElsewhere()) {
            breakUp(member);
        }
    }

    private void add(Member member, int place, SortedMap<Integer, ByteArrayOutputStream> statements) {
        member.sent(round);
        byte[] parameters = member.pendingParameters();
        byte[] header = ByteBuffer.allocate(Short.BYTES + 2 * Integer.BYTES)
                .putShort((short) place)
                .putInt(member.pendingStatement())
                .putInt(parameters.length)
                .array();
        for (int partition : member.pendingPartitions()) {
            ByteArrayOutputStream work = statements.computeIfAbsent(partition, key -> {
                ByteArrayOutputStream begun = new ByteArrayOutputStream();
                begun.write(EngineStore.STATEMENTS);
                return begun;
            });
            work.writeBytes(header);
            work.writeBytes(parameters);
            running.computeIfAbsent(partition, key -> new ArrayList<>()).add(member);
        }
    }

    private void take(SortedMap<Integer, Result> rows) {
        running.forEach((partition, order) -> {
            List<Result> results = MemberRuns.decode(rows.get(partition).rows());
            for (int i = 0; i < order.size(); i++) {
                order.get(i).take(results.get(i));
            }
        });
        for (Member each : members) {
            if (each.hasPending()) {
                each.taken();
            }
        }
    }

    private Step finish() {
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
        return end(Step.Kind.COMMIT);
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
