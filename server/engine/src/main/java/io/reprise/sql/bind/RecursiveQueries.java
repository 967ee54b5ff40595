package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInternalOperator;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/**
 * Queries of WITH RECURSIVE that refer to themselves: a first part, UNION or UNION ALL, and a part that reads the rows found last.
 *
 * <p>The columns have the types of the first part. Any of them may be NULL later, and strings may become longer, so the first part is
 * wrapped: {@link #COLUMN} gives its columns types with room for that.
 */
final class RecursiveQueries extends SqlShuttle {
    /** A column of the first part, as a column of all rows. */
    static final SqlOperator COLUMN = new SqlInternalOperator(
            "$RECURSIVE_COLUMN", SqlKind.OTHER, 0, true, RecursiveQueries::columnType, null, OperandTypes.ANY);

    private final Function<SqlNode, List<String>> columns;

    /** With a function that validates a query, which it may change, and gives the names of its columns. */
    RecursiveQueries(Function<SqlNode, List<String>> columns) {
        this.columns = columns;
    }

    private static RelDataType columnType(SqlOperatorBinding call) {
        RepriseTypeFactory types = (RepriseTypeFactory) call.getTypeFactory();
        RelDataType first = call.getOperandType(0);
        if (SqlTypeUtil.inCharFamily(first) || first.getSqlTypeName() == SqlTypeName.NULL) {
            boolean json = first.getPrecision() == SqlType.JSON.precision()
                    || first.getPrecision() == SqlType.JSONB.precision();
            return json ? types.createTypeWithNullability(first, true) : types.of(SqlType.TEXT, true);
        } else if (first.getSqlTypeName() == SqlTypeName.DECIMAL) {
            return types.of(SqlType.decimal(RepriseTypeSystem.most(first), first.getScale()), true);
        }
        return types.createTypeWithNullability(first, true);
    }

    /** Refuses a query that has been validated if the first part has no room for a type of the second one: Calcite has converted it then. */
    static void checkTypes(SqlWithItem item) {
        if (item.query.getKind() != SqlKind.UNION || !(((SqlCall) item.query).operand(0) instanceof SqlSelect first)) {
            return;
        }
        for (int i = 0; i < first.getSelectList().size(); i++) {
            SqlNode column = first.getSelectList().get(i);
            if (SqlUtil.stripAs(column).getKind() == SqlKind.CAST) {
                throw PlanningErrors.at(
                        item.name.getParserPosition(),
                        "column " + SqlValidatorUtil.alias(column, i) + " of the recursive query " + item.name
                                + " has a type in the first query that does not hold the values of the second one: CAST it in"
                                + " one of them");
            }
        }
    }

    @Override
    public SqlNode visit(SqlCall call) {
        PlanningLimit.check();
        if (!(call instanceof SqlWith with)
                || with.withList.stream().noneMatch(item -> ((SqlWithItem) item).recursive.booleanValue())) {
            return super.visit(call);
        }
        SqlNodeList items = new SqlNodeList(with.withList.getParserPosition());
        for (SqlNode node : with.withList) {
            SqlWithItem item = (SqlWithItem) node;
            SqlNode query = item.query.accept(this);
            boolean refers =
                    item.recursive.booleanValue() && new RecursiveReferences(item.name.getSimple()).areIn(query);
            items.add(
                    refers
                            ? recursive(item, query, items)
                            : new SqlWithItem(
                                    item.getParserPosition(),
                                    item.name,
                                    item.columnList,
                                    query,
                                    SqlLiteral.createBoolean(false, item.getParserPosition())));
        }
        return new SqlWith(with.getParserPosition(), items, with.body.accept(this));
    }

    private SqlNode recursive(SqlWithItem item, SqlNode query, SqlNodeList before) {
        if (query instanceof SqlOrderBy) {
            throw PlanningErrors.at(
                    query.getParserPosition(),
                    "a query of WITH RECURSIVE can't have ORDER BY, LIMIT or OFFSET: write them in the query that reads it");
        } else if (query.getKind() != SqlKind.UNION) {
            throw PlanningErrors.at(
                    query.getParserPosition(),
                    "a query of WITH RECURSIVE that refers to itself is a first query, UNION or UNION ALL, and a query that"
                            + " refers to it");
        }
        SqlCall union = (SqlCall) query;
        SqlNode first = union.operand(0);
        SqlNode step = union.operand(1);
        RecursiveReferences references = new RecursiveReferences(item.name.getSimple());
        if (references.areIn(first)) {
            throw PlanningErrors.at(
                    first.getParserPosition(),
                    "the first query of WITH RECURSIVE " + item.name + " can't refer to " + item.name);
        }
        references.check(step);
        SqlNode wrapped = wrapped(first, item, before);
        return new SqlWithItem(
                item.getParserPosition(),
                item.name,
                null,
                union.getOperator().createCall(union.getParserPosition(), wrapped, step),
                item.recursive);
    }

    /** The first part with the types of all rows, under the names that the WITH gives to its columns. */
    private SqlNode wrapped(SqlNode first, SqlWithItem item, SqlNodeList before) {
        SqlParserPos at = first.getParserPosition();
        List<String> names = names(first);
        if (item.columnList != null) {
            names = item.columnList.stream()
                    .map(name -> ((SqlIdentifier) name).getSimple())
                    .toList();
        } else if (names == null) {
            SqlNode alone = before.isEmpty() ? first : new SqlWith(at, before, first);
            names = columns.apply(OuterAggregates.copy(alone));
        }
        SqlNodeList items = new SqlNodeList(at);
        List<SqlNode> alias = new ArrayList<>(List.of(first, new SqlIdentifier("$FIRST", at)));
        for (int i = 0; i < names.size(); i++) {
            SqlIdentifier column = new SqlIdentifier("$" + i, at);
            alias.add(column);
            items.add(SqlStdOperatorTable.AS.createCall(
                    at, COLUMN.createCall(at, column), new SqlIdentifier(names.get(i), at)));
        }
        SqlNode from = SqlStdOperatorTable.AS.createCall(at, alias);
        return new SqlSelect(at, null, items, from, null, null, null, null, null, null, null, null, null);
    }

    /** The names of a query's columns; null if a star stands for some of them. */
    static List<String> names(SqlNode query) {
        return switch (query.getKind()) {
            case SELECT -> {
                List<String> names = new ArrayList<>();
                SqlNodeList items = ((SqlSelect) query).getSelectList();
                for (int i = 0; i < items.size(); i++) {
                    if (items.get(i) instanceof SqlIdentifier name && name.isStar()) {
                        yield null;
                    }
                    names.add(SqlValidatorUtil.alias(items.get(i), i));
                }
                yield names;
            }
            case UNION, INTERSECT, EXCEPT -> names(((SqlCall) query).operand(0));
            case ORDER_BY -> names(((SqlOrderBy) query).query);
            case WITH -> names(((SqlWith) query).body);
            default -> null;
        };
    }
}
