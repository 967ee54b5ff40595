package io.reprise.session;

import io.reprise.catalog.SqlType;
import io.reprise.execution.deploy.ParameterType;
import java.util.List;

/**
 * A prepared statement. Immutable: it is prepared again when a change of the schema has invalidated it.
 *
 * @param statement the client's statement
 * @param kind its role
 * @param translation its translation; null for a statement of the session
 * @param engineTypes the types of the engine's parameters
 * @param procedureTypes the types of a procedure's parameters; empty otherwise
 * @param procedure the name of the procedure of a call; empty otherwise
 * @param parameterTypes the types of the client's parameters
 * @param declared the types that the client declared, by number; 0: none
 * @param columns the columns of its result
 * @param readOnly whether it changes nothing
 * @param query the query of a DECLARE, the statement of an EXECUTE; null for other statements
 */
public record Prepared(
        ClientStatement statement,
        ClientStatement.Kind kind,
        Translation translation,
        List<SqlType> engineTypes,
        List<ParameterType> procedureTypes,
        String procedure,
        List<PgType> parameterTypes,
        int[] declared,
        List<ResultColumn> columns,
        boolean readOnly,
        Prepared query) {
    /** Any statement but DECLARE. */
    Prepared(
            ClientStatement statement,
            ClientStatement.Kind kind,
            Translation translation,
            List<SqlType> engineTypes,
            List<ParameterType> procedureTypes,
            String procedure,
            List<PgType> parameterTypes,
            int[] declared,
            List<ResultColumn> columns,
            boolean readOnly) {
        this(
                statement,
                kind,
                translation,
                engineTypes,
                procedureTypes,
                procedure,
                parameterTypes,
                declared,
                columns,
                readOnly,
                null);
    }

    /** Whether the engine plans and runs it as a statement. */
    public boolean isEngineStatement() {
        return kind == ClientStatement.Kind.QUERY
                || kind == ClientStatement.Kind.WRITE
                || kind == ClientStatement.Kind.EXPLAIN;
    }

    /** Whether it changes the schema. */
    public boolean changesSchema() {
        return kind == ClientStatement.Kind.DDL;
    }

    /** Whether its columns are known before it runs. */
    public boolean hasKnownColumns() {
        return kind == ClientStatement.Kind.EXECUTE ? query.hasKnownColumns() : kind != ClientStatement.Kind.CALL;
    }

    /** Whether it is a query, with rows. */
    public boolean returnsRows() {
        return !columns.isEmpty();
    }
}
