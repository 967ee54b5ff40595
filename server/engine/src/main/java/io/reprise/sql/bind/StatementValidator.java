package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * Calcite's validator with our rules for parameters: each is nullable and has the type of its neighbour, or BIGINT in
 * LIMIT and OFFSET. A string parameter has any length; its column's limit is checked when it is stored.
 */
final class StatementValidator extends SqlValidatorImpl {
    private final RepriseTypeFactory types;
    /** The types of parameters by their index, as one place has told them: those that rewrites repeat are the same. */
    private final Map<Integer, RelDataType> parameters = new HashMap<>();

    /** Whether the statement has parameters. Without any, expressions are not searched for them. */
    private boolean hasParameters;

    private final ColumnNames names = new ColumnNames(new ColumnNames.Tables() {
        @Override
        public RelDataType columns(SqlNode table) {
            return getNamespace(table).getRowType();
        }

        @Override
        public List<String> common(SqlJoin join) {
            return usingNames(join);
        }
    });

    private final Set<SqlNode> inferring = Collections.newSetFromMap(new IdentityHashMap<>());

    StatementValidator(CalciteCatalogReader reader, RepriseTypeFactory types) {
        super(
                SupportedFunctions.table(),
                reader,
                types,
                Config.DEFAULT
                        .withConformance(SqlConformanceEnum.LENIENT)
                        .withDefaultNullCollation(NullCollation.LOW)
                        .withTypeCoercionEnabled(true)
                        .withTypeCoercionFactory(StatementCoercion::new)
                        .withIdentifierExpansion(true));
        this.types = types;
    }

    /** Validates a statement; a refusal for the sake of a parameter that has no type says which one it is. */
    SqlNode validateStatement(SqlNode statement) {
        hasParameters = ParameterTypes.hasParameter(statement);
        try {
            return withColumnsInferred(validate(statement));
        } catch (CalciteContextException e) {
            if (PlanningErrors.mayBeOfUntyped(e)) {
                throw ParameterTypes.first(
                                statement, parameter -> isUntyped(parameter) && PlanningErrors.isWithin(e, parameter))
                        .<RuntimeException>map(PlanningErrors::untyped)
                        .orElse(e);
            }
            throw e;
        } catch (UnsupportedOperationException e) {
            // Calcite throws it for nodes that it could not give a type.
            throw ParameterTypes.first(statement, this::isUntyped)
                    .<RuntimeException>map(PlanningErrors::untyped)
                    .orElse(e);
        }
    }

    private boolean isUntyped(SqlDynamicParam parameter) {
        RelDataType type = getValidatedNodeTypeIfKnown(parameter);
        return (type == null || isUnknown(type)) && !parameters.containsKey(parameter.getIndex());
    }

    /**
     * Tells parameters their types from what they stand next to. Calcite does so for most operators; those for which it
     * doesn't are in {@link ParameterTypes}.
     */
    @Override
    protected void inferUnknownTypes(RelDataType inferred, SqlValidatorScope scope, SqlNode node) {
        PlanningLimit.check();
        if (node instanceof SqlDynamicParam parameter) {
            inferParameter(inferred, scope, parameter);
        } else if (ParameterTypes.isListOfRows(node) && inferred.isStruct()) {
            // Calcite would give each row the type of one column.
            ((SqlNodeList) node).forEach(row -> inferUnknownTypes(inferred, scope, row));
        } else if (node.getKind() == SqlKind.CAST_NOT_NULL) {
            SqlNode operand = ((SqlCall) node).operand(0);
            inferUnknownTypes(inferred, scope, operand);
            setValidatedNodeType(node, types.createTypeWithNullability(deriveType(scope, operand), false));
        } else if (!ParameterTypes.isNullTestOfParameter(node) && !ParameterTypes.isNullTestOfQuery(node)) {
            ParameterTypes.ofConditions(node)
                    .forEach(condition ->
                            inferUnknownTypes(types.of(SqlType.of(SqlType.Kind.BOOLEAN), true), scope, condition));
            inferFromCompared(scope, ParameterTypes.compared(node));
            ParameterTypes.comparedQueries(node)
                    .forEach((query, other) -> inferColumns(scope, ParameterTypes.rows(query), other));
            inferQueries(inferred, scope, node);
            super.inferUnknownTypes(inferred, scope, node);
            inferFromOperator(scope, node);
            if (node instanceof SqlCase && hasParameters && ParameterTypes.hasParameter(node)) {
                // It has been derived for the sake of its parameters, before they could be NULL.
                removeValidatedNodeType(node);
                super.deriveType(scope, node);
            }
        }
    }

