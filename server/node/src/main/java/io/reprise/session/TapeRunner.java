package io.reprise.session;

import io.reprise.engine.Reply;
import io.reprise.engine.TapeReply;
import io.reprise.engine.TapeStep;
import io.reprise.execution.work.TapeAnswer;
import io.reprise.execution.work.TapeEntry;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Cancellation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs a session's statements in the engine: as a transaction of their own, as a preview behind a transaction's tape, or the tape as a
 * whole at COMMIT.
 */
final class TapeRunner {
    /** A longer tape is not gone through by a network loop, which other clients wait for. */
    private static final int MOST_STARTED = 100;

    private final SessionEngine engine;
    private final Transaction transaction;
    private final long hashKey;

    TapeRunner(SessionEngine engine, Transaction transaction, long hashKey) {
        this.engine = engine;
        this.transaction = transaction;
        this.hashKey = hashKey;
    }

    /** Runs statements as one transaction. */
    void runAtOnce(Cancellation cancellation, List<Bound> group) {
        if (group.size() == 1) {
            Bound bound = group.getFirst();
            bound.answered(CommandTags.answer(bound.prepared(), asked(bound, () -> {
                Reply reply =
                        engine.run(cancellation, bound.prepared().translation().sql(), bound.arguments());
                return reply.result();
            })));
            return;
        }
        List<TapeStep> steps = new ArrayList<>();
        group.forEach(bound -> steps.add(step(bound)));
        TapeReply reply = engine.tape(cancellation, steps, false, 0, hashKey);
        if (!reply.succeeded() && reply.failed() < 0) {
            throw failure(group.getFirst().prepared(), reply.error(), reply.message(), reply.subject());
        }
        answers(group, reply, 0);
    }

    private static TapeStep step(Bound bound) {
        return TapeStep.statement(bound.prepared().translation().sql(), bound.arguments());
    }

    /** The outcome of a request to the engine; a failure is told with its place in the statement. */
    static <T> T asked(Bound bound, Supplier<T> run) {
        try {
            return run.get();
        } catch (ProcedureException e) {
            throw Preparation.failure(e, bound.prepared().translation())
                    .movedBy(bound.prepared().statement().offset());
        }
    }

    private static SessionException failure(Prepared prepared, ErrorCode code, String message, ErrorSubject subject) {
        return Preparation.failure(new ProcedureException(code, message, subject), prepared.translation());
    }

    /** Runs statements behind those of the open transaction, and undoes them all. */
    void preview(Cancellation cancellation, List<Bound> group) {
        transaction.checkNotFailed();
        transaction.checkRoom();
        transaction.fixNow(engine.nowMicros());
        int before = transaction.steps().size();
        List<TapeStep> steps = new ArrayList<>(transaction.steps());
        group.forEach(bound -> steps.add(step(bound)));
        TapeReply reply =
                asked(group.getFirst(), () -> engine.tape(cancellation, steps, true, transaction.nowMicros(), hashKey));
        if (reply.conflict() >= 0) {
            throw conflict(reply.message());
        }
        if (!reply.succeeded() && reply.failed() < 0) {
            throw failure(group.getFirst().prepared(), reply.error(), reply.message(), reply.subject());
        }
        if (!reply.succeeded()) {
            checkTold(cancellation, group.getFirst());
        }
        previewed(group, reply, before);
        if (!reply.succeeded()) {
            transaction.fail();
        }
    }

    /** Starts a preview of some statements without waiting. Empty: a thread that may wait has to run them. */
    Optional<CompletableFuture<TapeReply>> startPreview(
            Cancellation cancellation, Executor replies, List<Bound> group) {
        if (transaction.steps().size() + group.size() > MOST_STARTED) {
            return Optional.empty();
        }
        transaction.checkRoom();
        transaction.fixNow(engine.nowMicros());
        List<TapeStep> steps = new ArrayList<>(transaction.steps());
        group.forEach(bound -> steps.add(step(bound)));
        return engine.startTape(cancellation, replies, steps, true, transaction.nowMicros(), hashKey);
    }

    /** A preview of statements has succeeded. */
    void previewed(List<Bound> group, TapeReply reply) {
        previewed(group, reply, transaction.steps().size());
    }

