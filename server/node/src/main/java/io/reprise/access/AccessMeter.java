package io.reprise.access;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Counts what becomes of logins, and requests beyond their users' rights; has how it stands with revoked certificates. Any thread. */
public final class AccessMeter {
    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder turnedAway = new LongAdder();
    private final LongAdder notPermitted = new LongAdder();
    private final AtomicReference<RevocationStatus> revocation = new AtomicReference<>();

    /** Logins of this outcome. */
    public long logins(LoginOutcome.Kind kind) {
        return adder(kind).sum();
    }

    /** Requests that were refused because their users may not make them. */
    public long notPermitted() {
        return notPermitted.sum();
    }

    /** The status of the lists of revoked certificates; empty if there are none. */
    public Optional<RevocationStatus> revocation() {
        return Optional.ofNullable(revocation.get());
    }

    /** It stands so with them. */
    public void revocation(RevocationStatus status) {
        revocation.set(status);
    }

    /** A request was refused because its user may not make it. */
    public void refusedRequest() {
        notPermitted.increment();
    }

    LoginOutcome count(LoginOutcome outcome) {
        adder(outcome.kind()).increment();
        return outcome;
    }

    private LongAdder adder(LoginOutcome.Kind kind) {
        return switch (kind) {
            case ACCEPTED -> accepted;
            case REFUSED -> refused;
            case TURNED_AWAY -> turnedAway;
        };
    }
}
