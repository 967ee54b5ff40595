package io.reprise.engine;

import io.reprise.engine.Callers.Answer;
import io.reprise.engine.Callers.Call;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Calls that are made at once on one database; on those that it is compared with they are made one after the other, in the order in
 * which they came there.
 */
final class CallsAtOnce {
    private final List<Call> calls;
    private final NumberedCalls numbered;

    /** The order of the calls, known when they have been made. */
    private int[] order;

    CallsAtOnce(List<Call> calls, NumberedCalls numbered) {
        this.calls = calls;
        this.numbered = numbered;
    }

    List<Answer> run(Reprise engine, Callers callers) {
        if (order != null) {
            return runInOrder(engine, callers);
        }
        List<Answer> answers = callers.run(engine, calls);
        numbered.answered(calls, answers);
        order = IntStream.range(0, calls.size())
                .boxed()
                .sorted(Comparator.comparingLong(i -> answers.get(i).id()))
                .mapToInt(i -> i)
                .toArray();
        return answers;
    }

    private List<Answer> runInOrder(Reprise engine, Callers callers) {
        Answer[] answers = new Answer[calls.size()];
        for (int i : order) {
            answers[i] = callers.run(engine, List.of(calls.get(i))).getFirst();
        }
        return List.of(answers);
    }
}
