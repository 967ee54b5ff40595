package io.reprise.net.postgres;

import io.reprise.session.Bound;
import io.reprise.session.Prepared;
import io.reprise.session.SqlSession;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements that were executed without Sync between them, and the answers from the first of them on. They run as one transaction.
 *
 * <p>Owned by the thread that runs the connection's messages.
 */
final class GatheredStatements {
    /** The most statements that are gathered; more are run as previews before Sync. */
    private static final int MOST = 256;

    private final SqlSession session;
    private final List<Bound> statements = new ArrayList<>();

    /** Answers behind the first statement. */
    private final List<Runnable> answers = new ArrayList<>();

    /** Whether a COMMIT that waits for the engine is gathered too. */
    private boolean takesCommit;

    GatheredStatements(SqlSession session) {
        this.session = session;
    }

    boolean isEmpty() {
        return statements.isEmpty();
    }

    List<Bound> statements() {
        return statements;
    }

    /** Whether the request under way is a COMMIT that the network loop starts. */
    void takesCommit(boolean takes) {
        takesCommit = takes;
    }

    /** Whether a statement is run with others. */
    boolean takes(Prepared prepared) {
        return takesCommit || session.isGrouped(prepared);
    }

    /** Adds a statement. */
    void add(Bound bound, Runnable answer) {
        statements.add(bound);
        answers.add(answer);
        if (statements.size() >= MOST) {
            run(false);
        }
    }

    /** Answers now, or behind the statements. */
    void answer(Runnable written) {
        if (statements.isEmpty()) {
            written.run();
        } else {
            answers.add(written);
        }
    }

    /** Runs them, and answers. */
    void run(boolean last) {
        if (statements.isEmpty()) {
            return;
        }
        List<Bound> group = List.copyOf(statements);
        List<Runnable> held = takeAnswers();
        session.checkCanceled();
        if (session.isGrouped(group.getFirst().prepared())) {
            session.runGroup(group, last);
        } else {
            // A COMMIT that could not be started.
            session.runAlone(group.getFirst());
        }
        held.forEach(Runnable::run);
    }

    /** Takes the answers of statements that have been run. */
    List<Runnable> takeAnswers() {
        List<Runnable> held = List.copyOf(answers);
        forget();
        return held;
    }

    /** Drops them. */
    void forget() {
        statements.clear();
        answers.clear();
    }
}
