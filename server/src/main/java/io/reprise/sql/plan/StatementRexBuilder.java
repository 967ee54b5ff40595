package io.reprise.sql.plan;

import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Makes expressions without the casts between string types that conversion would insert by itself: they would cut a
 * value that is too long for its column, where an error is due. CAST as it is written goes another way and does cut.
 */
final class StatementRexBuilder extends RexBuilder {
    StatementRexBuilder(RepriseTypeFactory types) {
        super(types);
    }

    @Override
    public RexNode makeCast(SqlParserPos position, RelDataType type, RexNode expression) {
        RelDataType from = expression.getType();
        boolean strings = SqlTypeUtil.inCharFamily(from) && SqlTypeUtil.inCharFamily(type)
                || SqlTypeUtil.isBinary(from) && SqlTypeUtil.isBinary(type);
        return strings ? expression : super.makeCast(position, type, expression);
    }

    /**
     * A number that has to be rounded to become a DECIMAL, or may not fit it then, is converted when the statement runs.
     * Calcite would call it one as it is, with digits that its type doesn't have.
     */
    @Override
    public RexNode makeCast(
            SqlParserPos position,
            RelDataType type,
            RexNode expression,
            boolean matchNullability,
            boolean safe,
            RexLiteral format) {
        boolean bent = type.getSqlTypeName() == SqlTypeName.DECIMAL
                && expression instanceof RexLiteral literal
                && !literal.isNull()
                && SqlTypeUtil.isExactNumeric(literal.getType())
                && !ConstantFolder.fits(
                        literal.getValueAs(BigDecimal.class),
                        SqlTypeName.DECIMAL,
                        type.getPrecision(),
                        type.getScale());
        return bent
                ? makeAbstractCast(position, type, expression, safe)
                : super.makeCast(position, type, expression, matchNullability, safe, format);
    }
}
