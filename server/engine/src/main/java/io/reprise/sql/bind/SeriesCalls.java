package io.reprise.sql.bind;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlTableFunction;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * GENERATE_SERIES. In FROM it is a table whose column has the table's alias. In a list of SELECT it becomes such a table, which is
 * joined with all others. UNNEST becomes a table of an array's elements and their numbers in the same way.
 */
final class SeriesCalls {
    static final String NAME = "GENERATE_SERIES";

    private static final String UNNEST = "UNNEST";
    private static final String ORDINALITY = "ORDINALITY";
    private static final ArrayOperands ARRAY = new ArrayOperands("A");

    /** The alias of the table of elements. */
    private static final String ELEMENTS_OF = "$ELEMENTS";

    /** The alias of a series that stands in a list of SELECT. */
    private static final String HIDDEN = "$SERIES";

    static final SqlFunction FUNCTION = new Function();

    /** The elements of an array, each with its number. */
    static final SqlFunction ELEMENTS = new Elements();

    private SeriesCalls() {}

    /** The function, which gives rows of one number. */
    private static final class Function extends SqlFunction implements SqlTableFunction {
        Function() {
            super(
                    NAME,
                    SqlKind.OTHER_FUNCTION,
                    ReturnTypes.CURSOR,
                    InferTypes.FIRST_KNOWN,
                    OperandTypes.family(SqlTypeFamily.EXACT_NUMERIC, SqlTypeFamily.EXACT_NUMERIC)
                            .or(OperandTypes.family(
                                    SqlTypeFamily.EXACT_NUMERIC,
                                    SqlTypeFamily.EXACT_NUMERIC,
                                    SqlTypeFamily.EXACT_NUMERIC)),
                    SqlFunctionCategory.USER_DEFINED_TABLE_FUNCTION);
        }

        @Override
        public SqlReturnTypeInference getRowTypeInference() {
            return Function::row;
        }

        private static RelDataType row(SqlOperatorBinding call) {
            RelDataTypeFactory types = call.getTypeFactory();
            RelDataType number = types.leastRestrictive(call.collectOperandTypes());
            return types.builder()
                    .add(NAME, types.createTypeWithNullability(number, false))
                    .build();
        }
    }

    /** The function that gives a row for each element. */
    private static final class Elements extends SqlFunction implements SqlTableFunction {
        Elements() {
            super(
                    "ARRAY_ELEMENTS",
                    SqlKind.OTHER_FUNCTION,
                    ReturnTypes.CURSOR,
                    ARRAY,
                    ARRAY,
                    SqlFunctionCategory.USER_DEFINED_TABLE_FUNCTION);
        }

        @Override
        public SqlReturnTypeInference getRowTypeInference() {
            return Elements::row;
        }

        private static RelDataType row(SqlOperatorBinding call) {
            RelDataTypeFactory types = call.getTypeFactory();
            RelDataType element = call.getOperandType(0).getComponentType();
            return types.builder()
                    .add(UNNEST, types.createTypeWithNullability(element, true))
                    .add(ORDINALITY, types.createSqlType(SqlTypeName.INTEGER))
                    .build();
        }
    }

    /** Whether a node is a call of a function that gives rows. */
    static boolean givesRows(SqlNode node) {
        return isSeries(node) || node instanceof SqlCall call && call.getOperator() == ELEMENTS;
    }

    /** Whether a node is a call of the function, whether or not it has been resolved. */
    static boolean isSeries(SqlNode node) {
        return node instanceof SqlCall call
                && call.getOperator() instanceof SqlFunction function
                && function.getName().equalsIgnoreCase(NAME);
    }

    /** Whether a node is a call of UNNEST in a list of SELECT. */
    private static boolean isUnnest(SqlNode node) {
        return node instanceof SqlCall call
                && call.operandCount() == 1
                && call.getOperator() instanceof SqlFunction function
                && function.getName().equalsIgnoreCase(UNNEST);
    }

    /** UNNEST in FROM as a query of the elements, with their numbers if these are wanted. */
    private static SqlNode elements(SqlNode table, SqlCall unnest) {
        SqlParserPos position = unnest.getParserPosition();
        SqlNode array = unnest.operand(0);
        boolean numbered = unnest.getOperator() == SqlStdOperatorTable.UNNEST_WITH_ORDINALITY;
        SqlNodeList items = new SqlNodeList(position);
        items.add(new SqlIdentifier(List.of(ELEMENTS_OF, UNNEST), position));
        if (numbered) {
            items.add(new SqlIdentifier(List.of(ELEMENTS_OF, ORDINALITY), position));
        }
        SqlNode from = as(call(ELEMENTS.createCall(position, array)), ELEMENTS_OF, UNNEST, ORDINALITY);
        SqlNode query =
                new SqlSelect(position, null, items, from, null, null, null, null, null, null, null, null, null);
        SqlNode rows = refers(array) ? SqlStdOperatorTable.LATERAL.createCall(position, query) : query;
        if (table.getKind() != SqlKind.AS) {
            return as(rows, UNNEST);
        }
        List<SqlNode> operands = new ArrayList<>(((SqlCall) table).getOperandList());
        operands.set(0, rows);
        if (operands.size() == 2) {
            operands.add(operands.get(1));
            if (numbered) {
                operands.add(new SqlIdentifier(ORDINALITY, position));
            }
        }
        return SqlStdOperatorTable.AS.createCall(table.getParserPosition(), operands);
    }

