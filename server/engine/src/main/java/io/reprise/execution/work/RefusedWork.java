package io.reprise.execution.work;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.Scope;
import io.reprise.execution.Work;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.StatementFactory;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A procedure that the database has a record of, and that can't be planned, loaded or bound any more: an earlier version of the server
 * has deployed it, or it was when the tables were others. It is kept, so that the database can be opened without it, until it is deployed
 * anew or dropped; or until another version of the server can run it. Each call is refused, so that it never runs.
 */
public final class RefusedWork extends Work {
    private final String reason;
    private final Optional<SortedMap<String, byte[]>> classFiles;

    /**
     * In place of a procedure.
     *
     * @param refusal why it can't be run
     * @param classFiles its code as it was recorded; empty if it is a statement
     */
    public RefusedWork(String name, Throwable refusal, Optional<SortedMap<String, byte[]>> classFiles) {
        super(name);
        this.classFiles = classFiles;
        String prefix = "procedure " + name + " can't be deployed: ";
        String why = refusal instanceof ProcedureException ? refusal.getMessage() : refusal.toString();
        reason = why.startsWith(prefix) ? why.substring(prefix.length()) : why;
    }

    /** Why it can't be run. */
    public String reason() {
        return reason;
    }

    /** Its code as it was recorded; empty if it is a statement. */
    public Optional<SortedMap<String, byte[]>> classFiles() {
        return classFiles;
    }

    private ProcedureException refusal() {
        return new ProcedureException(
                ErrorCode.INVALID_REQUEST,
                "procedure " + name() + " was deployed earlier, and this version of the server can't run it: " + reason
                        + "; deploy it anew, or DROP it");
    }

    /** Whether it writes is unknown, so it needs the right to call procedures that write. */
    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public Scope scope() {
        return Scope.MULTI;
    }

    @Override
    public List<StatementFactory> statements() {
        return List.of();
    }

    @Override
    public void checkCount(int arguments) {
        throw refusal();
    }

    @Override
    public void checkArguments(Execution execution) {
        throw refusal();
    }

    @Override
    public void route(Execution execution, BucketMap buckets) {
        throw refusal();
    }

    @Override
    public void bind(List<Partition> partitions) {
        // There is nothing that could be run.
    }

    @Override
    public void run(Partition partition, Execution execution) {
        throw refusal();
    }

    @Override
    public void runLent(Partition at, Execution execution) {
        throw refusal();
    }
}
