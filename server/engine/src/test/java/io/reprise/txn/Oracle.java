package io.reprise.txn;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.Work;
import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Runs the transactions that came back once more, one after the other in the order of their ids, over an array. */
final class Oracle {
    private record Outcome(Work work, long id, long[] arguments, ErrorCode error, long result) {}

    private final List<Outcome> outcomes = new ArrayList<>();
    private final BucketMap buckets;
    private final long[] balances;

    Oracle(int accounts, BucketMap buckets) {
        this.buckets = buckets;
        balances = new long[accounts];
        for (int i = 0; i < accounts; i++) {
            balances[i] = i;
        }
    }

    /** Takes note of a finished transaction. */
    synchronized void finished(Execution execution) {
        if (execution.ranAt() < 0) {
            return;
        }
        long[] arguments = new long[execution.request().arguments().count()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = execution.request().arguments().word(i);
        }
        outcomes.add(new Outcome(
                execution.work(),
                execution.id(),
                arguments,
                execution.outcome().error(),
                execution.outcome().result().word()));
    }

    /** Runs all; fails where an outcome is another. Returns the balances. */
    long[] run() {
        outcomes.sort(Comparator.comparingLong(Outcome::id));
        long previous = 0;
        for (Outcome outcome : outcomes) {
            if (outcome.id <= previous) {
                throw new AssertionError("id " + outcome.id + " was given twice");
            }
            previous = outcome.id;
            long[] before = balances.clone();
            Long expected = run(outcome);
            boolean committed = outcome.error == null;
            if (committed != (expected != null) || committed && expected != outcome.result) {
                throw new AssertionError("transaction " + outcome.id + " (" + outcome.work.name() + ") gave "
                        + (committed ? outcome.result : outcome.error) + ", in the order of the ids it gives "
                        + expected);
            }
            if (!committed) {
                System.arraycopy(before, 0, balances, 0, before.length);
            }
        }
        return balances;
    }

    int count() {
        return outcomes.size();
    }

    long aborts() {
        return outcomes.stream().filter(o -> o.error != null).count();
    }

    /** The result, or null for an abort. */
    private Long run(Outcome outcome) {
        long[] arguments = outcome.arguments;
        return switch (outcome.work) {
            case AccountWork.Single single -> {
                int a = (int) arguments[0];
                balances[a] = AccountWork.mix(balances[a], 0, arguments[1]);
                yield AccountWork.aborts(balances[a]) ? null : balances[a];
            }
            case AccountWork.Pair pair -> {
                int a = (int) arguments[0];
                int b = (int) arguments[1];
                long valueA = AccountWork.mix(balances[a], balances[b], arguments[2]);
                balances[a] = valueA;
                balances[b] = AccountWork.mix(balances[b], valueA, 1);
                yield AccountWork.aborts(balances[b]) ? null : valueA ^ balances[b];
            }
            case AccountWork.SplitRead read -> sum(-1);
            case AccountWork.SplitWrite write -> mixAll(arguments[0]);
            default -> throw new AssertionError(outcome.work);
        };
    }

    private Long mixAll(long amount) {
        for (int i = 0; i < balances.length; i++) {
            balances[i] = AccountWork.mix(balances[i], 1, amount);
        }
        for (int partition = 0; partition < buckets.partitions(); partition++) {
            if (AccountWork.aborts(sum(partition))) {
                return null;
            }
        }
        return sum(-1);
    }

    private long sum(int partition) {
        long sum = 0;
        for (int i = 0; i < balances.length; i++) {
            if (partition < 0 || buckets.partition(Buckets.DEFAULT.of(i)) == partition) {
                sum += balances[i];
            }
        }
        return sum;
    }
}
