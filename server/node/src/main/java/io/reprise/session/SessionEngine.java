package io.reprise.session;

import io.reprise.catalog.Catalog;
import io.reprise.engine.Batches;
import io.reprise.engine.DrawnValues;
import io.reprise.engine.Reply;
import io.reprise.engine.StatementShape;
import io.reprise.engine.TapeReply;
import io.reprise.engine.TapeStep;
import io.reprise.execution.Work;
import io.reprise.runtime.agent.Cancellation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The engine, as sessions see it. Any thread; each method waits for its result and throws the engine's failures. Requests can be
 * canceled.
 */
public interface SessionEngine {
    /** Plans a statement. */
    StatementShape shape(Cancellation by, String sql);

    /** The arguments of a statement with the values of sequences that it takes, which are drawn. */
    Object[] filled(String sql, DrawnValues session, Object... arguments);

    /** Runs a statement as a transaction of its own. */
    Reply run(Cancellation by, String sql, Object... arguments);

    /** Whether a statement has been planned. */
    boolean isPlanned(String sql);

    /**
     * Starts a planned statement without waiting; an executor, whose tasks are short, completes the future. Empty: only a thread that
     * may wait can run it.
     */
    Optional<CompletableFuture<Reply>> start(Cancellation by, Executor replies, String sql, Object... arguments);

    /** Starts a transaction of planned statements in the same way. Empty: only a thread that may wait can run it. */
    Optional<CompletableFuture<TapeReply>> startTape(
            Cancellation by, Executor replies, List<TapeStep> steps, boolean preview, long nowMicros, long key);

    /** Runs a transaction in one go; a failure is in the reply. */
    TapeReply tape(Cancellation by, List<TapeStep> steps, boolean preview, long nowMicros, long key);

    /** Runs a statement for many rows, in batches that are transactions of their own. */
    Batches batches(Cancellation by, String sql, DrawnValues session);

    /** Runs a procedure. */
    Reply call(Cancellation by, String procedure, Object... arguments);

    /** The procedure of this name, or null. */
    Work procedure(String name);

    /** Changes the schema. Returns the number of rows of a table that is made from a query; -1 for other changes. */
    long change(String script);

    /** The present schema. */
    Catalog catalog();

    /** The time in microseconds since 1970. */
    long nowMicros();

    /** The advisory locks; empty in a cluster, whose nodes don't share them. */
    Optional<AdvisoryLocks> advisoryLocks();

    /** The sessions of the port. */
    Backends backends();

    /** The server's name and version. */
    String software();
}
