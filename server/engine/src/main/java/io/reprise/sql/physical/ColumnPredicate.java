package io.reprise.sql.physical;

import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.sql.bind.RepriseTypeFactory;
import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * A predicate that an index can answer: a column compared with a value that is known before the table is read. In the
 * predicates it is derived from, references below the table's number of columns are the table's columns; higher ones are
 * columns of rows already at hand.
 *
 * @param value has the column's type, so that comparing it is the same as the predicate
 * @param source the predicate it is derived from
 * @param exact whether it says all that the source says
 */
public record ColumnPredicate(int column, SqlKind kind, RexNode value, RexNode source, boolean exact) {
    static List<ColumnPredicate> of(Table table, RexNode condition, Expressions expressions) {
        int width = table.columns().size();
        RexBuilder rex = expressions.rexBuilder();
        return switch (condition.getKind()) {
            case INPUT_REF -> isBoolean(condition, width, rex.makeLiteral(true), condition);
            case NOT -> isBoolean(((RexCall) condition).getOperands().get(0), width, rex.makeLiteral(false), condition);
            case EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                comparison(table, (RexCall) condition, expressions);
            case LIKE -> prefix(width, (RexCall) condition, rex);
            default -> List.of();
        };
    }

    private static List<ColumnPredicate> isBoolean(RexNode column, int width, RexNode value, RexNode source) {
        return column instanceof RexInputRef ref && ref.getIndex() < width
                ? List.of(new ColumnPredicate(ref.getIndex(), SqlKind.EQUALS, value, source, true))
                : List.of();
    }

    private static List<ColumnPredicate> comparison(Table table, RexCall call, Expressions expressions) {
        RexNode left = call.getOperands().get(0);
        RexNode right = call.getOperands().get(1);
        ColumnPredicate found = comparison(table, call.getKind(), left, right, call, expressions);
        if (found == null) {
            found = comparison(table, call.getKind().reverse(), right, left, call, expressions);
        }
        return found == null ? List.of() : List.of(found);
    }

    private static ColumnPredicate comparison(
            Table table, SqlKind kind, RexNode left, RexNode right, RexNode source, Expressions expressions) {
        RexNode column = withoutWidening(left);
        int width = table.columns().size();
        if (!(column instanceof RexInputRef ref) || ref.getIndex() >= width) {
            return null;
        }
        if (Expressions.inputs(right).nextSetBit(0) >= 0
                && Expressions.inputs(right).nextSetBit(0) < width) {
            return null;
        }
        SqlType type = table.columns().get(ref.getIndex()).type();
        RexNode value = asColumn(withoutWidening(right), type, kind, expressions);
        return value == null ? null : new ColumnPredicate(ref.getIndex(), kind, value, source, true);
    }

    /** Takes off casts that keep every value and its order. */
    public static RexNode withoutWidening(RexNode expression) {
        if (expression.getKind() != SqlKind.CAST) {
            return expression;
        }
        RexNode operand = ((RexCall) expression).getOperands().get(0);
        return isWidening(operand.getType(), expression.getType()) ? withoutWidening(operand) : expression;
    }

    private static boolean isWidening(RelDataType from, RelDataType to) {
        if (SqlTypeUtil.inCharFamily(from) && SqlTypeUtil.inCharFamily(to)
                || SqlTypeUtil.isBinary(from) && SqlTypeUtil.isBinary(to)) {
            return to.getPrecision() >= from.getPrecision();
        }
        if (SqlTypeUtil.isExactNumeric(from) && SqlTypeUtil.isExactNumeric(to)) {
            return holdsAll(from, to);
        }
        return from.getSqlTypeName() == to.getSqlTypeName() && !SqlTypeUtil.isExactNumeric(from);
    }

    /** Whether each value of one exact type is one of the other. Of as many digits as the largest INTEGER has, not all are INTEGERs. */
    private static boolean holdsAll(RelDataType from, RelDataType to) {
        int room = SqlTypeUtil.isIntType(to) && !SqlTypeUtil.isIntType(from) ? digits(to) - 1 : digits(to);
        return digits(from) <= room && scale(from) <= scale(to);
    }

