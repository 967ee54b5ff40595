package io.reprise.cluster.transaction;

import io.reprise.cluster.transaction.TransactionHistory.Call;
import io.reprise.cluster.transaction.TransactionHistory.ListKey;
import io.reprise.runtime.Randomness;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A procedure that reads a list of each participant, appends to each, takes one round back, and commits or aborts. The last
 * statements may ask for the votes, and a participant may refuse them. Some procedures append with the opening, and have no rounds; others read with it.
 * It begins anew if its transaction moves.
 */
final class Rounds implements Procedure {
    private final Call call;
    private final TreeSet<Integer> participants;
    private final boolean takesBack;
    private final boolean aborts;
    private final int key;
    private final boolean opensOnly;
    private final boolean opensFirst;
    private final boolean beginsAtHome;
    private final boolean endsWithStatements;
    private final int refusing;

    Rounds(Call call, TreeSet<Integer> participants, Randomness random) {
        this.call = call;
        this.participants = participants;
        takesBack = random.chance(0.4);
        aborts = random.chance(0.2);
        key = random.nextInt(TransactionCaller.LISTS);
        opensOnly = random.chance(0.25);
        opensFirst = random.chance(0.5);
        beginsAtHome = random.chance(0.5);
        endsWithStatements = !takesBack && random.chance(0.5);
        refusing = random.chance(0.2) ? participants.last() : -1;
        participants.forEach(participant -> call.appends.add(new ListKey(participant, key)));
    }

    TreeSet<Integer> participants() {
        return participants;
    }

    @Override
    public boolean opens() {
        return opensOnly || opensFirst;
    }

    @Override
    public boolean opensOnly() {
        return opensOnly;
    }

    @Override
    public byte[] opening(int participant) {
        return opensOnly
                ? append(call.value).bytes()
                : new Work().then(SimulatedStore.READ, key).bytes();
    }

    @Override
    public boolean beginsAtHome() {
        return beginsAtHome && !opensOnly;
    }

    @Override
    public void refused(int participant, Result result) {
        if (participant != refusing) {
            throw new AssertionError("participant " + participant + " refuses what it was not to refuse");
        }
    }

    @Override
    public Step next(int round, SortedMap<Integer, Result> rows) {
        if (opensOnly) {
            return new Step(aborts ? Step.Kind.ABORT : Step.Kind.COMMIT, new TreeMap<>(), -1);
        }
        if (round == 0) {
            return statements(participants, SimulatedStore.READ, 0, -1);
        }
        if (round == 1) {
            rows.forEach((partition, result) ->
                    call.reads.put(new ListKey(partition, key), Work.list(ByteBuffer.wrap(result.rows()))));
            if (endsWithStatements && !aborts) {
                return last();
            }
            return takesBack
                    ? statements(List.of(participants.first()), SimulatedStore.APPEND, -call.value, -1)
                    : statements(participants, SimulatedStore.APPEND, call.value, -1);
        }
        if (round == 2 && takesBack) {
            return statements(participants, SimulatedStore.APPEND, call.value, 1);
        }
        return new Step(aborts ? Step.Kind.ABORT : Step.Kind.COMMIT, new TreeMap<>(), -1);
    }

    private Step last() {
        TreeMap<Integer, byte[]> works = new TreeMap<>();
        for (int participant : participants) {
            Work work = append(call.value);
            if (participant == refusing) {
                work.then(SimulatedStore.ABORT, 0);
            }
            works.put(participant, work.bytes());
        }
        return new Step(Step.Kind.COMMIT, works, -1);
    }

    private Work append(long value) {
        return new Work().then(SimulatedStore.APPEND, key, value);
    }

    private Step statements(Collection<Integer> at, int operation, long value, int back) {
        TreeMap<Integer, byte[]> works = new TreeMap<>();
        for (int participant : at) {
            works.put(participant, new Work().then(operation, key, value).bytes());
        }
        return new Step(Step.Kind.STATEMENTS, works, back);
    }
}
