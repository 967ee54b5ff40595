package io.reprise.sql.plan;

import io.reprise.catalog.SqlType;
import java.math.BigDecimal;
import java.util.function.BooleanSupplier;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;

/**
 * Calcite's casts between types that meet, with exceptions. A string is never cast to a shorter one: what a column cannot hold is
 * refused, not cut. Nor is an exact number of a query that another one is looked for in: they are compared as they are, and the
 * common type may have no room. And a string is compared with a number only where it is written as one of the number's type: CAST would
 * round it, so that 1 would be equal to '1.4'.
 */
final class StatementCoercion extends TypeCoercionImpl {
    private static final String COMPARED = "what a string is compared with";

    /** What stands on the right of IN or its like, while both sides are brought to one type, and its own type. */
    private SqlNode searched;

    private RelDataType searchedType;

    private boolean comparing;

    StatementCoercion(RelDataTypeFactory types, SqlValidator validator) {
        super(types, validator);
    }

    @Override
    public boolean binaryComparisonCoercion(SqlCallBinding binding) {
        requireNumbersInRows(binding);
        return comparing(() -> super.binaryComparisonCoercion(binding));
    }

    @Override
    public boolean inOperationCoercion(SqlCallBinding binding) {
        search(binding);
        return comparing(() -> super.inOperationCoercion(binding));
    }

    @Override
    public boolean quantifyOperationCoercion(SqlCallBinding binding) {
        search(binding);
        return comparing(() -> super.quantifyOperationCoercion(binding));
    }

    /** What is cast meanwhile may have to be validated, with comparisons of its own. */
    private boolean comparing(BooleanSupplier coercion) {
        boolean before = comparing;
        comparing = true;
        try {
            return coercion.getAsBoolean();
        } finally {
            comparing = before;
        }
    }

    private void search(SqlCallBinding binding) {
        searched = binding.operand(1);
        searchedType = binding.getOperandType(1);
    }

    @Override
    public boolean rowTypeCoercion(SqlValidatorScope scope, SqlNode query, int column, RelDataType target) {
        return !(query == searched && isExact(column) && SqlTypeUtil.isExactNumeric(target))
                && super.rowTypeCoercion(scope, query, column, target);
    }

    private boolean isExact(int column) {
        RelDataType type = searchedType.isStruct()
                ? searchedType.getFieldList().get(column).getType()
                : searchedType;
        return SqlTypeUtil.isExactNumeric(type);
    }

    @Override
    protected boolean needToCast(SqlValidatorScope scope, SqlNode node, RelDataType target, SqlTypeMappingRule rule) {
        RelDataType type = validator.deriveType(scope, node);
        boolean strings = SqlTypeUtil.inCharFamily(type) && SqlTypeUtil.inCharFamily(target)
                || SqlTypeUtil.isBinary(type) && SqlTypeUtil.isBinary(target);
        if (comparing && SqlTypeUtil.inCharFamily(type) && SqlTypeUtil.isNumeric(target)) {
            requireNumber(node, RepriseTypeFactory.toSqlType(target, COMPARED));
        }
        return !strings && super.needToCast(scope, node, target, rule);
    }

    /** Of two rows Calcite casts the columns later, when nobody is asked. */
    private static void requireNumbersInRows(SqlCallBinding binding) {
        for (int side = 0; side < 2 && binding.getOperandCount() == 2; side++) {
            RelDataType row = binding.getOperandType(side);
            RelDataType other = binding.getOperandType(1 - side);
            if (!(binding.operand(side) instanceof SqlCall call)
                    || call.getKind() != SqlKind.ROW
                    || !other.isStruct()) {
                continue;
            }
            for (int i = 0; i < Math.min(row.getFieldCount(), other.getFieldCount()); i++) {
                RelDataType number = other.getFieldList().get(i).getType();
                if (SqlTypeUtil.inCharFamily(row.getFieldList().get(i).getType()) && SqlTypeUtil.isNumeric(number)) {
                    requireNumber(call.operand(i), RepriseTypeFactory.toSqlType(number, COMPARED));
                }
            }
        }
    }

    private static void requireNumber(SqlNode node, SqlType type) {
        if (!(node instanceof SqlCharStringLiteral literal)) {
            throw PlanningErrors.at(
                    node.getParserPosition(),
                    "a string is compared with a number of type " + type
                            + ": write CAST, with a type that has room for what the string may hold");
        }
        String text = literal.getValueAs(String.class);
        if (!isValue(text.trim(), type)) {
            throw PlanningErrors.at(
                    node.getParserPosition(),
                    "'" + text + "' is compared with a number of type " + type
                            + " and is no value of it: write a number, such as 1.5, instead of a string");
        }
    }

    private static boolean isValue(String text, SqlType type) {
        try {
            BigDecimal value = new BigDecimal(text).stripTrailingZeros();
            return switch (type.kind()) {
                case DOUBLE -> true;
                case DECIMAL ->
                    value.scale() <= type.scale()
                            && isBelow(value, BigDecimal.TEN.pow(type.precision() - type.scale()));
                default -> value.scale() <= 0 && isInteger(value, type);
            };
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean isBelow(BigDecimal value, BigDecimal limit) {
        return value.abs().compareTo(limit) < 0;
    }

    private static boolean isInteger(BigDecimal value, SqlType type) {
        long greatest = Long.MAX_VALUE >> Long.SIZE - Byte.SIZE * type.kind().width();
        return value.compareTo(BigDecimal.valueOf(greatest)) <= 0
                && value.compareTo(BigDecimal.valueOf(-greatest - 1)) >= 0;
    }
}
