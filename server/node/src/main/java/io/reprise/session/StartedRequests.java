package io.reprise.session;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Cancellation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The requests of a session that a thread runs which must not wait, such as a network loop: planned statements, and the statements that
 * begin and end transactions. Others are run by a thread of the session. Owned by the thread that runs the session's messages.
 */
public final class StartedRequests {
    private final SessionEngine engine;
    private final Transaction transaction;
    private final TapeRunner tape;
    private final TransactionStatements transactionStatements;
    private final Consumer<Bound> check;
    private final Supplier<Cancellation> cancellation;

    /**
     * The requests of a session.
     *
     * @param check throws if a statement may not run
     * @param cancellation cancels the request under way
     */
    StartedRequests(
            SessionEngine engine,
            Transaction transaction,
            TapeRunner tape,
            TransactionStatements transactionStatements,
            Consumer<Bound> check,
            Supplier<Cancellation> cancellation) {
        this.engine = engine;
        this.transaction = transaction;
        this.tape = tape;
        this.transactionStatements = transactionStatements;
        this.check = check;
        this.cancellation = cancellation;
    }

    /**
     * Whether a thread that must not wait can start statements: one as a transaction of its own, or some as previews in a transaction that is
     * open.
     */
    public boolean canStart(List<Prepared> group) {
        return transaction.state() != Transaction.State.FAILED
                && (group.size() == 1 || transaction.state() == Transaction.State.OPEN)
                && group.stream().allMatch(this::canStart);
    }

    private boolean canStart(Prepared prepared) {
        return (prepared.kind() == ClientStatement.Kind.QUERY || prepared.kind() == ClientStatement.Kind.WRITE)
                && !prepared.translation().hasArrays()
                && engine.isPlanned(prepared.translation().sql());
    }

    /** Whether a statement begins or ends a transaction, or sets a savepoint, and waits for nothing. */
    public boolean runsAtOnce(Prepared prepared) {
        return prepared.kind() == ClientStatement.Kind.SESSION
                && TransactionStatements.isOne(prepared.statement())
                && !isWaitingCommit(prepared);
    }

    /** Whether a statement is a COMMIT that waits for the engine. */
    public boolean isWaitingCommit(Prepared prepared) {
        return prepared.kind() == ClientStatement.Kind.SESSION
                && transactionStatements.isWaitingCommit(prepared.statement());
    }

    /**
     * Starts statements, or a COMMIT, without waiting.
     *
     * @param replies completes the future; its tasks are short
     * @return empty: a thread that may wait has to run them
     */
    public Optional<CompletableFuture<StartedEnd>> start(List<Bound> group, Executor replies) {
        if (cancellation.get().isCanceled()) {
            return Optional.empty();
        }
        Bound first = group.getFirst();
        try {
            if (isWaitingCommit(first.prepared())) {
                return transactionStatements.startCommit(cancellation.get(), replies);
            }
            group.forEach(check);
            if (transaction.state() == Transaction.State.OPEN) {
                return tape.startPreview(cancellation.get(), replies, group)
                        .map(started -> started.<StartedEnd>thenApply(StartedEnd.OfPreviews::new));
            }
        } catch (SessionException told) {
            return Optional.empty();
        }
        return engine.start(
                        cancellation.get(),
                        replies,
                        first.prepared().translation().sql(),
                        first.arguments())
                .map(started -> started.<StartedEnd>thenApply(StartedEnd.OfStatement::new));
    }

    /** Whether what was started has to run again, by a thread that may wait; {@code failure} is not null if its outcome is unknown. */
    public boolean runsAgain(List<Bound> group, StartedEnd end, Throwable failure) {
        return failure == null
                ? end.runsAgain()
                : transaction.state() == Transaction.State.OPEN
                        && !isWaitingCommit(group.getFirst().prepared());
    }

    /** Statements that were started, or a COMMIT, have ended; {@code failure} is not null if the outcome is unknown. */
    public void ended(List<Bound> group, StartedEnd end, Throwable failure) {
        Bound first = group.getFirst();
        ProcedureException unknown = failure == null ? null : unknown(failure);
        try {
            if (isWaitingCommit(first.prepared())) {
                first.answered(transactionStatements.committed((StartedEnd.OfCommit) end, unknown));
            } else if (end instanceof StartedEnd.OfPreviews previews) {
                tape.previewed(group, previews.reply());
            } else {
                first.answered(CommandTags.answer(first.prepared(), TapeRunner.asked(first, () -> {
                    if (unknown != null) {
                        throw unknown;
                    }
                    return ((StartedEnd.OfStatement) end).reply().orThrow().result();
                })));
            }
        } catch (SessionException told) {
            first.failed(told);
        }
    }

    private static ProcedureException unknown(Throwable failure) {
        Throwable why = failure instanceof CompletionException ? failure.getCause() : failure;
        return why instanceof ProcedureException known
                ? known
                : new ProcedureException(ErrorCode.OUTCOME_UNKNOWN, String.valueOf(why));
    }
}
