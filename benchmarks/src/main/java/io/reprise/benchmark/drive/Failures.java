package io.reprise.benchmark.drive;

import io.reprise.client.CallException;
import io.reprise.client.ErrorCode;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Calls that did not commit, by why. A rollback is what the workload has in mind; a refusal is a server, or a client, that says
 * it has enough; everything else is an error. Any thread counts and asks.
 */
public final class Failures {
    private static final Set<ErrorCode> ROLLBACKS = EnumSet.of(ErrorCode.USER_ABORT, ErrorCode.CONSTRAINT_VIOLATION);
    private static final Set<ErrorCode> REFUSALS = EnumSet.of(
            ErrorCode.OVERLOADED, ErrorCode.DEADLINE_PASSED, ErrorCode.MOVED, ErrorCode.PARTITION_UNAVAILABLE);

    private final LongAdder[] counts = new LongAdder[ErrorCode.values().length];
    private final AtomicReference<RuntimeException> firstError = new AtomicReference<>();

    Failures() {
        Arrays.setAll(counts, i -> new LongAdder());
    }

    /** Counts a call. Returns whether it was rolled back, so has been answered as it should be. */
    boolean count(CallException failure) {
        ErrorCode code = failure.code();
        counts[code.ordinal()].increment();
        if (ROLLBACKS.contains(code)) {
            return true;
        }
        if (!REFUSALS.contains(code)) {
            firstError.compareAndSet(null, failure);
        }
        return false;
    }

    /** Counts calls that the client did not send, because it has as many under way as it may. */
    void refused(long calls) {
        counts[ErrorCode.OVERLOADED.ordinal()].add(calls);
    }

    /** Something broke that should not: not a call, but who made it. */
    void broken(RuntimeException bug) {
        counts[ErrorCode.UNKNOWN.ordinal()].increment();
        firstError.compareAndSet(null, bug);
    }

    /** The number of calls rolled back, by the procedure or by a constraint. */
    public long rolledBack() {
        return sum(ROLLBACKS);
    }

    /**
     * The number of calls that were not run: too many were under way, they had waited for too long, or their partition had another
     * leader or none.
     */
    public long refused() {
        return sum(REFUSALS);
    }

    /** The number of calls that ended in any other way. */
    public long errors() {
        Set<ErrorCode> others = EnumSet.allOf(ErrorCode.class);
        others.removeAll(ROLLBACKS);
        others.removeAll(REFUSALS);
        return sum(others);
    }

    private long sum(Set<ErrorCode> codes) {
        long sum = 0;
        for (ErrorCode code : codes) {
            sum += counts[code.ordinal()].sum();
        }
        return sum;
    }

    /** The number of calls of each kind that occurred. */
    public Map<ErrorCode, Long> byCode() {
        Map<ErrorCode, Long> byCode = new EnumMap<>(ErrorCode.class);
        for (ErrorCode code : ErrorCode.values()) {
            long count = counts[code.ordinal()].sum();
            if (count > 0) {
                byCode.put(code, count);
            }
        }
        return byCode;
    }

    /** Whether calls have an unknown outcome, so that the database can't be compared with the replies. */
    public boolean someUnknown() {
        return counts[ErrorCode.OUTCOME_UNKNOWN.ordinal()].sum() > 0;
    }

    /** The first error. */
    public Optional<RuntimeException> firstError() {
        return Optional.ofNullable(firstError.get());
    }

    /** Throws if there is an error: for measurements that mean nothing then. */
    public void check() {
        if (firstError.get() != null) {
            throw new IllegalStateException("a call failed", firstError.get());
        }
    }
}
