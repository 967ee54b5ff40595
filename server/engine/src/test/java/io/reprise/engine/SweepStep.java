package io.reprise.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Calls of a {@link SweepScenario} that are under way together, perhaps with a change of the schema, and what the database may be
 * behind them. Calls and change are such that it does not matter where among the calls the change is.
 */
final class SweepStep {
    private final int number;
    private final long timeNs;
    private final SweepModel before;
    private final List<SweepCall> calls = new ArrayList<>();
    private boolean changing;
    private boolean changed;

    SweepStep(int number, long timeNs, SweepModel before) {
        this.number = number;
        this.timeNs = timeNs;
        this.before = before;
    }

    int number() {
        return number;
    }

    long timeNs() {
        return timeNs;
    }

    SweepModel before() {
        return before;
    }

    void add(SweepCall call) {
        calls.add(call);
    }

    List<SweepCall> calls() {
        return calls;
    }

    /** A change of the schema is begun, or was refused; it counts when it is {@link #changed}. */
    void changing(boolean begun) {
        changing = begun;
    }

    void changed() {
        changed = true;
    }

    boolean isChanging() {
        return changing;
    }

    boolean isInDoubt() {
        return changing && !changed || calls.stream().anyMatch(call -> !call.isAnswered());
    }

    private List<SweepCall> inOrder() {
        return calls.stream()
                .filter(SweepCall::mayHaveRun)
                .sorted(Comparator.comparingLong(SweepCall::id))
                .toList();
    }

    /** The model when all is answered; each call has to be answered as in the model. */
    SweepModel result() {
        SweepModel model = before.copy();
        for (SweepCall call : inOrder()) {
            Optional<Long> expected = model.apply(call);
            if (!expected.equals(call.value())) {
                throw new AssertionError("in step " + number + " " + call + ", and it should be " + expected);
            }
        }
        if (changed) {
            model.change();
        }
        return model;
    }

    /**
     * The model behind as much of it as has happened, which the condition tells, if it is an end that the log may have.
     *
     * @param needsAnswered whether what was answered has to be there
     */
    Optional<SweepModel> end(boolean needsAnswered, Predicate<SweepModel> found) {
        List<SweepCall> order = inOrder();
        for (int chosen = (1 << order.size()) - 1; chosen >= 0; chosen--) {
            if (!isPrefix(order, chosen) || needsAnswered && !hasAnswered(order, chosen)) {
                continue;
            }
            SweepModel model = before.copy();
            for (int i = 0; i < order.size(); i++) {
                if (has(chosen, i)) {
                    model.apply(order.get(i));
                }
            }
            if (!(needsAnswered && changed) && found.test(model)) {
                return Optional.of(model);
            }
            if (changing) {
                model.change();
                if (found.test(model)) {
                    return Optional.of(model);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean has(int chosen, int call) {
        return (chosen >> call & 1) != 0;
    }

    private static boolean hasAnswered(List<SweepCall> order, int chosen) {
        for (int i = 0; i < order.size(); i++) {
            if (order.get(i).isAnswered() && !has(chosen, i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether nothing is missing before something that is there: the log has everything of a partition in the order of ids. */
    private static boolean isPrefix(List<SweepCall> order, int chosen) {
        for (int later = 0; later < order.size(); later++) {
            for (int earlier = 0; has(chosen, later) && earlier < later; earlier++) {
                if (!has(chosen, earlier) && order.get(earlier).meets(order.get(later))) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return "step " + number
                + (changing ? changed ? ", with a change of the schema" : ", with a change in doubt" : "") + ": "
                + calls;
    }
}
