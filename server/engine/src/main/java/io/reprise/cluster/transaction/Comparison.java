package io.reprise.cluster.transaction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A closed partition's comparison with all others, rule T12: a committed transaction counts if each participant has its
 * part; otherwise those that have it cut their logs in front of it. A partition that cuts is closed itself and compares,
 * until nothing changes.
 */
final class Comparison {
    private final Leading leading;
    private final long round;
    private final TreeSet<Integer> agreed = new TreeSet<>();
    private long sentNs = Long.MIN_VALUE / 2;

    Comparison(Leading leading) {
        this.leading = leading;
        round = leading.nextOrder();
    }

    int step(long nowNs) {
        if (agreed.size() == leading.partitions() - 1) {
            leading.opened();
            return 1;
        }
        if (nowNs - sentNs < leading.settings.repeatNs()) {
            return 0;
        }
        sentNs = nowNs;
        TransactionMessage compare =
                new TransactionMessage.Compare(round, leading.state.markId(), leading.state.known());
        for (int other = 0; other < leading.partitions(); other++) {
            if (other != leading.partition && !agreed.contains(other)) {
                leading.send(other, compare);
            }
        }
        return 1;
    }

    void compared(int from, TransactionMessage.Compared compared) {
        if (compared.round() != round) {
            return;
        }
        long first = Long.MAX_VALUE;
        for (TransactionName name : compared.lacking()) {
            TransactionState.Committed committed = leading.state.committed(name);
            first = committed == null ? first : Math.min(first, committed.partIndex());
        }
        if (first < Long.MAX_VALUE) {
            leading.cut(first - 1);
        } else {
            agreed.add(from);
        }
    }

    /** Compares on behalf of another partition, which is closed. Without an answer it asks again. */
    static void answer(Leading leading, int asker, TransactionMessage.Compare compare, long nowNs) {
        if (leading.holds(TransactionRule.VOID_LOST_VOTES)) {
            leading.coordinator.lost(asker, nowNs);
        }
        Set<TransactionName> known = compare.known().stream()
                .map(TransactionMessage.Known::name)
                .collect(Collectors.toCollection(TreeSet::new));
        for (TransactionState.Committed each : leading.state.committed()) {
            boolean isShared = Arrays.binarySearch(each.participants(), asker) >= 0;
            if (isShared && each.run().id() > compare.stableId() && !known.contains(each.name())) {
                if (leading.telling.isStable(each.name(), each.run().id())) {
                    throw new IllegalStateException("partition " + asker + " has lost " + each.name()
                            + ", which is stable in partition " + leading.partition);
                }
                leading.cut(each.partIndex() - 1);
                return;
            }
        }
        if (leading.state.cutIndex() > leading.replica.stable() && leading.holds(TransactionRule.CUT_ON_ALL)) {
            return;
        }
        List<TransactionName> lacking = new ArrayList<>();
        for (TransactionMessage.Known each : compare.known()) {
            boolean isShared = Arrays.binarySearch(each.participants(), leading.partition) >= 0;
            if (isShared && each.committed() && !leading.state.has(each.name(), each.id())) {
                lacking.add(each.name());
            }
        }
        leading.send(asker, new TransactionMessage.Compared(compare.round(), lacking));
    }
}
