package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The conversions that exist: between numbers, between text and everything, from exact numbers to BOOLEAN (0 is
 * FALSE; of what is no literal Calcite has made a comparison already), between DATE and TIMESTAMP, from TIMESTAMP to TIME, and
 * between arrays whose elements are converted.
 */
public final class SupportedCasts {
    private static final Pattern NUMBER = Pattern.compile("(TINYINT|SMALLINT|INTEGER|BIGINT|DOUBLE|DECIMAL).*");

    private SupportedCasts() {}

    /** Refuses a conversion that does not exist, be it written or implied by an assignment or a comparison. */
    public static void check(RelDataType from, RelDataType to) {
        boolean interval = SqlTypeUtil.isInterval(from) || SqlTypeUtil.isInterval(to);
        if (SqlTypeUtil.isInterval(from) && isText(to)) {
            throw new SqlPlanningException(
                    "CAST",
                    "an INTERVAL cannot be converted to " + to.getSqlTypeName()
                            + ": CAST it to an integer of its unit first");
        }
        if (from.getSqlTypeName() == SqlTypeName.ARRAY && to.getSqlTypeName() == SqlTypeName.ARRAY) {
            check(from.getComponentType(), to.getComponentType());
        }
        boolean known = from.getSqlTypeName() == to.getSqlTypeName()
                || from.getSqlTypeName() == SqlTypeName.NULL
                || interval && !SqlTypeUtil.isDatetime(from) && !SqlTypeUtil.isDatetime(to)
                || isText(from)
                || isText(to)
                || SqlTypeUtil.isNumeric(from) && SqlTypeUtil.isNumeric(to)
                || SqlTypeUtil.isBoolean(from) && SqlTypeUtil.isIntType(to)
                || SqlTypeUtil.isExactNumeric(from) && SqlTypeUtil.isBoolean(to)
                || isDay(from) && isDay(to)
                || isDay(from) && to.getSqlTypeName() == SqlTypeName.TIME && from.getSqlTypeName() != SqlTypeName.DATE;
        if (!known) {
            throw new SqlPlanningException("CAST", refusal(from.toString(), to.toString()));
        }
    }

    /** The message for a conversion that does not exist. */
    static String refusal(String from, String to) {
        boolean numberOfBoolean = from.equals("BOOLEAN") && NUMBER.matcher(to).matches();
        return "a value of type " + from + " cannot be converted to " + to
                + (numberOfBoolean ? ": write CASE WHEN b THEN 1 WHEN NOT b THEN 0 END for a BOOLEAN b" : "");
    }

    private static boolean isDay(RelDataType type) {
        return SqlTypeUtil.isDatetime(type) && type.getSqlTypeName() != SqlTypeName.TIME;
    }

    private static boolean isText(RelDataType type) {
        return SqlTypeUtil.inCharFamily(type);
    }

    /** Refuses a number that no type can hold exactly. */
    public static void check(RexLiteral literal) {
        if (literal.isNull() || !SqlTypeUtil.isExactNumeric(literal.getType())) {
            return;
        }
        BigDecimal number = literal.getValueAs(BigDecimal.class);
        int digits = Math.max(number.precision() - Math.min(0, number.scale()), number.scale());
        if (digits > SqlType.MAX_DECIMAL_PRECISION) {
            throw new SqlPlanningException(
                    number.toPlainString(),
                    "the number " + number.toPlainString()
                            + " has too many digits: write it as a DOUBLE, such as 1.5e20");
        }
    }
}
