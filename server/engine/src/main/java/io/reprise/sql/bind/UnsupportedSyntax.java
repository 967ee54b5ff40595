package io.reprise.sql.bind;

import io.reprise.sql.grammar.ClauseOperator;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/** Refuses by name, with its place, what we do not support, before validation could complain about something else. */
final class UnsupportedSyntax extends SqlBasicVisitor<Void> {
    private static final Set<SqlKind> ORDERINGS = Set.of(SqlKind.DESCENDING, SqlKind.NULLS_FIRST, SqlKind.NULLS_LAST);
    private static final Set<SqlKind> SIGNS = Set.of(SqlKind.MINUS_PREFIX, SqlKind.PLUS_PREFIX);

    @Override
    public Void visit(SqlCall call) {
        PlanningLimit.check();
        switch (call.getKind()) {
            case OVER -> checkWindowed(call);
            case UNNEST -> {
                if (call.operandCount() != 1) {
                    refuse(call, "UNNEST of several arrays is not supported: expected one");
                }
            }
            case MATCH_RECOGNIZE -> refuse(call, "MATCH_RECOGNIZE is not supported");
            case PIVOT, UNPIVOT -> refuse(call, call.getKind() + " is not supported");
            case TABLESAMPLE -> refuse(call, "TABLESAMPLE is not supported");
            case MERGE -> refuse(call, "MERGE is not supported: use UPSERT");
            case SNAPSHOT -> refuse(call, "FOR SYSTEM_TIME is not supported");
            case EXTEND -> refuse(call, "EXTEND is not supported");
            case COLLECTION_TABLE -> {
                if (!SeriesCalls.givesRows(call.operand(0))) {
                    refuse(call, "the only function that FROM takes is GENERATE_SERIES");
                }
            }
            case ARRAY_QUERY_CONSTRUCTOR -> refuse(call, "ARRAY of a query is not supported");
            case MULTISET_VALUE_CONSTRUCTOR, MULTISET_QUERY_CONSTRUCTOR -> refuse(call, "MULTISET is not supported");
            case MAP_VALUE_CONSTRUCTOR, MAP_QUERY_CONSTRUCTOR -> refuse(call, "MAP values are not supported");
            case WITHIN_DISTINCT -> refuse(call, "WITHIN DISTINCT is not supported");
            case IGNORE_NULLS, RESPECT_NULLS -> refuse(call, "IGNORE NULLS and RESPECT NULLS are not supported");
            case SIMILAR -> refuse(call, "SIMILAR TO is not supported: use LIKE");
            case SOME, ALL -> checkQuantified(call);
            case CAST -> {
                if (call.operandCount() > 2) {
                    refuse(
                            call,
                            "CAST with FORMAT is not supported: put the parts together with EXTRACT, or take them"
                                    + " apart with SUBSTRING");
                }
            }
            case EXTRACT -> checkUnit(call);
            case NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                checkComparison(call);
            default -> {}
        }
        if (call.getOperator() instanceof ClauseOperator clause) {
            refuse(call, clause.getName() + " is not supported");
        }
        if (call.getOperator().getName().equalsIgnoreCase("COUNT") && call.operandCount() > 1) {
            refuse(call, "COUNT of several columns is not supported: expected one");
        }
        if (call instanceof SqlJoin join) {
            checkJoin(join);
        } else if (call instanceof SqlOrderBy order) {
            checkOrder(order.orderList);
            checkCounts(order);
        } else if (call instanceof SqlSelect select) {
            if (select.getQualify() != null) {
                refuse(call, "QUALIFY is not supported");
            }
            select.getSelectList().forEach(UnsupportedSyntax::checkItem);
            if (ExtendedGrammar.selectsAllOfNothing(select)) {
                refuse(call, "SELECT * needs a FROM: there is no table whose columns could be meant");
            }
        }
        return super.visit(call);
    }

    private static void checkWindowed(SqlCall over) {
        boolean distinct = over.operand(0) instanceof SqlCall function
                && function.getFunctionQuantifier() != null
                && function.getFunctionQuantifier().getValue() == SqlSelectKeyword.DISTINCT;
        if (distinct) {
            SqlCall function = over.operand(0);
            refuse(
                    function,
                    function.getOperator().getName() + "(DISTINCT ...) OVER is not supported: use a derived table");
        }
    }

