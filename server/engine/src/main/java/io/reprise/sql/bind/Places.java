package io.reprise.sql.bind;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * The positions in a statement's text of the subjects that refusals are about. Algebra and plans know nothing of the
 * text, so a refusal names its subject: a table, a column, a function, a literal, LIMIT. The first place where that
 * stands is near enough; without one it is the statement's beginning.
 */
public final class Places extends SqlBasicVisitor<Void> {
    private final Map<String, SqlParserPos> places = new HashMap<>();

    private Places() {}

    /** The refusal with a place. */
    public static SqlPlanningException located(SqlPlanningException refusal, String sql) {
        if (refusal.line() > 0) {
            return refusal;
        }
        SqlParserPos place = place(refusal.subjectText(), sql).orElseGet(() -> beginning(sql));
        return new SqlPlanningException(refusal.getMessage(), place.getLineNum(), place.getColumnNum())
                .from(refusal.getCause());
    }

    private static Optional<SqlParserPos> place(String subject, String sql) {
        if (subject.isEmpty()) {
            return Optional.empty();
        }
        try {
            if (StatementParser.parse(sql) instanceof StatementParser.Syntax syntax) {
                Places places = new Places();
                syntax.node().accept(places);
                return Optional.ofNullable(places.places.get(subject));
            }
        } catch (SqlPlanningException | StackOverflowError unreadable) {
            // Only the place is looked for here; the message has named the problem.
            return Optional.empty();
        }
        int at = sql.toUpperCase(Locale.ROOT).indexOf(subject.toUpperCase(Locale.ROOT));
        return at < 0 ? Optional.empty() : Optional.of(position(sql, at));
    }

    private static SqlParserPos beginning(String sql) {
        int at = 0;
        while (at < sql.length() && Character.isWhitespace(sql.charAt(at))) {
            at++;
        }
        return position(sql, at == sql.length() ? 0 : at);
    }

    private static SqlParserPos position(String sql, int at) {
        String before = sql.substring(0, at);
        int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
        return new SqlParserPos(line, at - before.lastIndexOf('\n'));
    }

    private void note(String name, SqlParserPos position) {
        if (position.getLineNum() > 0) {
            places.putIfAbsent(name, position);
        }
    }

    @Override
    public Void visit(SqlCall call) {
        String operator = call.getOperator().getName().toUpperCase(Locale.ROOT);
        // AVG of DOUBLEs is planned as a SUM.
        note(operator.equals("AVG") ? "SUM" : operator, call.getParserPosition());
        note(operator, call.getParserPosition());
        if (call instanceof SqlOrderBy order) {
            noteLimit(order.fetch);
            noteLimit(order.offset);
        } else if (call instanceof SqlSelect select) {
            noteLimit(select.getFetch());
            noteLimit(select.getOffset());
        }
        return super.visit(call);
    }

    private void noteLimit(SqlNode count) {
        if (count != null) {
            note("LIMIT", count.getParserPosition());
        }
    }

    @Override
    public Void visit(SqlIdentifier name) {
        if (!name.isStar()) {
            note(name.names.getLast(), name.getParserPosition());
        }
        return null;
    }

    @Override
    public Void visit(SqlLiteral literal) {
        String value = literal.toValue();
        if (value != null) {
            note(value, literal.getParserPosition());
        }
        return null;
    }
}
