package io.reprise.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The right to exchange rows of a running engine: rebuilds of partitions and repairs of buckets exclude each other, because both park
 * calls and move rows. Any thread.
 */
final class RowExchange {
    /** The number of rebuilds under way, or minus the number of repairs. */
    private final AtomicInteger underWay = new AtomicInteger();

    /** Begins a rebuild of a partition; null if a bucket is being repaired. */
    <T> CompletableFuture<T> rebuild(Supplier<CompletableFuture<T>> begin) {
        return begin(1, begin);
    }

    /** Begins a repair of a bucket; null if a partition is being rebuilt. */
    <T> CompletableFuture<T> repair(Supplier<CompletableFuture<T>> begin) {
        return begin(-1, begin);
    }

    private <T> CompletableFuture<T> begin(int sign, Supplier<CompletableFuture<T>> begin) {
        int before = underWay.getAndUpdate(count -> count * sign < 0 ? count : count + sign);
        if (before * sign < 0) {
            return null;
        }
        try {
            return begin.get().whenComplete((report, failure) -> underWay.addAndGet(-sign));
        } catch (RuntimeException e) {
            underWay.addAndGet(-sign);
            throw e;
        }
    }
}