    /**
     * A sub-query in place of a value, all of which is a parameter, has the type that the parameter would have there. The
     * parameter gets it before the sub-query's type is derived.
     */
    private void inferQueries(RelDataType inferred, SqlValidatorScope scope, SqlNode node) {
        if (!hasParameters) {
            return;
        } else if (ParameterTypes.isQueryOfParameters(node)) {
            inferQuery(inferred, scope, node);
        } else if (ParameterTypes.isExpression(node)) {
            for (SqlNode operand : ParameterTypes.alternatives((SqlCall) node)) {
                if (operand != null && ParameterTypes.isQueryOfParameters(operand)) {
                    ParameterTypes.ofQuery((SqlCall) node, operand, types, other -> deriveType(scope, other))
                            .ifPresent(type -> inferQuery(type, scope, operand));
                }
            }
        }
    }

    private void inferQuery(RelDataType told, SqlValidatorScope scope, SqlNode query) {
        if (!isUnknown(told) && (!told.isStruct() || told.getFieldCount() == 1)) {
            ParameterTypes.rows(query).forEach(row -> inferColumns(List.of(told), scope, row));
        }
    }

    @Override
    public void validateWithItem(SqlWithItem item) {
        super.validateWithItem(item);
        if (item.recursive.booleanValue()) {
            RecursiveQueries.checkTypes(item);
        }
    }

    @Override
    public SqlNode expandOrderExpr(SqlSelect select, SqlNode item) {
        return names.ordered(select, item, other -> super.expandOrderExpr(select, other));
    }

    /** Finds aggregates that belong to an outer query, because all of their columns do: Calcite computes them in the inner one. */
    @Override
    public void validateAggregateParams(
            SqlCall aggregate, SqlNode filter, SqlNodeList distinct, SqlNodeList order, SqlValidatorScope scope) {
        OuterAggregates.find(aggregate, filter, scope, getCatalogReader().nameMatcher());
        super.validateAggregateParams(aggregate, filter, distinct, order, scope);
    }

    @Override
    protected void validateSelect(SqlSelect select, RelDataType target) {
        names.begin(select);
        try {
            inferAssigned(select, target);
            super.validateSelect(select, target);
        } finally {
            names.end(select);
        }
    }

    /** Resolves bare names, which Calcite does not find where several columns of the result have them. */
    @Override
    protected void validateOrderList(SqlSelect select) {
        SqlNodeList order = select.getOrderList();
        if (order != null) {
            order.replaceAll(item -> names.orderedByName(select, item));
        }
        super.validateOrderList(select);
    }

    /** Validates a table in FROM as what it names, and not as the alias of an outer query that has this name. */
    @Override
    protected void validateFrom(SqlNode from, RelDataType target, SqlValidatorScope scope) {
        boolean alias = OuterAliases.include(scope, from, getCatalogReader().nameMatcher());
        super.validateFrom(from, target, alias ? getEmptyScope() : scope);
        if (alias) {
            OuterAliases.distinguish((SqlIdentifier) from);
        }
    }

    @Override
    protected void validateWhereClause(SqlSelect select) {
        names.enter(select);
        super.validateWhereClause(select);
    }

