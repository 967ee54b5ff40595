package io.reprise.engine;

import io.reprise.execution.work.StatementCollector;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The cluster's change of the schema that this node has prepared last. Changes are prepared by one thread at a time. */
final class PreparedChange {
    private final Supplier<Schema> now;
    private final StatementCollector statements;
    private final AtomicReference<Prepared> last = new AtomicReference<>();
    private final Object preparing = new Object();

    /** A change that was prepared for a schema. */
    private record Prepared(Schema before, byte[] content, SchemaChange change) {}

    PreparedChange(Supplier<Schema> now, StatementCollector statements) {
        this.now = now;
        this.statements = statements;
    }

    /** Prepares something while no other change is prepared. */
    <T> T alone(Supplier<T> preparation) {
        synchronized (preparing) {
            return preparation.get();
        }
    }

    /** Whether this change was prepared for the schema as it is now. */
    boolean is(byte[] content) {
        Prepared prepared = last.get();
        return prepared != null && prepared.before == now.get() && Arrays.equals(prepared.content, content);
    }

    /** The change, which has to be prepared for the schema as it is now. */
    SchemaChange change(byte[] content) {
        Prepared prepared = last.get();
        if (!is(content)) {
            throw otherSchema();
        }
        return prepared.change;
    }

    /** Prepares a change, unless it is prepared; throws if it is for another schema. */
    SchemaChange prepare(byte[] content) {
        return alone(() -> {
            Schema before = now.get();
            if (is(content)) {
                return last.get().change;
            }
            if (ClusterChange.base(content) != before.transaction()) {
                throw otherSchema();
            }
            SchemaRecord record = SchemaRecord.decode(ClusterChange.record(content));
            SchemaChange change = SchemaChange.again(before, record, statements);
            change.planChecks();
            last.set(new Prepared(before, content, change));
            return change;
        });
    }

    private static ProcedureException otherSchema() {
        return new ProcedureException(
                ErrorCode.PARTITION_UNAVAILABLE,
                "another change of the schema has come first; nothing was changed. Try again");
    }
}
