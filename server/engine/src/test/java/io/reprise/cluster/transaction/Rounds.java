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
 * A procedure that reads a list of each participant, appends to each, takes one round back, and commits or aborts. It
 * begins anew if its transaction moves.
 */
final class Rounds implements Procedure {
    private final Call call;
    private final TreeSet<Integer> participants;
    private final boolean takesBack;
    private final boolean aborts;
    private final int key;

    Rounds(Call call, TreeSet<Integer> participants, Randomness random) {
        this.call = call;
        this.participants = participants;
        takesBack = random.chance(0.4);
        aborts = random.chance(0.2);
        key = random.nextInt(TransactionCaller.LISTS);
        participants.forEach(participant -> call.appends.add(new ListKey(participant, key)));
    }

    TreeSet<Integer> participants() {
        return participants;
    }

    @Override
    public Step next(int round, SortedMap<Integer, Result> rows) {
        if (round == 0) {
            return statements(participants, SimulatedStore.READ, 0, -1);
        }
        if (round == 1) {
            rows.forEach((partition, result) ->
                    call.reads.put(new ListKey(partition, key), Work.list(ByteBuffer.wrap(result.rows()))));
            return takesBack
                    ? statements(List.of(participants.first()), SimulatedStore.APPEND, -call.value, -1)
                    : statements(participants, SimulatedStore.APPEND, call.value, -1);
        }
        if (round == 2 && takesBack) {
            return statements(participants, SimulatedStore.APPEND, call.value, 1);
        }
        return new Step(aborts ? Step.Kind.ABORT : Step.Kind.COMMIT, new TreeMap<>(), -1);
    }

    private Step statements(Collection<Integer> at, int operation, long value, int back) {
        TreeMap<Integer, byte[]> works = new TreeMap<>();
        for (int participant : at) {
            works.put(participant, new Work().then(operation, key, value).bytes());
        }
        return new Step(Step.Kind.STATEMENTS, works, back);
    }
}
