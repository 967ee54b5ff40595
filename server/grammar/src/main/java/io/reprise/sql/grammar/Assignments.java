package io.reprise.sql.grammar;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * Makes Calcite's nodes for the forms of UPDATE and DELETE that Calcite lacks.
 *
 * <p>{@code UPDATE t SET a = s.x FROM s WHERE c} becomes {@code UPDATE t SET a = (SELECT s.x FROM s WHERE c) WHERE EXISTS (SELECT 1
 * FROM s WHERE c)}. A row with several partners is an error then, because none of them is the right one. DELETE with USING becomes
 * an EXISTS likewise.
 */
final class Assignments {
    /** Names of functions over rows: the parser does not look functions up yet. */
    private static final Set<String> AGGREGATES = Set.of(
            "APPROX_COUNT_DISTINCT",
            "AVG",
            "BOOL_AND",
            "BOOL_OR",
            "COUNT",
            "EVERY",
            "MAX",
            "MIN",
            "STDDEV",
            "STDDEV_POP",
            "STDDEV_SAMP",
            "STRING_AGG",
            "SUM",
            "VAR_POP",
            "VAR_SAMP",
            "VARIANCE");

    private Assignments() {}

    /** Adds {@code (a, b) = (x, y)} or {@code (a, b) = (SELECT x, y ...)} column by column. */
    static void add(SqlNodeList several, SqlNode source, SqlNodeList targets, SqlNodeList sources) {
        targets.addAll(several);
        if (source.getKind() == SqlKind.ROW) {
            List<SqlNode> values = ((SqlCall) source).getOperandList();
            checkCount(several, values.size(), source);
            sources.addAll(values);
        } else if (source instanceof SqlSelect select && several.size() > 1) {
            SqlNodeList items = select.getSelectList();
            checkCount(several, items.size(), source);
            boolean aggregates = select.getGroup() == null && items.stream().anyMatch(Assignments::hasAggregate);
            for (SqlNode item : items) {
                SqlSelect one = (SqlSelect) copy(select);
                one.setSelectList(SqlNodeList.of(copy(item)));
                if (aggregates && select.getHaving() == null) {
                    // An item without an aggregate has one row all the same.
                    one.setHaving(SqlLiteral.createBoolean(true, item.getParserPosition()));
                }
                sources.add(one);
            }
        } else {
            checkCount(several, 1, source);
            sources.add(source);
        }
    }

    /** Whether an aggregate function stands in an expression, outside of queries and windows. */
    private static boolean hasAggregate(SqlNode expression) {
        return expression instanceof SqlCall call
                && !call.isA(SqlKind.QUERY)
                && call.getKind() != SqlKind.OVER
                && (AGGREGATES.contains(call.getOperator().getName().toUpperCase(Locale.ROOT))
                        || call.getOperandList().stream().anyMatch(Assignments::hasAggregate));
    }

    private static void checkCount(SqlNodeList several, int values, SqlNode source) {
        if (several.size() != values) {
            throw new RefusedSyntaxException(
                    source.getParserPosition(),
                    several.size() + " columns are set to " + values + " values: write one value for each column");
        }
    }

    static SqlNode update(
            SqlParserPos position,
            SqlIdentifier table,
            SqlIdentifier alias,
            SqlNodeList targets,
            SqlNodeList sources,
            SqlNode from,
            SqlNode where) {
        if (from == null) {
            return new SqlUpdate(position, table, targets, sources, where, null, alias);
        }
        SqlNodeList joined = new SqlNodeList(sources.getParserPosition());
        for (SqlNode source : sources) {
            joined.add(isConstant(source) ? source : select(source, from, where));
        }
        List<SqlNode> expressions = new ArrayList<>(sources);
        expressions.add(where);
        return new JoinedWrite.Update(
                position, table, targets, joined, exists(from, where), alias, names(table, alias, from, expressions));
    }

    static SqlNode delete(
            SqlParserPos position, SqlIdentifier table, SqlIdentifier alias, SqlNode from, SqlNode where) {
        if (from == null) {
            return new SqlDelete(position, table, where, null, alias);
        }
        SqlSelect names = names(table, alias, from, Collections.singletonList(where));
        return new JoinedWrite.Delete(position, table, exists(from, where), alias, names);
    }

    private static SqlSelect names(SqlIdentifier table, SqlIdentifier alias, SqlNode from, List<SqlNode> expressions) {
        SqlNodeList names = new SqlNodeList(from.getParserPosition());
        SqlBasicVisitor<Void> outsideOfQueries = new SqlBasicVisitor<>() {
            @Override
            public Void visit(SqlIdentifier name) {
                if (name.isSimple()) {
                    names.add(copy(name));
                }
                return null;
            }

            @Override
            public Void visit(SqlCall call) {
                return call.isA(SqlKind.QUERY) ? null : super.visit(call);
            }
        };
        expressions.stream().filter(Objects::nonNull).forEach(expression -> expression.accept(outsideOfQueries));
        names.add(SqlLiteral.createExactNumeric("1", from.getParserPosition()));
        SqlParserPos at = table.getParserPosition();
        SqlNode target = copy(table);
        SqlNode join = new SqlJoin(
                at,
                copy(from),
                SqlLiteral.createBoolean(false, at),
                JoinType.CROSS.symbol(at),
                alias == null ? target : SqlStdOperatorTable.AS.createCall(at, target, alias),
                JoinConditionType.NONE.symbol(at),
                null);
        return new SqlSelect(at, null, names, join, null, null, null, null, null, null, null, null, null);
    }

    private static boolean isConstant(SqlNode source) {
        return source instanceof SqlLiteral
                || source.getKind() == SqlKind.DYNAMIC_PARAM
                || source.getKind() == SqlKind.DEFAULT;
    }

    private static SqlNode exists(SqlNode from, SqlNode where) {
        SqlNode one = SqlLiteral.createExactNumeric("1", from.getParserPosition());
        return SqlStdOperatorTable.EXISTS.createCall(from.getParserPosition(), select(one, from, where));
    }

    private static SqlSelect select(SqlNode item, SqlNode from, SqlNode where) {
        return new SqlSelect(
                item.getParserPosition(),
                null,
                SqlNodeList.of(copy(item)),
                copy(from),
                where == null ? null : copy(where),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** A copy of a whole tree, because the validator changes nodes in place. */
    private static SqlNode copy(SqlNode node) {
        return node.accept(new SqlShuttle() {
            @Override
            public SqlNode visit(SqlCall call) {
                CallCopyingArgHandler copied = new CallCopyingArgHandler(call, true);
                call.getOperator().acceptCall(this, call, false, copied);
                return copied.result();
            }
        });
    }
}