    /** Digits in front of the point. */
    private static int digits(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case TINYINT -> 3;
            case SMALLINT -> 5;
            case INTEGER -> 10;
            case BIGINT -> 19;
            default -> type.getPrecision() - type.getScale();
        };
    }

    private static int scale(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.DECIMAL ? type.getScale() : 0;
    }

    /** The value in the column's type such that comparing the two gives what the predicate gives; null: there is none. */
    static RexNode asColumn(RexNode value, SqlType column, SqlKind kind, Expressions expressions) {
        RelDataType type = value.getType();
        RelDataType wanted = expressions.types().of(column, false);
        if (value instanceof RexLiteral literal && literal.isNull()) {
            return expressions.rexBuilder().makeNullLiteral(wanted);
        }
        if (column.isUuid()) {
            return type.getSqlTypeName() == wanted.getSqlTypeName() ? value : null;
        }
        if (column.isArray()) {
            boolean array = type.getSqlTypeName() == SqlTypeName.ARRAY;
            return array && RepriseTypeFactory.toSqlType(type, "an array").equals(column) ? value : null;
        }
        if (column.kind().isString() && !column.isWide()) {
            boolean same =
                    column.kind() == SqlType.Kind.VARCHAR ? SqlTypeUtil.inCharFamily(type) : SqlTypeUtil.isBinary(type);
            return same ? value : null;
        }
        if (!SqlTypeUtil.isExactNumeric(wanted)) {
            boolean number = column.kind() == SqlType.Kind.DOUBLE && SqlTypeUtil.isNumeric(type);
            return number || type.getSqlTypeName() == wanted.getSqlTypeName() ? expressions.cast(value, column) : null;
        }
        if (!SqlTypeUtil.isExactNumeric(type)) {
            return null;
        }
        if (value instanceof RexLiteral literal) {
            BigDecimal number = literal.getValueAs(BigDecimal.class);
            return ConstantFolder.fits(number, wanted.getSqlTypeName(), column.precision(), column.decimals())
                    ? ConstantFolder.exact(expressions.rexBuilder(), number, wanted)
                    : null;
        }
        if (holdsAll(type, wanted)) {
            return expressions.cast(value, column);
        }
        boolean whole = scale(type) == 0 && SqlTypeUtil.isIntType(wanted);
        return whole && kind == SqlKind.EQUALS ? guarded(value, column, expressions) : null;
    }

    /** A wider whole number: it equals no value that the column can hold, so NULL stands for it. */
    private static RexNode guarded(RexNode value, SqlType column, Expressions expressions) {
        RexBuilder rex = expressions.rexBuilder();
        long bound = 1L << (column.kind().width() * 8 - 1);
        RelDataType nullable = expressions.types().of(column, true);
        RexNode inRange = rex.makeCall(
                SqlStdOperatorTable.AND,
                rex.makeCall(
                        SqlStdOperatorTable.GREATER_THAN_OR_EQUAL,
                        value,
                        rex.makeExactLiteral(BigDecimal.valueOf(-bound))),
                rex.makeCall(
                        SqlStdOperatorTable.LESS_THAN_OR_EQUAL,
                        value,
                        rex.makeExactLiteral(BigDecimal.valueOf(bound - 1))));
        return rex.makeCall(
                nullable,
                SqlStdOperatorTable.CASE,
                List.of(inRange, rex.makeAbstractCast(nullable, value, false), rex.makeNullLiteral(nullable)));
    }

    /** LIKE with a literal that begins with plain characters is a range. */
    private static List<ColumnPredicate> prefix(int width, RexCall like, RexBuilder rex) {
        RexNode column = withoutWidening(like.getOperands().get(0));
        if (like.getOperands().size() != 2
                || !(column instanceof RexInputRef ref)
                || ref.getIndex() >= width
                || !(like.getOperands().get(1) instanceof RexLiteral pattern)
                || pattern.isNull()) {
            return List.of();
        }
        String text = pattern.getValueAs(String.class);
        int end = 0;
        while (end < text.length() && "%_\\".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        if (end == 0 || end == text.length()) {
            return List.of();
        }
        String prefix = text.substring(0, end);
        int last = prefix.codePointBefore(end);
        int next = last == Character.MIN_SURROGATE - 1 ? Character.MAX_SURROGATE + 1 : last + 1;
        if (next > Character.MAX_CODE_POINT) {
            return List.of();
        }
        String after = prefix.substring(0, end - Character.charCount(last)) + Character.toString(next);
        return List.of(
                new ColumnPredicate(
                        ref.getIndex(), SqlKind.GREATER_THAN_OR_EQUAL, rex.makeLiteral(prefix), like, false),
                new ColumnPredicate(ref.getIndex(), SqlKind.LESS_THAN, rex.makeLiteral(after), like, false));
    }
}
