package io.reprise.engine;

import io.reprise.execution.Execution;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.Randomness;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A call of a {@link SweepScenario}: its request, its place and time, and its answer, if there was one. */
final class SweepCall {
    private static final int KEYS = 6;
    private static final int LONGEST_TEXT = 75;

    private final String procedure;
    private final List<Object> arguments;
    private Execution execution;
    private boolean answered;
    private boolean stale;
    private ErrorCode error;
    private String message;
    private Optional<Long> value = Optional.empty();
    private long id;
    private long partitions;

    SweepCall(String procedure, Object... arguments) {
        this.procedure = procedure;
        this.arguments = List.of(arguments);
    }

    /** One that the schema has a procedure for, and for which it does not matter whether the next change, if it is due, comes before. */
    static SweepCall draw(Randomness random, int number, SweepModel model, boolean changing) {
        long id = random.nextInt(KEYS);
        String text = text(random, random.nextInt(LONGEST_TEXT + 1));
        int what = random.nextInt(10);
        return switch (what) {
            case 0 -> new SweepCall("Remove", id);
            case 1 -> new SweepCall("Raise", number);
            case 2, 3 -> new SweepCall("Transfer", id, random.nextInt(KEYS), number);
            case 4 -> new SweepCall("SetRate", "rate " + id % 3, number);
            default -> {
                if (what == 5 && model.hasNotes()) {
                    yield new SweepCall("Note", text.substring(0, text.length() / 2), id);
                }
                boolean replaced = changing && model.changes() == SweepSchema.REPLACE_TAG;
                if (what == 6 && model.hasTags() && !replaced) {
                    yield new SweepCall("Tag", id, text);
                }
                if (what == 7 && model.hasEvents()) {
                    yield new SweepCall("AddEvent", id, number, text.substring(0, text.length() / 2));
                }
                yield new SweepCall("Put", id, 100 + number, text);
            }
        };
    }

    private static String text(Randomness random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    String procedure() {
        return procedure;
    }

    long number(int argument) {
        return ((Number) arguments.get(argument)).longValue();
    }

    String text(int argument) {
        return (String) arguments.get(argument);
    }

    /** Gives the execution its arguments. */
    void begin(Execution with) {
        execution = with;
        arguments.forEach(with.request().arguments()::addObject);
    }

    /** It has been sent, and may have been answered already. */
    void sent() {
        for (int i = 0; i < execution.participantCount(); i++) {
            partitions |= 1L << execution.participant(i);
        }
    }

    void answer() {
        id = execution.id();
        stale = execution.outcome().stale();
        error = execution.outcome().error();
        message = execution.outcome().message();
        if (execution.outcome().succeeded()) {
            value = Optional.of(new Reply(execution).longValue());
        }
        execution = null;
        // An engine that ends does not know either.
        answered = error != ErrorCode.OUTCOME_UNKNOWN;
    }

    boolean isAnswered() {
        return answered;
    }

    /** Why it was not run, or what came of it was taken back; null if it was run, or nobody knows. */
    ErrorCode refusal() {
        return stale ? ErrorCode.INVALID_REQUEST : error == ErrorCode.USER_ABORT ? null : error;
    }

    /**
     * Tells whether a change of the schema has overtaken it, so that it was not run; the answer may come
     * later.
     */
    boolean isStale() {
        return execution == null ? stale : execution.outcome().stale();
    }

    String message() {
        return message;
    }

    /** Whether it may have done something: it was not refused, and did not wait for its id until the end. */
    boolean mayHaveRun() {
        return !isStale() && (!answered || refusal() == null) && id() != 0;
    }

    /** Its place in the order of all transactions. */
    long id() {
        return execution == null ? id : execution.id();
    }

    /** Whether both were run by a partition, one behind the other. */
    boolean meets(SweepCall other) {
        return (partitions & other.partitions) != 0;
    }

    /** Its answer: nothing if it was rolled back. */
    Optional<Long> value() {
        return value;
    }

    @Override
    public String toString() {
        return procedure + Arrays.toString(arguments.toArray()) + " id " + id() + " in "
                + Long.toBinaryString(partitions)
                + (answered
                        ? error == null ? " answered " + value : " answered " + error + ": " + message
                        : " in doubt");
    }
}
