package io.reprise.engine;

import io.reprise.execution.Execution;
import io.reprise.execution.Result;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.Rows;

/**
 * The end of a call: a result, or the failure of a transaction that did not commit. Its result reads as that of the client's class of the
 * same name. It owns its execution.
 */
public final class Reply {
    private final Execution execution;

    Reply(Execution execution) {
        this.execution = execution;
    }

    /** Whether the transaction committed. */
    public boolean committed() {
        return execution.outcome().succeeded();
    }

    /** Whether a change of the schema came first, so that the call did not run and can be made again. */
    public boolean isOvertaken() {
        return execution.outcome().stale();
    }

    /** The kind of failure; null if the transaction committed. */
    public ErrorCode error() {
        return execution.outcome().error();
    }

    /** The failure in words; null if the transaction committed. */
    public String message() {
        return execution.outcome().message();
    }

    /** The subject of the failure; null if there is none. */
    public ErrorSubject subject() {
        return execution.outcome().subject();
    }

    /** Throws the failure, if it is one. Returns this. */
    public Reply orThrow() {
        if (!execution.outcome().succeeded()) {
            throw new CallException(
                    execution.outcome().error(),
                    execution.outcome().message(),
                    execution.outcome().subject());
        }
        return this;
    }

    /** The transaction's id; 0 if the call was rejected before it began. */
    public long transactionId() {
        return execution.id();
    }

    /** The hash of the transaction's writes. */
    public long writeHash() {
        return execution.outcome().writeHash();
    }

    /** The partition whose thread ran it. */
    public int partition() {
        return execution.ranAt();
    }

    /** The result, to be copied elsewhere. */
    public Result result() {
        return execution.outcome().result();
    }

    /** The kind of result. */
    public Result.Kind kind() {
        return execution.outcome().result().kind();
    }

    /** The result: null, Boolean, Long, Double, String or {@link Rows}. */
    public Object value() {
        orThrow();
        return switch (kind()) {
            case NOTHING -> null;
            case INTEGER -> execution.outcome().result().word();
            case BOOLEAN -> execution.outcome().result().word() != 0;
            case DOUBLE -> Double.longBitsToDouble(execution.outcome().result().word());
            case STRING -> execution.outcome().result().string();
            case ROWS -> execution.outcome().result().rows();
        };
    }

    /** A result of type long, int or boolean (0, 1); the count of a written statement. */
    public long longValue() {
        require(kind() == Result.Kind.INTEGER || kind() == Result.Kind.BOOLEAN, "an integer");
        return execution.outcome().result().word();
    }

    /** A boolean result. */
    public boolean booleanValue() {
        require(kind() == Result.Kind.BOOLEAN, "a boolean");
        return execution.outcome().result().word() != 0;
    }

    /** A double result. */
    public double doubleValue() {
        require(kind() == Result.Kind.DOUBLE, "a double");
        return Double.longBitsToDouble(execution.outcome().result().word());
    }

    /** A String result, perhaps null. */
    public String stringValue() {
        require(kind() == Result.Kind.STRING, "a string");
        return execution.outcome().result().string();
    }

    /** The rows of a result of type Rows or ResultTable, or of a query; before the first row. */
    public Rows rows() {
        require(kind() == Result.Kind.ROWS, "rows");
        return execution.outcome().result().rows();
    }

    private void require(boolean matches, String what) {
        orThrow();
        if (!matches) {
            throw new IllegalStateException("the call returned " + kindInWords() + ", not " + what);
        }
    }

    private String kindInWords() {
        return switch (kind()) {
            case NOTHING -> "nothing";
            case INTEGER -> "an integer";
            case BOOLEAN -> "a boolean";
            case DOUBLE -> "a double";
            case STRING -> "a string";
            case ROWS -> "rows";
        };
    }

    /** The result, the first of its rows, or the failure; for people. */
    @Override
    public String toString() {
        return committed() ? String.valueOf(value()) : error() + ": " + message();
    }
}
