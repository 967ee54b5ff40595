package io.reprise.sql.bind;

import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Makes expressions without the casts between string types that conversion would insert by itself: they would cut a
 * value that is too long for its column, where an error is due. CAST as it is written goes another way and does cut.
 * Interval literals keep the digits that conversion has cut off.
 */
final class StatementRexBuilder extends RexBuilder {
    StatementRexBuilder(RepriseTypeFactory types) {
        super(types);
    }

    @Override
    public RelDataType deriveReturnType(SqlOperator operator, List<? extends RexNode> operands) {
        PlanningLimit.check();
        return super.deriveReturnType(operator, operands);
    }

    @Override
    public RexNode makeCast(SqlParserPos position, RelDataType type, RexNode expression) {
        RelDataType from = expression.getType();
        boolean strings = SqlTypeUtil.inCharFamily(from) && SqlTypeUtil.inCharFamily(type)
                || SqlTypeUtil.isBinary(from) && SqlTypeUtil.isBinary(type);
        return strings ? expression : super.makeCast(position, type, expression);
    }

    /** Literals of types that Calcite would not round or read as we do are converted when the statement runs. */
    @Override
    public RexNode makeCast(
            SqlParserPos position,
            RelDataType type,
            RexNode expression,
            boolean matchNullability,
            boolean safe,
            RexLiteral format) {
        boolean ours = type.getSqlTypeName() == SqlTypeName.UUID
                || type.getSqlTypeName() == SqlTypeName.ARRAY
                || type.getSqlTypeName() == SqlTypeName.REAL
                || SqlTypeUtil.inCharFamily(type)
                        && RepriseTypeFactory.toSqlType(type, "CAST").isJson();
        if (ours && expression instanceof RexLiteral literal && !literal.isNull()) {
            return makeAbstractCast(
                    position, typeFactory.createTypeWithNullability(type, false), expression, safe, format);
        }
        return super.makeCast(position, type, expression, matchNullability, safe, format);
    }

    @Override
    public RexLiteral makeIntervalLiteral(BigDecimal millis, SqlIntervalQualifier fields) {
        return super.makeIntervalLiteral(
                fields instanceof ExactInterval exact ? millis.add(exact.rest()) : millis, fields);
    }
}
