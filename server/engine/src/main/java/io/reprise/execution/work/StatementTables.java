package io.reprise.execution.work;

import io.reprise.catalog.QualifiedName;
import io.reprise.sql.compile.StatementFactory;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds the statements that have to be made again when tables change: those that name one of them. Reading by the
 * plan does not decide: an unneeded part of a statement must be right too, whenever it is planned again. If a name
 * stands for something else, or for a table in another schema, a statement is made again without need.
 */
public final class StatementTables {
    /** Names can be written by the codes of their characters. */
    private static final Pattern CODED_NAME = Pattern.compile("u&\"", Pattern.CASE_INSENSITIVE);

    private final List<Pattern> names;

    /** The names of tables and views that change. */
    public StatementTables(Collection<String> tables) {
        names = tables.stream().map(StatementTables::name).toList();
    }

    private static Pattern name(String table) {
        String quoted = Pattern.quote(QualifiedName.simple(table).replace("\"", "\"\""));
        return Pattern.compile(
                "(?<![\\p{L}\\p{N}_$])" + quoted + "(?![\\p{L}\\p{N}_$])",
                Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    /** Whether any of the statements names any of the tables. */
    public boolean areNamedIn(List<StatementFactory> statements) {
        return statements.stream().map(statement -> statement.traits().sql()).anyMatch(this::areNamedIn);
    }

    private boolean areNamedIn(String sql) {
        return !names.isEmpty()
                && (CODED_NAME.matcher(sql).find()
                        || names.stream().anyMatch(name -> name.matcher(sql).find()));
    }
}
