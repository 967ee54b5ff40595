package io.reprise.sql.bind;

import java.math.BigDecimal;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * The fields of an interval literal with more digits of a second than Calcite's milliseconds can tell. Calcite hands them
 * on as they are, while it cuts the value off, so that what is cut off can be told by them.
 */
final class ExactInterval extends SqlIntervalQualifier {
    private static final int DIGITS_OF_MILLISECONDS = 3;

    private final BigDecimal rest;

    private ExactInterval(SqlIntervalQualifier fields, BigDecimal rest) {
        super(
                fields.timeUnitRange.startUnit,
                fields.getStartPrecisionPreservingDefault(),
                fields.timeUnitRange.endUnit,
                fields.getFractionalSecondPrecisionPreservingDefault(),
                fields.getParserPosition());
        this.rest = rest;
    }

    /** The fraction of a millisecond that the value has beyond whole ones. */
    BigDecimal rest() {
        return rest;
    }

    /** The literal with all of its digits; the same one if milliseconds hold them. */
    static SqlLiteral of(SqlIntervalLiteral literal) {
        SqlIntervalLiteral.IntervalValue value = literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
        String text = value.getIntervalLiteral().strip();
        int digits = text.length() - 1 - text.lastIndexOf('.');
        if (text.indexOf('.') < 0 || digits <= DIGITS_OF_MILLISECONDS || !isNumber(text, digits)) {
            return literal;
        }
        BigDecimal rest = new BigDecimal("0." + text.substring(text.length() - digits + DIGITS_OF_MILLISECONDS));
        boolean negative = value.getSign() < 0 != text.startsWith("-");
        return SqlLiteral.createInterval(
                value.getSign(),
                text,
                new ExactInterval(value.getIntervalQualifier(), negative ? rest.negate() : rest),
                literal.getParserPosition());
    }

    /** CAST of a literal in seconds to an exact number, which Calcite would cut to whole seconds; other calls stay. */
    static SqlNode cast(SqlCall call, SqlIntervalLiteral literal) {
        SqlIntervalLiteral.IntervalValue value = literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
        SqlIntervalQualifier fields = value.getIntervalQualifier();
        boolean decimal = call.operand(1) instanceof SqlDataTypeSpec type
                && type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic
                && SqlTypeName.get(basic.getTypeName().getSimple()) == SqlTypeName.DECIMAL;
        if (!decimal || fields.getStartUnit() != TimeUnit.SECOND) {
            return call;
        }
        SqlNumericLiteral seconds;
        try {
            String text = new BigDecimal(value.getIntervalLiteral().strip()).toPlainString();
            seconds = SqlLiteral.createExactNumeric(
                    value.getSign() < 0 ? new BigDecimal(text).negate().toPlainString() : text,
                    literal.getParserPosition());
        } catch (NumberFormatException e) {
            return call;
        }
        return call.getOperator().createCall(call.getParserPosition(), seconds, call.operand(1));
    }

    /** Whether digits are all that stands behind the point; if not, Calcite will refuse the literal. */
    private static boolean isNumber(String text, int digits) {
        return text.substring(text.length() - digits).chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
