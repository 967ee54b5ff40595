package io.reprise.sql.bind;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlOperandTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The operands of a function of arrays. A string in place of an array stands for one of the same elements as the other operands tell.
 *
 * @param kinds a letter for each operand: an Array, an Element of it, an Integer, a String
 * @param least the least number of operands
 */
record ArrayOperands(String kinds, int least) implements SqlOperandTypeChecker, SqlOperandTypeInference {
    /** So many operands as there are letters. */
    ArrayOperands(String kinds) {
        this(kinds, kinds.length());
    }

    @Override
    public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
        RelDataType array = array(binding);
        boolean fits = array != null || kinds.indexOf('A') < 0;
        for (int i = 0; fits && i < binding.getOperandCount(); i++) {
            RelDataType type = binding.getOperandType(i);
            boolean any = type.getSqlTypeName() == SqlTypeName.NULL || isUnknown(type);
            fits = switch (kinds.charAt(i)) {
                case 'A' -> isArray(binding, i, array);
                case 'E' -> any || SqlTypeUtil.inCharFamily(type) || isElement(binding, type, array);
                case 'I' -> any || SqlTypeUtil.isIntType(type);
                default -> any || SqlTypeUtil.inCharFamily(type);
            };
        }
        if (!fits && throwOnFailure) {
            throw PlanningErrors.at(
                    binding.getCall().getParserPosition(),
                    binding.getOperator().getName() + " does not take such operands: expected "
                            + getAllowedSignatures(
                                    binding.getOperator(), binding.getOperator().getName()));
        }
        return fits;
    }

    /** The type of the array that a call is about, of two arrays one that holds the elements of both; null: there is none. */
    static RelDataType array(SqlOperatorBinding binding, String kinds) {
        RepriseTypeFactory factory = (RepriseTypeFactory) binding.getTypeFactory();
        RelDataType component = null;
        RelDataType element = null;
        boolean nullable = false;
        for (int i = 0; i < binding.getOperandCount(); i++) {
            RelDataType type = binding.getOperandType(i);
            if (kinds.charAt(i) == 'A' && type.getSqlTypeName() == SqlTypeName.ARRAY) {
                component =
                        component == null ? type.getComponentType() : both(factory, component, type.getComponentType());
                nullable |= type.isNullable();
            } else if (kinds.charAt(i) == 'E' && !isUnknown(type) && type.getSqlTypeName() != SqlTypeName.NULL) {
                element = type;
            }
        }
        if (component != null) {
            return factory.arrayOf(component, nullable);
        }
        return element == null ? null : factory.arrayOf(element, true);
    }

    /** The type of the elements of two arrays: of numbers and of strings the common one, otherwise the first. */
    private static RelDataType both(RepriseTypeFactory factory, RelDataType one, RelDataType other) {
        boolean meet = areExact(one, other) || areStrings(one, other);
        RelDataType common = meet ? factory.leastRestrictive(List.of(one, other)) : null;
        return common == null ? one : common;
    }

    private static boolean areExact(RelDataType one, RelDataType other) {
        return SqlTypeUtil.isExactNumeric(one) && SqlTypeUtil.isExactNumeric(other);
    }

    private static boolean areStrings(RelDataType one, RelDataType other) {
        return SqlTypeUtil.inCharFamily(one) && SqlTypeUtil.inCharFamily(other)
                || SqlTypeUtil.isBinary(one) && SqlTypeUtil.isBinary(other);
    }

    private RelDataType array(SqlOperatorBinding binding) {
        return array(binding, kinds);
    }

    private static boolean isUnknown(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.UNKNOWN;
    }

    private static boolean isArray(SqlCallBinding binding, int operand, RelDataType array) {
        RelDataType type = binding.getOperandType(operand);
        boolean converted;
        if (type.getSqlTypeName() == SqlTypeName.ARRAY) {
            RelDataType component = type.getComponentType();
            if (areAlike(component, array.getComponentType())) {
                return true;
            }
            converted = areExact(component, array.getComponentType());
        } else {
            converted = SqlTypeUtil.inCharFamily(type) || type.getSqlTypeName() == SqlTypeName.NULL;
        }
        if (converted && binding.getValidator().getTypeCoercion() instanceof ArrayCoercion coercion) {
            coercion.castToArray(binding, operand, array);
        }
        return converted || isUnknown(type);
    }

    /** Whether elements of two types are held alike. */
    private static boolean areAlike(RelDataType one, RelDataType other) {
        if (one.getSqlTypeName() != SqlTypeName.DECIMAL) {
            return one.getSqlTypeName() == other.getSqlTypeName() || areStrings(one, other);
        }
        return other.getSqlTypeName() == SqlTypeName.DECIMAL
                && one.getScale() == other.getScale()
                && RepriseTypeSystem.most(one) == RepriseTypeSystem.most(other);
    }

    private static boolean isElement(SqlCallBinding binding, RelDataType type, RelDataType array) {
        RelDataType component = array.getComponentType();
        if (SqlTypeUtil.isNumeric(type) && SqlTypeUtil.isNumeric(component)) {
            return SqlTypeUtil.isExactNumeric(type) || SqlTypeUtil.isApproximateNumeric(component);
        }
        RelDataType common = binding.getTypeFactory().leastRestrictive(List.of(component, type));
        return common != null && common.getSqlTypeName() == component.getSqlTypeName();
    }

    @Override
    public SqlOperandCountRange getOperandCountRange() {
        return SqlOperandCountRanges.between(least, kinds.length());
    }

    @Override
    public String getAllowedSignatures(SqlOperator operator, String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < kinds.length(); i++) {
            text.append(i == 0 ? "" : i < kinds.length() - 1 ? ", " : " and ");
            text.append(
                    switch (kinds.charAt(i)) {
                        case 'A' -> "an array";
                        case 'E' -> "an element";
                        case 'I' -> "an integer";
                        default -> "a string";
                    });
        }
        return text.toString();
    }

    @Override
    public void inferOperandTypes(SqlCallBinding binding, RelDataType returned, RelDataType[] types) {
        RepriseTypeFactory factory = (RepriseTypeFactory) binding.getTypeFactory();
        RelDataType array = array(binding);
        RelDataType unknown = binding.getValidator().getUnknownType();
        for (int i = 0; i < types.length; i++) {
            types[i] = switch (kinds.charAt(i)) {
                case 'A' -> array == null ? unknown : factory.createTypeWithNullability(array, true);
                case 'E' -> array == null ? unknown : array.getComponentType();
                case 'I' -> factory.createSqlType(SqlTypeName.INTEGER);
                default -> factory.createSqlType(SqlTypeName.VARCHAR);
            };
        }
    }
}
