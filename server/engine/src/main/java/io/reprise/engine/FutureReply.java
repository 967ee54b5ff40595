package io.reprise.engine;

import io.reprise.execution.Execution;
import io.reprise.execution.ReplyTarget;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Completes a future off the site's thread, because whatever depends on the future would run on it. A call that came too
 * late for its procedure, because a change of the schema overtook it, is sent again, a bounded number of times.
 */
final class FutureReply implements ReplyTarget {
    private final CompletableFuture<Reply> future = new CompletableFuture<>();
    private final Executor executor;
    private final Function<Execution, Reply> answer;
    private final Consumer<FutureReply> sendAgain;
    private int sendsLeft;
    private Runnable answered = () -> {};

    /** A reply to a call that may be sent again; {@code sendAgain} does that, and always leads to another answer. */
    FutureReply(Executor executor, Function<Execution, Reply> answer, int sendsLeft, Consumer<FutureReply> sendAgain) {
        this.executor = executor;
        this.answer = answer;
        this.sendsLeft = sendsLeft;
        this.sendAgain = sendAgain;
    }

    CompletableFuture<Reply> future() {
        return future;
    }

    /** Before the call is sent: sets the action for its answer, which the future may learn a little later. */
    void whenAnswered(Runnable action) {
        answered = action;
    }

    @Override
    public void complete(Execution execution) {
        if (execution.outcome().stale() && sendsLeft > 0) {
            sendsLeft--;
            execute(() -> sendAgain.accept(this));
            return;
        }
        answered.run();
        execute(() -> future.complete(answer.apply(execution)));
    }

    /** An executor that takes nothing more, being full or shut down, must neither end the site nor leave the caller waiting. */
    private void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RuntimeException refusal) {
            ForkJoinPool.commonPool().execute(task);
        }
    }
}
