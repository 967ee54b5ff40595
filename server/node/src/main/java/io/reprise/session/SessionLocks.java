package io.reprise.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The advisory locks of a session: those that it holds until it frees them, and those of its transaction. Owned by the session. */
final class SessionLocks {
    private record Hold(AdvisoryLocks.Key key, boolean shared) {}

    /** Null: the node has none. */
    private final AdvisoryLocks locks;

    private final List<Hold> ofTransaction = new ArrayList<>();
    private final List<Hold> ofSession = new ArrayList<>();

    SessionLocks(Optional<AdvisoryLocks> locks) {
        this.locks = locks.orElse(null);
    }

    /**
     * Runs a call. Returns the value of its column.
     *
     * @param givesUp whether a wait was canceled
     */
    Object run(AdvisoryCall call, BooleanSupplier givesUp, Object... numbers) {
        if (locks == null) {
            throw SessionException.unsupported(
                    "advisory locks are not supported in a cluster: its nodes don't share them");
        }
        if (call.isFreeAll()) {
            freeAll();
            return "";
        }
        AdvisoryLocks.Key key = call.key(numbers);
        if (key == null) {
            return null;
        }
        Hold hold = new Hold(key, call.isShared());
        if (call.frees()) {
            return ofSession.remove(hold) && locks.free(this, key, hold.shared);
        }
        boolean taken =
                call.tries() ? locks.take(this, key, hold.shared) : locks.await(this, key, hold.shared, givesUp);
        if (taken) {
            (call.ofTransaction() ? ofTransaction : ofSession).add(hold);
        }
        return call.tries() ? (Object) taken : "";
    }

    /** Frees the locks that the session holds beyond its transactions. */
    void freeAll() {
        ofSession.forEach(hold -> locks.free(this, hold.key, hold.shared));
        ofSession.clear();
    }

    void transactionEnded() {
        if (!ofTransaction.isEmpty()) {
            ofTransaction.forEach(hold -> locks.free(this, hold.key, hold.shared));
            ofTransaction.clear();
        }
    }

    /** The session has ended. */
    void close() {
        if (locks != null) {
            locks.freeAll(this);
        }
    }
}
