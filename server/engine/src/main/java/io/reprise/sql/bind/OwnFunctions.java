package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.Optionality;

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

    /** Of a DECIMAL it may have a digit more: 999.99 rounded to whole numbers is 1000.00. */
    static final SqlFunction ROUND = SqlBasicFunction.create(
                    "ROUND",
                    OwnFunctions::rounded,
                    OperandTypes.NUMERIC.or(OperandTypes.sequence(
                            "ROUND(<NUMERIC>, <INTEGER>)", OperandTypes.NUMERIC, OperandTypes.INTEGER)))
            .withFunctionType(SqlFunctionCategory.NUMERIC);

    /** MOD and %: Calcite's own takes a DOUBLE for a DECIMAL, which has three digits before the point then. */
    static final SqlFunction MOD = SqlBasicFunction.create("MOD", OwnFunctions::remainder, OperandTypes.NUMERIC_NUMERIC)
            .withOperandTypeInference(InferTypes.FIRST_KNOWN)
            .withFunctionType(SqlFunctionCategory.NUMERIC);

    /** A character may become three in the other case. Calcite gives these the length of what they are of. */
    private static final int LENGTHENED = 3;

    static final SqlFunction UPPER = cased("UPPER");
    static final SqlFunction LOWER = cased("LOWER");
    static final SqlFunction INITCAP = cased("INITCAP");

    /** Whether a part of the first operand matches a regular expression; the third has flags. */
    static final SqlFunction REGEXP_LIKE = SqlBasicFunction.create(
                    "REGEXP_LIKE",
                    ReturnTypes.BOOLEAN_NULLABLE,
                    OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER)
                            .or(OperandTypes.family(
                                    SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER)))
            .withOperandTypeInference((call, told, types) -> {
                for (int i = 0; i < types.length; i++) {
                    types[i] = call.getTypeFactory().createSqlType(SqlTypeName.VARCHAR);
                }
            })
            .withFunctionType(SqlFunctionCategory.STRING);

    /** A member or an element of JSON, as JSON. */
    static final SqlFunction JSON_VALUE_OF = jsonAccess("JSON_VALUE_OF", SqlType.JSON);

    /** The same as text: of a string without its quotes. */
    static final SqlFunction JSON_TEXT_OF = jsonAccess("JSON_TEXT_OF", SqlType.TEXT);

    /** Calcite's own says that it always finds a row. */
    static final SqlFunction NTH_VALUE = new NthValue();

    static final SqlFunction MD5 = text("MD5", OperandTypes.family(SqlTypeFamily.CHARACTER));
    static final SqlFunction TRANSLATE = strings("TRANSLATE", 3, 3, ReturnTypes.VARCHAR);

    /** The n-th part of a string between delimiters. */
    static final SqlFunction SPLIT_PART = SqlBasicFunction.create(
                    "SPLIT_PART",
                    ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.TO_NULLABLE),
                    OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER, SqlTypeFamily.INTEGER))
            .withOperandTypeInference((call, told, types) -> {
                for (int i = 0; i < types.length; i++) {
                    types[i] = call.getTypeFactory().createSqlType(i == 2 ? SqlTypeName.BIGINT : SqlTypeName.VARCHAR);
                }
            })
            .withFunctionType(SqlFunctionCategory.STRING);

    /** A string with the matches of a regular expression replaced; the fourth operand has flags. */
    static final SqlFunction REGEXP_REPLACE = strings("REGEXP_REPLACE", 3, 4, ReturnTypes.VARCHAR);

    static final SqlFunction REGEXP_COUNT = strings("REGEXP_COUNT", 2, 2, ReturnTypes.BIGINT);

    /** A number in hexadecimal digits. */
    static final SqlFunction TO_HEX = SqlBasicFunction.create(
                    "TO_HEX",
                    ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.TO_NULLABLE),
                    OperandTypes.family(SqlTypeFamily.INTEGER))
            .withFunctionType(SqlFunctionCategory.STRING);

    /** A time or a number as text, by a pattern. */
    static final SqlFunction TO_CHAR = SqlBasicFunction.create(
                    "TO_CHAR",
                    ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.TO_NULLABLE),
                    OperandTypes.family(SqlTypeFamily.DATETIME, SqlTypeFamily.CHARACTER)
                            .or(OperandTypes.family(SqlTypeFamily.NUMERIC, SqlTypeFamily.CHARACTER)))
            .withFunctionType(SqlFunctionCategory.STRING);

    /** A date as a text, read by a pattern. */
    static final SqlFunction TO_DATE = read("TO_DATE", ReturnTypes.DATE_NULLABLE);

    /** The same of a date and a time. */
    static final SqlFunction READ_TIMESTAMP = read(
            "READ_TIMESTAMP",
            ReturnTypes.explicit(SqlTypeName.TIMESTAMP, RepriseTypeSystem.TIMESTAMP_DIGITS)
                    .andThen(SqlTypeTransforms.TO_NULLABLE));

    /** A number as a text, read by a pattern, whose digits behind the point are those of the result. */
    static final SqlFunction TO_NUMBER = read("TO_NUMBER", OwnFunctions::numberByPattern);

    static final SqlFunction CBRT = SqlBasicFunction.create("CBRT", ReturnTypes.DOUBLE_NULLABLE, OperandTypes.NUMERIC)
            .withFunctionType(SqlFunctionCategory.NUMERIC);

    static final SqlFunction GCD = shift("GCD");
    static final SqlFunction LCM = shift("LCM");

    /** Variances and their roots: Calcite's own say of a sample that it always has one. */
    static final SqlAggFunction VAR_POP = new Deviation("VAR_POP", SqlKind.VAR_POP);

    static final SqlAggFunction VAR_SAMP = new Deviation("VAR_SAMP", SqlKind.VAR_SAMP);
    static final SqlAggFunction STDDEV_POP = new Deviation("STDDEV_POP", SqlKind.STDDEV_POP);
    static final SqlAggFunction STDDEV_SAMP = new Deviation("STDDEV_SAMP", SqlKind.STDDEV_SAMP);

    /** Those that a message about an unknown function may suggest. */
    static final List<SqlFunction> CALLED_BY_NAME = List.of(
            ROUND,
            MOD,
            UPPER,
            LOWER,
            INITCAP,
            MD5,
            TRANSLATE,
            SPLIT_PART,
            REGEXP_REPLACE,
            REGEXP_COUNT,
            TO_HEX,
            TO_CHAR,
            TO_DATE,
            TO_NUMBER,
            CBRT,
            GCD,
            LCM,
            VAR_POP,
            VAR_SAMP,
            STDDEV_POP,
            STDDEV_SAMP);

    static final List<SqlFunction> ALL = List.of(
            TIMESTAMPDIFF,
            ADD_MICROSECONDS,
            BIT_SHIFT_LEFT,
            BIT_SHIFT_RIGHT,
            LPAD,
            RPAD,
            REVERSE,
            CHR,
            ROUND,
            MOD,
            UPPER,
            LOWER,
            INITCAP,
            REGEXP_LIKE,
            JSON_VALUE_OF,
            JSON_TEXT_OF,
            NTH_VALUE,
            MD5,
            TRANSLATE,
            SPLIT_PART,
            REGEXP_REPLACE,
            REGEXP_COUNT,
            TO_HEX,
            TO_CHAR,
            TO_DATE,
            READ_TIMESTAMP,
            TO_NUMBER,
            CBRT,
            GCD,
            LCM,
            VAR_POP,
            VAR_SAMP,
            STDDEV_POP,
            STDDEV_SAMP,
            SeriesCalls.FUNCTION,
            SeriesCalls.ELEMENTS);

    private OwnFunctions() {}

    /** The digits that a pattern for numbers has behind the point. */
    private static int scale(String pattern) {
        String plain = pattern.replaceAll("\"[^\"]*\"?", "");
        int point = Math.max(plain.indexOf('.'), plain.toUpperCase(Locale.ROOT).indexOf('D'));
        return point < 0
                ? 0
                : (int) plain.substring(point)
                        .chars()
                        .filter(c -> c == '9' || c == '0')
                        .count();
    }

    private static SqlFunction read(String name, SqlReturnTypeInference type) {
        return SqlBasicFunction.create(
                        name, type, OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER))
                .withOperandTypeInference((call, told, types) ->
                        Arrays.fill(types, call.getTypeFactory().createSqlType(SqlTypeName.VARCHAR)))
                .withFunctionType(SqlFunctionCategory.TIMEDATE);
    }

    private static RelDataType numberByPattern(SqlOperatorBinding call) {
        String pattern = call.isOperandLiteral(1, false) ? call.getOperandLiteralValue(1, String.class) : null;
        int scale = pattern == null ? SqlType.DEFAULT_DECIMAL_SCALE : scale(pattern);
        RelDataType type = call.getTypeFactory()
                .createSqlType(
                        SqlTypeName.DECIMAL, SqlType.MAX_WORD_PRECISION, Math.min(SqlType.MAX_WORD_PRECISION, scale));
        boolean nullable =
                call.getOperandType(0).isNullable() || call.getOperandType(1).isNullable();
        return call.getTypeFactory().createTypeWithNullability(type, nullable);
    }

    /** NTH_VALUE, whose value is NULL if the frame has fewer rows. */
    private static final class NthValue extends SqlAggFunction {
        NthValue() {
            super(
                    "NTH_VALUE",
                    null,
                    SqlKind.NTH_VALUE,
                    ReturnTypes.ARG0.andThen(SqlTypeTransforms.FORCE_NULLABLE),
                    null,
                    OperandTypes.ANY_NUMERIC,
                    SqlFunctionCategory.NUMERIC,
                    false,
                    true,
                    Optionality.FORBIDDEN);
        }
    }

    /** An aggregate of DOUBLEs that is NULL if there are too few. */
    private static final class Deviation extends SqlAggFunction {
        Deviation(String name, SqlKind kind) {
            super(
                    name,
                    null,
                    kind,
                    ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
                    null,
                    OperandTypes.NUMERIC,
                    SqlFunctionCategory.NUMERIC,
                    false,
                    false,
                    Optionality.FORBIDDEN);
        }
    }

    private static SqlFunction jsonAccess(String name, SqlType result) {
        return SqlBasicFunction.create(
                        name,
                        call -> ((RepriseTypeFactory) call.getTypeFactory()).of(result, true),
                        OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER)
                                .or(OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.INTEGER)))
                .withOperandTypeInference((call, told, types) -> {
                    for (int i = 0; i < types.length; i++) {
                        types[i] = call.getTypeFactory().createSqlType(SqlTypeName.VARCHAR);
                    }
                })
                .withFunctionType(SqlFunctionCategory.STRING);
    }

    private static RelDataType rounded(SqlOperatorBinding call) {
        RelDataType type = ReturnTypes.ARG0_NULLABLE.inferReturnType(call);
        if (type == null || type.getSqlTypeName() != SqlTypeName.DECIMAL) {
            return type;
        }
        int digits = Math.min(type.getPrecision() + 1, RepriseTypeSystem.most(type));
        RelDataTypeFactory types = call.getTypeFactory();
        return types.createTypeWithNullability(
                types.createSqlType(SqlTypeName.DECIMAL, digits, type.getScale()), type.isNullable());
    }

    private static RelDataType remainder(SqlOperatorBinding call) {
        boolean approximate = call.collectOperandTypes().stream().anyMatch(SqlTypeUtil::isApproximateNumeric);
        return approximate
                ? ReturnTypes.DOUBLE_NULLABLE.inferReturnType(call)
                : ReturnTypes.NULLABLE_MOD.inferReturnType(call);
    }

    private static RelDataType lengthened(SqlOperatorBinding call) {
        RelDataType type = call.getOperandType(0);
        RelDataTypeFactory types = call.getTypeFactory();
        long length = type.getSqlTypeName() == SqlTypeName.VARCHAR
                ? (long) LENGTHENED * type.getPrecision()
                : SqlType.MAX_STRING_BYTES;
        return types.createTypeWithNullability(
                types.createSqlType(SqlTypeName.VARCHAR, (int) Math.min(length, SqlType.MAX_STRING_BYTES)),
                type.isNullable());
    }

    /** A function of strings alone. */
    private static SqlFunction strings(String name, int least, int most, SqlReturnTypeInference result) {
        SqlOperandTypeChecker operands = OperandTypes.family(Collections.nCopies(least, SqlTypeFamily.CHARACTER));
        return SqlBasicFunction.create(
                        name,
                        result.andThen(SqlTypeTransforms.TO_NULLABLE),
                        least == most
                                ? operands
                                : operands.or(OperandTypes.family(Collections.nCopies(most, SqlTypeFamily.CHARACTER))))
                .withOperandTypeInference((call, told, types) ->
                        Arrays.fill(types, call.getTypeFactory().createSqlType(SqlTypeName.VARCHAR)))
                .withFunctionType(SqlFunctionCategory.STRING);
    }

    private static SqlFunction cased(String name) {
        return text(name, OwnFunctions::lengthened, OperandTypes.family(SqlTypeFamily.CHARACTER));
    }

    private static SqlFunction text(String name, SqlOperandTypeChecker operands) {
        return text(name, ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.TO_NULLABLE), operands);
    }

    private static SqlFunction text(String name, SqlReturnTypeInference result, SqlOperandTypeChecker operands) {
        return SqlBasicFunction.create(name, result, operands)
                .withOperandTypeInference((call, told, types) -> {
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
