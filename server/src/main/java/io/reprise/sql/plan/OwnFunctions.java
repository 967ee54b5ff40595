package io.reprise.sql.plan;

import java.util.List;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;

/** Functions that Calcite does not have, or has less exactly. */
final class OwnFunctions {
    /** Whole units from the second operand to the third; the first is the unit, a flag. */
    static final SqlFunction TIMESTAMPDIFF = SqlBasicFunction.create(
                    "TIMESTAMPDIFF",
                    ReturnTypes.BIGINT_NULLABLE,
                    OperandTypes.family(SqlTypeFamily.ANY, SqlTypeFamily.DATETIME, SqlTypeFamily.DATETIME))
            .withFunctionType(SqlFunctionCategory.TIMEDATE);

    /** A number of microseconds after a TIMESTAMP. */
    static final SqlFunction ADD_MICROSECONDS = SqlBasicFunction.create(
                    "ADD_MICROSECONDS",
                    ReturnTypes.ARG1_NULLABLE,
                    OperandTypes.family(SqlTypeFamily.INTEGER, SqlTypeFamily.TIMESTAMP))
            .withFunctionType(SqlFunctionCategory.TIMEDATE);

    static final SqlFunction BIT_SHIFT_LEFT = shift("BIT_SHIFT_LEFT");
    static final SqlFunction BIT_SHIFT_RIGHT = shift("BIT_SHIFT_RIGHT");

    private static final SqlOperandTypeChecker PADDED = OperandTypes.family(
                    SqlTypeFamily.CHARACTER, SqlTypeFamily.INTEGER)
            .or(OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.INTEGER, SqlTypeFamily.CHARACTER));

    /** Calcite's own say of NULL that it gives a string. */
    static final SqlFunction LPAD = text("LPAD", PADDED);

    static final SqlFunction RPAD = text("RPAD", PADDED);
    static final SqlFunction REVERSE = text("REVERSE", OperandTypes.family(SqlTypeFamily.CHARACTER));
    static final SqlFunction CHR = text("CHR", OperandTypes.family(SqlTypeFamily.INTEGER));

    static final List<SqlFunction> ALL =
            List.of(TIMESTAMPDIFF, ADD_MICROSECONDS, BIT_SHIFT_LEFT, BIT_SHIFT_RIGHT, LPAD, RPAD, REVERSE, CHR);

    private OwnFunctions() {}

    private static SqlFunction text(String name, SqlOperandTypeChecker operands) {
        return SqlBasicFunction.create(name, ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.TO_NULLABLE), operands)
                .withOperandTypeInference((call, result, types) -> {
                    for (int i = 0; i < types.length; i++) {
                        boolean number = name.equals("CHR") || i == 1;
                        types[i] =
                                call.getTypeFactory().createSqlType(number ? SqlTypeName.BIGINT : SqlTypeName.VARCHAR);
                    }
                })
                .withFunctionType(SqlFunctionCategory.STRING);
    }

    private static SqlFunction shift(String name) {
        return SqlBasicFunction.create(
                        SqlKind.OTHER_FUNCTION,
                        ReturnTypes.BIGINT_NULLABLE,
                        OperandTypes.family(SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER))
                .withName(name)
                .withOperandTypeInference(InferTypes.FIRST_KNOWN)
                .withFunctionType(SqlFunctionCategory.NUMERIC);
    }
}