    /** Takes the answers, and adds the statements that have run to the tape. */
    private void previewed(List<Bound> group, TapeReply reply, int before) {
        answers(group, reply, before);
        for (int i = 0; i < group.size(); i++) {
            TapeEntry entry = reply.entries().get(before + i);
            if (!entry.ran()) {
                break;
            }
            transaction.add(
                    step(group.get(i)).told(told(entry)),
                    !group.get(i).prepared().readOnly());
        }
    }

    /**
     * Throws a conflict if an earlier answer is out of date. A statement has failed, and previews leave reads out, so the failure may be of
     * rows that the client could not know: a key is taken that was free when it looked.
     */
    private void checkTold(Cancellation cancellation, Bound failed) {
        List<TapeStep> told = transaction.steps();
        List<TapeStep> asked = new ArrayList<>();
        for (TapeStep step : told) {
            boolean answered =
                    step.told().filter(answer -> answer.error() == null).isPresent();
            asked.add(answered ? step.untold() : step);
        }
        TapeReply reply = asked(failed, () -> engine.tape(cancellation, asked, true, transaction.nowMicros(), hashKey));
        if (!reply.succeeded()) {
            throw conflict(reply.message());
        }
        for (int i = 0; i < told.size(); i++) {
            TapeEntry entry = reply.entries().get(i);
            Optional<TapeAnswer> before = told.get(i).told();
            if (asked.get(i).told().isEmpty()
                    && before.isPresent()
                    && !before.get().equals(told(entry))) {
                throw conflict("another transaction has changed the answer of a statement of this one: "
                        + told.get(i).sql());
            }
        }
    }

    private TapeAnswer told(TapeEntry entry) {
        if (entry.error() != null) {
            return TapeAnswer.failed(entry.error());
        }
        return entry.rows() == null ? TapeAnswer.counted(entry.count()) : TapeAnswer.of(entry.rows(), hashKey);
    }

    private static void answers(List<Bound> group, TapeReply reply, int before) {
        for (int i = 0; i < group.size(); i++) {
            TapeEntry entry = reply.entries().get(before + i);
            Prepared prepared = group.get(i).prepared();
            if (!entry.ran()) {
                return;
            }
            if (entry.error() != null) {
                group.get(i).failed(failure(prepared, entry.error(), entry.message(), entry.subject()));
            } else if (entry.rows() != null) {
                group.get(i).answered(Answer.of(CommandTags.tag(prepared), prepared.columns(), entry.rows()));
            } else {
                group.get(i).answered(Answer.done(CommandTags.writeTag(prepared, entry.count())));
            }
        }
    }

    /** Runs the tape of the open transaction as one transaction of the engine. */
    void commit(Cancellation cancellation) {
        try {
            if (waitsAtCommit()) {
                committed(engine.tape(cancellation, toCommit(), false, transaction.nowMicros(), hashKey));
            }
        } catch (ProcedureException e) {
            throw Preparation.failure(e, null);
        }
    }

    /** Whether a commit runs something in the engine. */
    boolean waitsAtCommit() {
        return transaction.state() == Transaction.State.OPEN && transaction.hasSteps();
    }

    /** Starts the commit without waiting. Empty: a thread that may wait has to run it. */
    Optional<CompletableFuture<TapeReply>> startCommit(Cancellation cancellation, Executor replies) {
        return transaction.steps().size() > MOST_STARTED
                ? Optional.empty()
                : engine.startTape(cancellation, replies, toCommit(), false, transaction.nowMicros(), hashKey);
    }

    /** The tape has run at COMMIT. Throws if it was rolled back. */
    static void committed(TapeReply reply) {
        if (reply.conflict() >= 0) {
            throw conflict(reply.message());
        }
        if (!reply.succeeded()) {
            throw Preparation.failure(new ProcedureException(reply.error(), reply.message(), reply.subject()), null);
        }
    }

    /** A single query has been a serial transaction already; it only waits until what it has read is durable. */
    private List<TapeStep> toCommit() {
        List<TapeStep> steps = transaction.steps();
        if (steps.size() == 1 && !transaction.hasWrites()) {
            TapeStep only = steps.getFirst();
            boolean failed = only.told().map(TapeAnswer::error).isPresent();
            if (only.kind() == TapeEntry.Kind.STATEMENT && !failed) {
                return List.of(only.untold());
            }
        }
        return steps;
    }

    private static SessionException conflict(String message) {
        return new SessionException(
                SqlStates.SERIALIZATION_FAILURE,
                "could not serialize access due to concurrent update",
                "Run the transaction again: " + message,
                0);
    }
}
