package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.type.SqlTypeName;

/** The digits that exact numbers, and their types, may have where a statement writes them. */
final class NumberLimits {
    private NumberLimits() {}

    /** Refuses a number that no type holds. */
    static void check(SqlLiteral literal) {
        BigDecimal number = literal.getValueAs(BigDecimal.class);
        if (Math.max(number.precision() - Math.min(0, number.scale()), number.scale())
                > SqlType.MAX_DECIMAL_PRECISION) {
            throw PlanningErrors.at(
                    literal.getParserPosition(),
                    "the number " + number.toPlainString() + " has too many digits: a number has at most "
                            + SqlType.MAX_DECIMAL_PRECISION + "; write it as a DOUBLE, such as 1.5e20");
        }
    }

    /** Refuses a DECIMAL of other digits than there are. Calcite would take the greatest precision for a greater one. */
    static void check(SqlDataTypeSpec type) {
        if (!(type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic)
                || SqlTypeName.get(basic.getTypeName().getSimple()) != SqlTypeName.DECIMAL) {
            return;
        }
        int precision = basic.getPrecision();
        int scale = basic.getScale();
        if (precision > SqlType.MAX_DECIMAL_PRECISION) {
            throw PlanningErrors.at(
                    type.getParserPosition(),
                    "a DECIMAL has 1 to " + SqlType.MAX_DECIMAL_PRECISION + " digits, but this one has " + precision);
        } else if (scale != RelDataType.SCALE_NOT_SPECIFIED && (scale < 0 || scale > precision)) {
            throw PlanningErrors.at(
                    type.getParserPosition(),
                    "a DECIMAL(" + precision + ",s) has 0 to " + precision
                            + " digits behind the point, but this one has " + scale);
        }
    }
}
