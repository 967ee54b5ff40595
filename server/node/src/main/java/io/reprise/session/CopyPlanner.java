package io.reprise.session;

import java.util.List;
import java.util.StringJoiner;

/** Plans COPY: the query whose rows it sends, or the INSERT that its lines run. */
final class CopyPlanner {
    private CopyPlanner() {}

    /** The plan of a COPY in a session. */
    static CopyPlan plan(SqlSession session, ClientStatement statement) {
        CopyStatement copy = CopyStatement.parse(statement);
        if (!copy.query().isEmpty()) {
            Prepared query = prepareText(session, copy, statement, copy.query());
            return new CopyPlan(copy, query, query.columns());
        }
        String list = copy.columns().isEmpty() ? "*" : String.join(", ", copy.columns());
        Prepared query = prepareText(session, copy, statement, "SELECT " + list + " FROM " + copy.table());
        if (!copy.fromClient()) {
            return new CopyPlan(copy, query, query.columns());
        }
        StringJoiner names = new StringJoiner(", ", " (", ")");
        // A COPY gives values to columns that are GENERATED ALWAYS, too.
        StringJoiner values = new StringJoiner(", ", " OVERRIDING SYSTEM VALUE VALUES (", ")");
        for (int i = 0; i < query.columns().size(); i++) {
            names.add('"' + query.columns().get(i).name().replace("\"", "\"\"") + '"');
            values.add("$" + (i + 1));
        }
        Prepared insert = prepareText(session, copy, statement, "INSERT INTO " + copy.table() + names + values);
        return new CopyPlan(copy, insert, query.columns());
    }

    private static Prepared prepareText(SqlSession session, CopyStatement copy, ClientStatement of, String text) {
        List<ClientStatement> parts = ClientStatement.split(text);
        if (parts.size() != 1) {
            throw SessionException.syntax("COPY takes one query", of.offset() + copy.queryOffset());
        }
        try {
            return session.prepare(parts.getFirst());
        } catch (SessionException failure) {
            throw new SessionException(
                    failure.state(),
                    failure.getMessage(),
                    failure.fields().withPosition(of.offset() + copy.queryOffset() + 1));
        }
    }
}
