package io.reprise.execution.work;

import io.reprise.execution.LoopBrake;
import io.reprise.execution.deploy.DeployedProcedure;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.RunMonitor;
import io.reprise.runtime.agent.RunMonitor.Verdict;
import java.util.List;

/**
 * Finds out which statements a procedure declares, by making an instance of it, after its classes have been initialised. The
 * constructor and the static initialisers are the application's code and may loop for ever as well as a transaction may; so the watcher of
 * overdue transactions watches this too. Used by one thread at a time, that of the change of the schema.
 */
public final class StatementCollector {
    private final boolean tellsReads;
    private StoredStatements stored = StoredStatements.NONE;
    private final RunMonitor monitor = new RunMonitor(LoopBrake.INSTANCE);

    public StatementCollector() {
        this(false);
    }

    /** Procedures that write are compiled to tell the rows that they read to a footprint, or not. */
    public StatementCollector(boolean tellsReads) {
        this.tellsReads = tellsReads;
    }

    /** Whether procedures that write tell their reads. */
    boolean tellsReads() {
        return tellsReads;
    }

    /** Before the first procedure is made: statements of an earlier process. */
    public void use(StoredStatements statements) {
        stored = statements;
    }

    StoredStatements stored() {
        return stored;
    }

    /** For the watcher. */
    public RunMonitor monitor() {
        return monitor;
    }

    /** The texts of the statements in the order of their declaration. */
    List<String> texts(DeployedProcedure procedure) {
        monitor.runsOn(Thread.currentThread());
        CollectingBinding binding = new CollectingBinding(procedure.name());
        ProcedureException failure = null;
        Verdict verdict;
        monitor.begin();
        try {
            procedure.initialise();
            procedure.create(binding);
        } catch (ProcedureException e) {
            failure = e;
        } finally {
            verdict = monitor.end();
        }
        if (verdict == Verdict.OVERDUE) {
            throw overdue(procedure);
        }
        if (failure != null) {
            throw failure;
        }
        return binding.texts();
    }

    private static ProcedureException overdue(DeployedProcedure procedure) {
        return new ProcedureException(
                ErrorCode.TIME_LIMIT,
                "procedure " + procedure.name() + " can't be deployed: making an instance of class "
                        + procedure.className() + " took longer than the transaction time limit; a constructor only"
                        + " declares statements and makes what run uses again");
    }
}
