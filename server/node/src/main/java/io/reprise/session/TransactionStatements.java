package io.reprise.session;

import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Cancellation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The statements that begin and end a transaction, and set its savepoints. */
final class TransactionStatements {
    private final TapeRunner tape;
    private final Transaction transaction;
    private final SessionSettings settings;
    private final Cursors cursors;
    private final SessionLocks locks;
    private final List<Notice> notices;

    /**
     * The statements of a session.
     *
     * @param notices takes the notices to the client
     */
    TransactionStatements(
            TapeRunner tape,
            Transaction transaction,
            SessionSettings settings,
            Cursors cursors,
            SessionLocks locks,
            List<Notice> notices) {
        this.locks = locks;
        this.tape = tape;
        this.transaction = transaction;
        this.settings = settings;
        this.cursors = cursors;
        this.notices = notices;
    }

    /** Whether a statement is one of these. */
    static boolean isOne(ClientStatement statement) {
        return switch (statement.word(0)) {
            case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "LOCK" -> true;
            default -> false;
        };
    }

    /** Whether a statement ends a transaction, also a failed one. */
    static boolean endsTransaction(ClientStatement statement) {
        return switch (statement.word(0)) {
            case "COMMIT", "END", "ROLLBACK", "ABORT" -> true;
            default -> false;
        };
    }

    /** Runs a statement. */
    Answer run(Cancellation cancellation, ClientStatement statement) {
        return switch (statement.word(0)) {
            case "BEGIN" -> begin(statement, "BEGIN");
            case "START" -> begin(statement, "START TRANSACTION");
            case "COMMIT", "END" -> commitStatement(cancellation, statement);
            case "ROLLBACK", "ABORT" -> rollback(statement);
            case "SAVEPOINT" -> {
                requireTransaction("SAVEPOINT");
                transaction.savepoint(SettingStatements.name(statement, 1));
                yield Answer.done("SAVEPOINT");
            }
            case "RELEASE" -> {
                requireTransaction("RELEASE SAVEPOINT");
                transaction.release(
                        SettingStatements.name(statement, statement.word(1).equals("SAVEPOINT") ? 2 : 1));
                yield Answer.done("RELEASE");
            }
            case "LOCK" -> {
                requireTransaction("LOCK TABLE");
                yield Answer.done("LOCK TABLE");
            }
            default -> throw new IllegalArgumentException(statement.word(0));
        };
    }

    private void requireTransaction(String what) {
        if (transaction.state() == Transaction.State.IDLE || transaction.isImplicit()) {
            throw new SessionException(SqlStates.NO_TRANSACTION, what + " can only be used in transaction blocks");
        }
    }

    private Answer begin(ClientStatement statement, String tag) {
        boolean only =
                SettingStatements.isReadOnly(statement).orElseGet(() -> settings.isOn("default_transaction_read_only"));
        if (transaction.state() == Transaction.State.IDLE) {
            transaction.begin(false, only);
        } else if (transaction.isImplicit()) {
            transaction.becomeExplicit();
        } else {
            notices.add(Notice.warning("25001", "there is already a transaction in progress"));
        }
        return Answer.done(tag);
    }

    /** Whether a statement is a COMMIT that runs the tape. */
    boolean isWaitingCommit(ClientStatement statement) {
        return isCommit(statement) && tape.waitsAtCommit();
    }

    private static boolean isCommit(ClientStatement statement) {
        return switch (statement.word(0)) {
            case "COMMIT", "END" -> !statement.word(1).equals("PREPARED") && !chains(statement);
            default -> false;
        };
    }

    /** Whether a statement ends in AND CHAIN, which would begin another transaction. */
    private static boolean chains(ClientStatement statement) {
        int end = statement.tokens().size() - 1;
        return end > 2
                && statement.word(end - 1).equals("CHAIN")
                && statement.word(end - 2).equals("AND");
    }

    private static void checkNotChained(ClientStatement statement) {
        if (chains(statement)) {
            throw SessionException.unsupported("AND CHAIN is not supported: write BEGIN as a statement of its own");
        }
    }

    /** Starts a COMMIT without waiting. Empty: a thread that may wait has to run it. */
    Optional<CompletableFuture<StartedEnd>> startCommit(Cancellation cancellation, Executor replies) {
        return tape.startCommit(cancellation, replies)
                .map(started -> started.<StartedEnd>thenApply(StartedEnd.OfCommit::new));
    }

    /** A started COMMIT has ended; {@code failure} is not null if its outcome is unknown. */
    Answer committed(StartedEnd.OfCommit end, ProcedureException failure) {
        try {
            if (failure != null) {
                throw Preparation.failure(failure, null);
            }
            TapeRunner.committed(end.reply());
        } finally {
            endTransaction();
        }
        return Answer.done("COMMIT");
    }

    private Answer commitStatement(Cancellation cancellation, ClientStatement statement) {
        if (statement.word(1).equals("PREPARED")) {
            throw SessionException.unsupported("two-phase commit is not supported");
        }
        checkNotChained(statement);
        if (transaction.state() == Transaction.State.FAILED) {
            endTransaction();
            return Answer.done("ROLLBACK");
        }
        if (transaction.state() == Transaction.State.IDLE || transaction.isImplicit() && !transaction.hasSteps()) {
            notices.add(Notice.warning(SqlStates.NO_TRANSACTION, "there is no transaction in progress"));
        }
        commit(cancellation);
        return Answer.done("COMMIT");
    }

    /** Ends an implicit transaction at the end of its statements. */
    void endImplicit(Cancellation cancellation) {
        if (transaction.state() == Transaction.State.FAILED) {
            endTransaction();
        } else {
            commit(cancellation);
        }
    }

    /** Commits what an open transaction has done before a statement that can't be a part of it. */
    void commitBefore(Cancellation cancellation, String why) {
        if (transaction.state() != Transaction.State.OPEN || !transaction.hasSteps()) {
            return;
        }
        boolean implicit = transaction.isImplicit();
        boolean only = transaction.isReadOnly();
        commit(cancellation);
        transaction.begin(implicit, only);
        if (!implicit) {
            notices.add(Notice.warning("01000", why + ": what came before it in this transaction has been committed"));
        }
    }

    private void commit(Cancellation cancellation) {
        try {
            tape.commit(cancellation);
        } finally {
            endTransaction();
        }
    }

    private Answer rollback(ClientStatement statement) {
        int at = statement.word(1).equals("WORK") || statement.word(1).equals("TRANSACTION") ? 2 : 1;
        if (statement.word(at).equals("PREPARED")) {
            throw SessionException.unsupported("two-phase commit is not supported");
        }
        if (statement.word(at).equals("TO")) {
            requireTransaction("ROLLBACK TO SAVEPOINT");
            transaction.rollbackTo(
                    SettingStatements.name(statement, statement.word(at + 1).equals("SAVEPOINT") ? at + 2 : at + 1));
            return Answer.done("ROLLBACK");
        }
        checkNotChained(statement);
        if (transaction.state() == Transaction.State.IDLE) {
            notices.add(Notice.warning(SqlStates.NO_TRANSACTION, "there is no transaction in progress"));
        }
        endTransaction();
        return Answer.done("ROLLBACK");
    }

    private void endTransaction() {
        cursors.transactionEnded();
        transaction.end();
        settings.transactionEnded();
        locks.transactionEnded();
    }
}