    /** A query's FROM and list with all series as tables. */
    static void resolve(SqlSelect select) {
        if (select.getFrom() != null) {
            select.setFrom(named(select.getFrom()));
        }
        SqlNodeList items = select.getSelectList();
        List<SqlCall> found = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            SqlNode item = items.get(i);
            int before = found.size();
            SqlNode replaced = item.accept(new Replacement(found));
            if (found.size() > before) {
                items.set(i, isSeries(item) ? as(replaced, NAME) : isUnnest(item) ? as(replaced, UNNEST) : replaced);
            }
        }
        if (found.isEmpty()) {
            return;
        }
        SqlCall series = found.getFirst();
        SqlParserPos position = series.getParserPosition();
        if (found.size() > 1 || select.getGroup() != null || select.getHaving() != null) {
            throw PlanningErrors.at(
                    position, NAME + " or UNNEST stands once in a list of SELECT, without GROUP BY: put it into FROM");
        }
        SqlNode table = series.getOperator() == ELEMENTS
                ? as(call(series), HIDDEN, UNNEST, ORDINALITY)
                : as(call(series), HIDDEN, NAME);
        select.setFrom(
                select.getFrom() == null
                        ? table
                        : new SqlJoin(
                                position,
                                select.getFrom(),
                                SqlLiteral.createBoolean(false, position),
                                JoinType.CROSS.symbol(position),
                                table,
                                JoinConditionType.NONE.symbol(position),
                                null));
    }

    /** Takes series out of expressions, but not those of queries within. */
    private static final class Replacement extends SqlShuttle {
        private final List<SqlCall> found;

        Replacement(List<SqlCall> found) {
            this.found = found;
        }

        @Override
        public SqlNode visit(SqlCall call) {
            if (call.isA(SqlKind.QUERY)) {
                return call;
            } else if (isSeries(call)) {
                found.add(call);
                return new SqlIdentifier(List.of(HIDDEN, NAME), call.getParserPosition());
            } else if (isUnnest(call)) {
                SqlParserPos position = call.getParserPosition();
                SqlNode array = call.operand(0);
                found.add(ELEMENTS.createCall(position, array));
                return new SqlIdentifier(List.of(HIDDEN, UNNEST), position);
            }
            return super.visit(call);
        }
    }

    private static SqlNode named(SqlNode table) {
        if (table instanceof SqlJoin join) {
            join.setLeft(named(join.getLeft()));
            join.setRight(named(join.getRight()));
            return join;
        }
        SqlNode inner = SqlUtil.stripAs(table);
        if (inner.getKind() == SqlKind.UNNEST) {
            return elements(table, (SqlCall) inner);
        }
        if (inner.getKind() != SqlKind.COLLECTION_TABLE || !isSeries(((SqlCall) inner).operand(0))) {
            return table;
        }
        SqlNode called = call(((SqlCall) inner).operand(0));
        if (table.getKind() != SqlKind.AS) {
            return as(called, NAME, NAME);
        }
        List<SqlNode> operands = new ArrayList<>(((SqlCall) table).getOperandList());
        operands.set(0, called);
        if (operands.size() == 2) {
            operands.add(operands.get(1));
        }
        return SqlStdOperatorTable.AS.createCall(table.getParserPosition(), operands);
    }

    /** A function as a table; it may refer to the tables before it. */
    private static SqlNode call(SqlCall series) {
        SqlParserPos position = series.getParserPosition();
        SqlFunction function = series.getOperator() == ELEMENTS ? ELEMENTS : FUNCTION;
        SqlNode table = SqlStdOperatorTable.COLLECTION_TABLE.createCall(
                position, function.createCall(position, series.getOperandList()));
        return refers(series) ? SqlStdOperatorTable.LATERAL.createCall(position, table) : table;
    }

    private static boolean refers(SqlNode series) {
        boolean[] found = new boolean[1];
        series.accept(new org.apache.calcite.sql.util.SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlIdentifier name) {
                found[0] = true;
                return null;
            }
        });
        return found[0];
    }

    private static SqlNode as(SqlNode node, String... names) {
        List<SqlNode> operands = new ArrayList<>();
        operands.add(node);
        for (String name : names) {
            operands.add(new SqlIdentifier(name, node.getParserPosition()));
        }
        return SqlStdOperatorTable.AS.createCall(node.getParserPosition(), operands);
    }
}
