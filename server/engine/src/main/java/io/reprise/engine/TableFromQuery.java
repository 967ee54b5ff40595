package io.reprise.engine;

import io.reprise.catalog.QualifiedName;
import io.reprise.catalog.SqlType;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.sql.parse.CreateTableAs;
import io.reprise.sql.physical.PlanField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;

/**
 * CREATE TABLE ... AS: a change of the schema, and a transaction that inserts the query's rows. If that fails, the table is dropped
 * again. A node that ends between the two leaves an empty table.
 *
 * <p>The rows are inserted by INSERT from the query where that may be. A query that reads partitioned tables runs first, and its rows are
 * inserted by one transaction.
 */
final class TableFromQuery {
    /** The most rows of a query that can't be the source of an INSERT. */
    private static final int MOST_ROWS = 200_000;

    private static final long MOST_BYTES = 64L << 20;

    private final Reprise engine;
    private final CreateTableAs wanted;

    TableFromQuery(Reprise engine, CreateTableAs wanted) {
        this.engine = engine;
        this.wanted = wanted;
    }

    /** Makes the table. Returns the number of its rows. */
    long make() {
        if (wanted.ifNotExists() && engine.catalog().hasRelation(wanted.table())) {
            return 0;
        }
        engine.changeSchema(definition());
        if (!wanted.withData()) {
            return 0;
        }
        try {
            return filled();
        } catch (RuntimeException failure) {
            drop(failure);
            throw failure;
        }
    }

    private void drop(RuntimeException failure) {
        try {
            engine.changeSchema("DROP TABLE " + QualifiedName.quoted(wanted.table()));
        } catch (ProcedureException second) {
            failure.addSuppressed(second);
        }
    }

    private String definition() {
        StatementShape shape = engine.shape(query(), () -> true);
        List<PlanField> columns = shape.columns();
        if (columns.isEmpty() || !shape.readOnly()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST, "CREATE TABLE AS takes a query: SELECT, VALUES or WITH");
        } else if (!shape.parameters().isEmpty()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST, "CREATE TABLE AS takes no parameters: write the values into the query");
        } else if (wanted.columns().size() > columns.size()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "CREATE TABLE AS names " + wanted.columns().size() + " columns, and the query has "
                            + columns.size());
        }
        StringJoiner list = new StringJoiner(", ", "CREATE TABLE " + QualifiedName.quoted(wanted.table()) + " (", ")");
        for (int i = 0; i < columns.size(); i++) {
            String name = i < wanted.columns().size()
                    ? wanted.columns().get(i)
                    : columns.get(i).name();
            SqlType type = columns.get(i).type();
            list.add(quoted(name) + " " + (type.equals(SqlType.TEXT) ? "TEXT" : type.toString()));
        }
        return list.toString();
    }

    private long filled() {
        String insert =
                wanted.path().clause() + "INSERT INTO " + QualifiedName.quoted(wanted.table()) + " " + wanted.query();
        try {
            engine.plan(insert, () -> true);
        } catch (ProcedureException refusal) {
            return collected();
        }
        return engine.sql(insert).longValue();
    }

    /** Runs the query and inserts its rows. */
    private long collected() {
        Rows rows = engine.sqlWithin(RunLimits.ofResult(MOST_BYTES), query()).rows();
        if (rows.count() > MOST_ROWS) {
            throw new ProcedureException(
                    ErrorCode.RESULT_TOO_LARGE,
                    "CREATE TABLE AS inserts at most " + MOST_ROWS + " rows of partitioned tables, and the query has "
                            + rows.count() + ": make the table first, then INSERT in pieces");
        }
        String insert = "INSERT INTO " + QualifiedName.quoted(wanted.table()) + " VALUES ("
                + String.join(", ", Collections.nCopies(rows.columns(), "?")) + ")";
        List<TapeStep> steps = new ArrayList<>();
        while (rows.next()) {
            Object[] values = new Object[rows.columns()];
            for (int i = 0; i < values.length; i++) {
                values[i] = rows.valueAt(i);
            }
            steps.add(TapeStep.statement(insert, values));
        }
        if (steps.isEmpty()) {
            return 0;
        }
        TapeReply reply = engine.tape(steps, false, 0, 0, RunLimits.NONE);
        if (!reply.succeeded()) {
            throw new ProcedureException(reply.error(), reply.message(), reply.subject());
        }
        return steps.size();
    }

    private String query() {
        return wanted.path().clause() + wanted.query();
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