    /** The same for what is assigned to columns, by UPDATE and INSERT. */
    private void inferAssigned(SqlSelect select, RelDataType target) {
        if (hasParameters && target.isStruct()) {
            List<SqlNode> items = select.getSelectList();
            // An UPDATE selects all columns first, by a star.
            int before = isStar(items.getFirst()) ? target.getFieldCount() - items.size() : 0;
            for (int i = 0; i < items.size() && before + i < target.getFieldCount(); i++) {
                SqlNode item = SqlUtil.stripAs(items.get(i));
                if (i > 0 && isStar(item)) {
                    break;
                } else if (before + i >= 0 && ParameterTypes.isQueryOfParameters(item)) {
                    inferQuery(target.getFieldList().get(before + i).getType(), getEmptyScope(), item);
                }
            }
        }
    }

    private static boolean isStar(SqlNode item) {
        return item instanceof SqlIdentifier identifier && identifier.isStar();
    }

    /** USING and NATURAL compare columns without asking how, other than ON does. */
    @Override
    protected void validateJoin(SqlJoin join, SqlValidatorScope scope) {
        super.validateJoin(join, scope);
        List<String> columns = usingNames(join);
        if (columns != null) {
            RelDataType left = getNamespace(join.getLeft()).getRowType();
            RelDataType right = getNamespace(join.getRight()).getRowType();
            SqlNameMatcher names = getCatalogReader().nameMatcher();
            columns.forEach(name -> StringsAsNumbers.requireInJoin(
                    join,
                    name,
                    names.field(left, name).getType(),
                    names.field(right, name).getType()));
        }
    }

    /** Parameters that are columns of UNION, INTERSECT or EXCEPT have the types that the other queries' columns tell. */
    private SqlNode withColumnsInferred(SqlNode validated) {
        if (hasParameters) {
            validated.accept(new SqlBasicVisitor<Void>() {
                @Override
                public Void visit(SqlCall call) {
                    if (SqlKind.SET_QUERY.contains(call.getKind())) {
                        inferColumns(getEmptyScope(), ParameterTypes.rows(call), call);
                    }
                    return super.visit(call);
                }
            });
        }
        return validated;
    }

    /** Likewise in the rows of VALUES. */
    @Override
    protected void validateValues(SqlCall values, RelDataType target, SqlValidatorScope scope) {
        super.validateValues(values, target, scope);
        if (hasParameters) {
            List<List<SqlNode>> rows = ParameterTypes.rows(values);
            List<RelDataType> columns = new ArrayList<>();
            for (int i = 0; i < rows.getFirst().size(); i++) {
                int column = i;
                columns.add(types.leastRestrictive(rows.stream()
                        .map(row -> deriveType(scope, row.get(column)))
                        .toList()));
            }
            rows.forEach(row -> inferColumns(columns, scope, row));
        }
    }

    /**
     * Parameters that are columns of a query have the types of their neighbours: the compared values, or its other
     * rows.
     */
    private void inferColumns(SqlValidatorScope scope, List<List<SqlNode>> rows, SqlNode teller) {
        if (rows.stream().flatMap(List::stream).anyMatch(SqlDynamicParam.class::isInstance)) {
            RelDataType type = deriveType(scope, teller);
            List<RelDataType> columns = type.isStruct()
                    ? type.getFieldList().stream()
                            .map(RelDataTypeField::getType)
                            .toList()
                    : List.of(type);
            rows.stream().filter(row -> row.size() == columns.size()).forEach(row -> inferColumns(columns, scope, row));
        }
    }

    private void inferColumns(List<RelDataType> told, SqlValidatorScope scope, List<SqlNode> row) {
        for (int i = 0; i < row.size(); i++) {
            if (row.get(i) instanceof SqlDynamicParam parameter && isUntyped(parameter)) {
                inferParameter(told.get(i), scope, parameter);
            }
        }
    }

    private void inferParameter(RelDataType told, SqlValidatorScope scope, SqlDynamicParam parameter) {
        boolean row = told.isStruct() && told.getFieldCount() == 1;
        RelDataType inferred = row ? told.getFieldList().getFirst().getType() : told;
        if (isUnknown(inferred) || inferred.getSqlTypeName() == SqlTypeName.NULL || SqlTypeUtil.isInterval(inferred)) {
            // Another place may tell (COALESCE uses its arguments twice); parameterTypes refuses what is left.
            return;
        }
        super.inferUnknownTypes(types.ofParameter(inferred), scope, parameter);
        parameters.putIfAbsent(parameter.getIndex(), getValidatedNodeType(parameter));
    }

