package io.reprise.procedure;

/**
 * A stored procedure: a class with SQL statements as final fields and one public method {@code run} with typed
 * parameters.
 *
 * <pre>{@code
 * public final class Deposit extends Procedure {
 *     private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");
 *
 *     public long run(long account, long cents) {
 *         if (add.set(0, cents).set(1, account).update() == 0) {
 *             throw abort("no such account");
 *         }
 *         return cents;
 *     }
 * }
 * }</pre>
 *
 * <p>The engine makes one instance for each partition when the procedure is deployed, so fields may hold scratch
 * memory that is reused, but nothing that one transaction leaves for the next may change what the next one does.
 *
 * <p><b>Parameters</b> may be boolean, byte, short, int, long, double, their wrappers (for NULL), String, {@link Text},
 * BigDecimal, byte[], and arrays of int, long, double, String. TIMESTAMP is a long of microseconds since 1970, DATE an
 * int of days. <b>Results</b>: void, long, int, boolean, double, String, {@link Rows} (a query's own), or
 * {@link ResultTable} filled by the procedure.
 *
 * <p><b>Determinism</b>: a replay must do the same again, so time and randomness come from {@link #timestampMicros} and
 * {@link #random} only; the class is scanned when it is deployed.
 */
public abstract class Procedure {
    private final Binding binding = Binding.current();

    /** Used by subclasses, whose constructor takes no arguments. */
    protected Procedure() {}

    /** Declares a statement of this procedure; it is planned and compiled when the procedure is deployed. */
    protected final Statement sql(String text) {
        return binding.statement(text);
    }

    /** Makes an empty result table, to be filled by {@code run} and returned by it; make it once, in a field. */
    protected final ResultTable table(String... columnNames) {
        return binding.table(columnNames);
    }

    /** The transaction's time, the same for each replay: microseconds since 1970-01-01 UTC. */
    protected final long timestampMicros() {
        return binding.timestampMicros();
    }

    /** The transaction's unique id. */
    protected final long transactionId() {
        return binding.transactionId();
    }

    /** Randomness seeded with the transaction id. */
    protected final TransactionRandom random() {
        return binding.random();
    }

    /** Runs what {@link Statement#queue} has collected, in the order of queueing. */
    protected final void flush() {
        binding.flush();
    }

    /** Marks a point to which {@link #rollbackTo} can undo this transaction's writes. */
    protected final int savepoint() {
        return binding.savepoint();
    }

    /**
     * Undoes all writes since the savepoint was taken; later savepoints are gone, this one remains. Results of queries stay what they
     * were.
     */
    protected final void rollbackTo(int savepoint) {
        binding.rollbackTo(savepoint);
    }

    /** Makes the exception that rolls the transaction back when thrown: {@code throw abort("no such account")}. */
    protected final AbortException abort(String message) {
        return new AbortException(message);
    }
}
