package io.reprise.node;

import io.reprise.execution.Invocation;
import io.reprise.execution.ReplyTarget;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Completes a future off the site's thread, because whatever depends on the future would run on it. */
final class FutureReply implements ReplyTarget {
    private final CompletableFuture<Response> future = new CompletableFuture<>();
    private final Executor executor;
    private final Function<Invocation, Response> answer;
    private Runnable answered = () -> {};

    FutureReply(Executor executor, Function<Invocation, Response> answer) {
        this.executor = executor;
        this.answer = answer;
    }

    CompletableFuture<Response> future() {
        return future;
    }

    /** Before the call is sent: what to do once it has an answer, which the future may learn a little later. */
    void whenAnswered(Runnable action) {
        answered = action;
    }

    @Override
    public void complete(Invocation invocation) {
        answered.run();
        executor.execute(() -> future.complete(answer.apply(invocation)));
    }
}