    /** Parameters on the left have the types of the right side; without another hint they have none. */
    private void inferFromCompared(SqlValidatorScope scope, List<SqlNode> compared) {
        if (!compared.isEmpty() && compared.getFirst() instanceof SqlDynamicParam first && isUntyped(first)) {
            compared.stream()
                    .map(other -> deriveType(scope, other))
                    .filter(type -> !isUnknown(type))
                    .findFirst()
                    .ifPresent(type -> inferParameter(type, scope, first));
            if (isUntyped(first)) {
                throw PlanningErrors.untyped(first);
            }
        }
    }

    private void inferFromOperator(SqlValidatorScope scope, SqlNode node) {
        if (!(node instanceof SqlCall call) || !ParameterTypes.isExpression(node)) {
            return;
        }
        for (int i = 0; i < call.operandCount(); i++) {
            if (call.operand(i) instanceof SqlDynamicParam parameter && isUnknown(deriveType(scope, parameter))) {
                int operand = i;
                ParameterTypes.of(call, i, types, other -> deriveType(scope, other))
                        .ifPresent(type -> inferParameter(type, scope, call.operand(operand)));
            }
        }
    }

    /** Parameters get their types first, so that what is derived of them is not derived from nothing. */
    @Override
    public RelDataType deriveType(SqlValidatorScope scope, SqlNode expression) {
        PlanningLimit.check();
        RelDataType known = getValidatedNodeTypeIfKnown(expression);
        if (expression instanceof SqlDynamicParam parameter && parameters.containsKey(parameter.getIndex())) {
            return known == null || isUnknown(known) ? parameters.get(parameter.getIndex()) : known;
        }
        if (known == null && ParameterTypes.isExpression(expression)) {
            inferBefore(scope, expression);
            if (ArrayCalls.isCastToText(expression)) {
                SqlCall cast = (SqlCall) expression;
                cast.setOperand(0, ArrayCalls.asText(cast.operand(0), deriveType(scope, cast.operand(0))));
            }
        }
        return super.deriveType(scope, expression);
    }

    private void inferBefore(SqlValidatorScope scope, SqlNode expression) {
        if (hasParameters && ParameterTypes.hasParameter(expression) && inferring.add(expression)) {
            try {
                inferUnknownTypes(unknownType, scope, expression);
            } finally {
                inferring.remove(expression);
            }
        }
    }

    static boolean isUnknown(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.UNKNOWN;
    }

    /** NOW and the time of day stand for the time also without parentheses, where a value is meant: not where something is named. */
    @Override
    public SqlCall makeNullaryCall(SqlIdentifier name) {
        PlanningLimit.check();
        if (!name.isSimple() || name.isComponentQuoted(0)) {
            return super.makeNullaryCall(name);
        }
        return switch (name.getSimple()) {
            case "NOW" -> SqlStdOperatorTable.CURRENT_TIMESTAMP.createCall(name.getParserPosition());
            case "LOCALTIME", "CURRENT_TIME" -> TimeFunctions.timeOfDay(name.getParserPosition());
            default -> super.makeNullaryCall(name);
        };
    }

    @Override
    public void validateLiteral(SqlLiteral literal) {
        if (literal.getTypeName() == SqlTypeName.DECIMAL) {
            NumberLimits.check(literal);
        } else {
            super.validateLiteral(literal);
        }
    }

    @Override
    public void validateDataType(SqlDataTypeSpec type) {
        NumberLimits.check(type);
        super.validateDataType(type);
    }

    /** The types of all parameters of a validated statement, by position. */
    List<SqlType> parameterTypes(SqlNode validated) {
        return StatementParameters.types(validated, this, types);
    }
}