    private static void checkComparison(SqlCall comparison) {
        if (comparison.getOperandList().stream().anyMatch(operand -> operand.getKind() == SqlKind.ROW)) {
            refuse(
                    comparison,
                    "rows are compared with = and IN only: compare their columns, such as a > 1 OR a = 1 AND b > 2"
                            + " instead of (a, b) > (1, 2)");
        }
    }

    /** Each column of two rows is compared; a longer list has nothing to be compared with. */
    private static void checkQuantified(SqlCall call) {
        boolean equalsAny = call.getOperator() instanceof SqlQuantifyOperator quantify
                && quantify.comparisonKind == SqlKind.EQUALS
                && call.getKind() == SqlKind.SOME;
        if (!equalsAny && call.operand(0).getKind() == SqlKind.ROW && call.operand(1) instanceof SqlNodeList) {
            refuse(call, "rows are compared with a list by = ANY and IN only: write VALUES in front of the list");
        }
    }

    private static void checkItem(SqlNode item) {
        if (item != null && SqlUtil.stripAs(item).getKind() == SqlKind.ROW) {
            throw PlanningErrors.at(
                    SqlUtil.stripAs(item).getParserPosition(),
                    "a row of several values stands where one value is expected: leave its parentheses out");
        }
    }

    private static void checkUnit(SqlCall extract) {
        boolean known = extract.operand(0) instanceof SqlIntervalQualifier unit && unit.timeFrameName == null;
        if (!known) {
            refuse(
                    extract,
                    "EXTRACT takes a unit without quotes: one of YEAR, QUARTER, MONTH, WEEK, DAY, DOW, ISODOW, DOY, HOUR,"
                            + " MINUTE, SECOND");
        }
    }

    /** Refuses a fraction as a number of rows. */
    private static void checkCounts(SqlOrderBy order) {
        checkCount(order.fetch, "LIMIT");
        checkCount(order.offset, "OFFSET");
    }

    private static void checkCount(SqlNode count, String word) {
        if (count instanceof SqlNumericLiteral number && !number.isInteger()) {
            throw PlanningErrors.at(
                    count.getParserPosition(), word + " takes a whole number of rows, but this one is " + number);
        }
    }

    private static void checkNames(List<SqlIdentifier> names) {
        Set<String> seen = new HashSet<>();
        for (SqlIdentifier name : names) {
            if (!seen.add(name.getSimple())) {
                throw PlanningErrors.at(name.getParserPosition(), name.getSimple() + " is named twice in USING");
            }
        }
    }

    /** A literal is the number of a column: another one would order nothing, and is not what was meant. */
    private static void checkOrder(SqlNodeList order) {
        for (SqlNode item : order) {
            SqlNode literal = item;
            boolean signed = false;
            while (ORDERINGS.contains(literal.getKind()) || SIGNS.contains(literal.getKind())) {
                signed |= SIGNS.contains(literal.getKind());
                literal = ((SqlCall) literal).operand(0);
            }
            if (literal instanceof SqlNumericLiteral number) {
                signed |= number.getValueAs(BigDecimal.class).signum() < 0;
            }
            boolean position = literal instanceof SqlNumericLiteral number && number.isInteger() && !signed;
            if (literal instanceof SqlLiteral && !position) {
                throw PlanningErrors.at(
                        literal.getParserPosition(),
                        "in ORDER BY, " + (signed ? "a number with a sign" : literal)
                                + " is neither a column nor the number of one: write its name, its number,"
                                + " or an expression of columns");
            }
        }
    }

    private static void checkJoin(SqlJoin join) {
        if (join.getConditionType() == JoinConditionType.USING) {
            checkNames(((SqlNodeList) join.getCondition())
                    .stream().map(SqlIdentifier.class::cast).toList());
        }
        JoinType type = join.getJoinType();
        switch (type) {
            case INNER, LEFT, RIGHT, FULL, CROSS, COMMA -> {}
            default -> refuse(join, type.name().replace('_', ' ') + " JOIN is not supported");
        }
    }

    private static void refuse(SqlCall call, String message) {
        throw PlanningErrors.at(call.getParserPosition(), message);
    }
}
