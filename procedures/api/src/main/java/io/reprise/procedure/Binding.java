package io.reprise.procedure;

/**
 * Binds a procedure instance while it is constructed: to its partition or, at deployment, to a collector of statement
 * texts. Implemented by the server; application code never uses it.
 */
public abstract class Binding {
    private static final ThreadLocal<Binding> CURRENT = new ThreadLocal<>();

    /** For the server. */
    protected Binding() {}

    static Binding current() {
        Binding binding = CURRENT.get();
        if (binding == null) {
            throw new IllegalStateException(
                    "a procedure is constructed by the engine when it is deployed, not by application code");
        }
        return binding;
    }

    /** Runs the constructor of a procedure with this binding in force. */
    public final <T> T during(java.util.function.Supplier<T> constructor) {
        Binding before = CURRENT.get();
        CURRENT.set(this);
        try {
            return constructor.get();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }

    /** Called in order for each statement that the constructor declares. */
    protected abstract Statement statement(String text);

    /** Called for each result table that the constructor declares. */
    protected abstract ResultTable table(String... columnNames);

    /** The running transaction's time. */
    protected abstract long timestampMicros();

    /** The running transaction's id. */
    protected abstract long transactionId();

    /** The running transaction's randomness. */
    protected abstract TransactionRandom random();

    /** Runs queued statements. */
    protected abstract void flush();

    /** Takes a savepoint. */
    protected abstract int savepoint();

    /** Rolls back to a savepoint. */
    protected abstract void rollbackTo(int savepoint);
}
