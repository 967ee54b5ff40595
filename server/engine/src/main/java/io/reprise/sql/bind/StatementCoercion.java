package io.reprise.sql.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;

/**
 * Calcite's casts between types that meet, with exceptions. A string is never cast to a shorter one: a string too
 * long for a column is refused, not cut. Nor is an exact number of a query cast in which another one is looked for:
 * they are compared as they are, and the common type may have no room. And a string that is compared or computed with
 * as a number has to be one ({@link StringsAsNumbers}).
 */
final class StatementCoercion extends TypeCoercionImpl implements ArrayCoercion {
    /** The right side of IN or its like while both sides are brought to one type, and its own type. */
    private SqlNode searched;

    private RelDataType searchedType;

    /** Whether a string that is cast to a number has to be one. A stored string may be rounded. */
    private boolean strict;

    StatementCoercion(RelDataTypeFactory types, SqlValidator validator) {
        super(types, validator);
    }

    @Override
    public boolean binaryComparisonCoercion(SqlCallBinding binding) {
        StringsAsNumbers.requireInRows(binding);
        refuseTruthAsNumber(binding);
        return strictly(() -> super.binaryComparisonCoercion(binding));
    }

    /** Calcite would compare a number with TRUE as with 1. */
    private static void refuseTruthAsNumber(SqlCallBinding binding) {
        if (binding.getOperandCount() != 2) {
            return;
        }
        RelDataType left = binding.getOperandType(0);
        RelDataType right = binding.getOperandType(1);
        boolean meet = SqlTypeUtil.inBooleanFamily(left) && SqlTypeUtil.isNumeric(right)
                || SqlTypeUtil.inBooleanFamily(right) && SqlTypeUtil.isNumeric(left);
        if (meet) {
            throw PlanningErrors.at(
                    binding.getCall().getParserPosition(),
                    "there is no operator " + binding.getOperator().getName()
                            + " for a number and a BOOLEAN: compare the"
                            + " number with a number, or CAST it AS BOOLEAN");
        }
    }

    /** A string that is compared with a UUID is one; Calcite would compare both as strings. */
    @Override
    public RelDataType commonTypeForBinaryComparison(RelDataType one, RelDataType other) {
        if (one != null && other != null) {
            if (one.getSqlTypeName() == SqlTypeName.ARRAY && SqlTypeUtil.inCharFamily(other)) {
                return one;
            } else if (other.getSqlTypeName() == SqlTypeName.ARRAY && SqlTypeUtil.inCharFamily(one)) {
                return other;
            }
            if (one.getSqlTypeName() == SqlTypeName.UUID && SqlTypeUtil.inCharFamily(other)) {
                return one;
            } else if (other.getSqlTypeName() == SqlTypeName.UUID && SqlTypeUtil.inCharFamily(one)) {
                return other;
            }
        }
        return super.commonTypeForBinaryComparison(one, other);
    }

    @Override
    public void castToArray(SqlCallBinding binding, int operand, RelDataType array) {
        coerceOperandType(binding.getScope(), binding.getCall(), operand, array);
    }

    @Override
    public boolean inOperationCoercion(SqlCallBinding binding) {
        if (binding.operand(1) instanceof SqlNodeList list) {
            numberBeforeList(binding, list);
            numbersInList(binding, list);
        }
        search(binding);
        return strictly(() -> super.inOperationCoercion(binding));
    }

    @Override
    public boolean quantifyOperationCoercion(SqlCallBinding binding) {
        search(binding);
        return strictly(() -> super.quantifyOperationCoercion(binding));
    }

    @Override
    public boolean binaryArithmeticCoercion(SqlCallBinding binding) {
        return strictly(() -> super.binaryArithmeticCoercion(binding));
    }

    @Override
    public boolean builtinFunctionCoercion(
            SqlCallBinding binding, List<RelDataType> types, List<SqlTypeFamily> expected) {
        return strictly(() -> super.builtinFunctionCoercion(binding, types, expected));
    }

    /** A cast may validate an expression with comparisons of its own, so the flag is restored. */
    private boolean strictly(BooleanSupplier coercion) {
        boolean before = strict;
        strict = true;
        try {
            return coercion.getAsBoolean();
        } finally {
            strict = before;
        }
    }

    /** A string in front of a list of numbers, with NULL perhaps, is a number. Calcite would compare these as text. */
    private void numberBeforeList(SqlCallBinding binding, SqlNodeList list) {
        if (!(binding.operand(0) instanceof SqlCharStringLiteral string)) {
            return;
        }
        RelDataType common = factory.leastRestrictive(list.stream()
                .filter(element -> !SqlUtil.isNullLiteral(element, false))
                .map(element -> validator.deriveType(binding.getScope(), element))
                .toList());
        if (common != null && SqlTypeUtil.isNumeric(common)) {
            binding.getCall().setOperand(0, StringsAsNumbers.number(string, common));
            RelDataType nullable = factory.createTypeWithNullability(common, true);
            boolean hasNull = false;
            for (SqlNode element : list) {
                if (SqlUtil.isNullLiteral(element, false)) {
                    validator.setValidatedNodeType(element, nullable);
                    hasNull = true;
                }
            }
            validator.setValidatedNodeType(list, hasNull ? nullable : common);
        }
    }

    /**
     * Of a list with strings and numbers all are strings to Calcite: numbers would be compared as text, or be rounded to what stands on
     * the left. So strings become numbers beside one, and numbers are refused beside a string.
     */
    private void numbersInList(SqlCallBinding binding, SqlNodeList list) {
        RelDataType left = binding.getOperandType(0);
        if (!SqlTypeUtil.inCharFamily(binding.getOperandType(1))) {
            return;
        }
        List<RelDataType> types = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            RelDataType type = validator.deriveType(binding.getScope(), list.get(i));
            if (StringsAsNumbers.meet(left, type)) {
                throw StringsAsNumbers.refusal(binding.operand(0).getParserPosition(), type);
            } else if (StringsAsNumbers.meet(type, left)) {
                list.set(i, StringsAsNumbers.number(list.get(i), left));
                type = validator.deriveType(binding.getScope(), list.get(i));
            }
            types.add(type);
        }
        RelDataType common = factory.leastRestrictive(types);
        if (common != null) {
            validator.setValidatedNodeType(list, common);
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
        if (strict && StringsAsNumbers.meet(type, target)) {
            StringsAsNumbers.require(node, target);
        }
        return !strings && super.needToCast(scope, node, target, rule);
    }
}
