package io.reprise.sql.compile.operator;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.ClassEmitter;
import io.reprise.sql.compile.emit.Literals;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.expression.Expressions;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.RowTemplate;
import io.reprise.sql.physical.PlanField;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** Rows of VALUES that are literals and parameters only, while they are collected for a {@link RowTemplate}. */
public final class ListedRows {
    private final ClassEmitter owner;
    private final Expressions expressions;
    private final List<PlanField> fields;
    private final ByteArrayOutputStream kinds = new ByteArrayOutputStream();
    private final LongStream.Builder words = LongStream.builder();
    private byte kind;
    private long word;

    public ListedRows(Expressions expressions, List<PlanField> fields) {
        this.owner = expressions.code().owner();
        this.expressions = expressions;
        this.fields = fields;
    }

    /** Whether a row can be collected. */
    public boolean fits(List<RexNode> row) {
        for (int i = 0; i < row.size(); i++) {
            if (!cell(row.get(i), fields.get(i).type())) {
                return false;
            }
        }
        return true;
    }

    public void add(List<RexNode> row) {
        for (int i = 0; i < row.size(); i++) {
            cell(row.get(i), fields.get(i).type());
            kinds.write(kind);
            words.add(kind == RowTemplate.LITERAL ? owner.literal(Literals.bytes((RexLiteral) row.get(i))) : word);
        }
    }

    public boolean isEmpty() {
        return kinds.size() == 0;
    }

    public RowTemplate template() {
        return new RowTemplate(fields.size(), kinds.toByteArray(), words.build().toArray());
    }

    private boolean cell(RexNode expression, SqlType type) {
        return switch (expression) {
            case RexLiteral literal when literal.isNull() -> is(RowTemplate.NULL, 0);
            case RexLiteral literal
            when type.kind().isString() -> isString(literal, type) && is(RowTemplate.LITERAL, 0);
            case RexLiteral literal -> constant(literal, type);
            case RexDynamicParam parameter ->
                expressions.hasManyParameters()
                        && isHeldAlike(expressions.parameterType(parameter.getIndex()), type)
                        && is(RowTemplate.PARAMETER, parameter.getIndex());
            case RexCall cast
            when cast.getKind() == SqlKind.CAST && cast.getOperands().getFirst() instanceof RexLiteral literal ->
                cast(literal, Types.of(cast.getType()), type);
            default -> false;
        };
    }

    private static boolean isString(RexLiteral literal, SqlType type) {
        SqlType from = Types.of(literal.getType());
        return from.isWide() || type.isWide()
                ? Types.sameRepresentation(from, type)
                : from.kind().isString();
    }

    /** A number that is converted without being rounded, or NULL. */
    private boolean cast(RexLiteral literal, SqlType cast, SqlType type) {
        if (literal.isNull()) {
            return is(RowTemplate.NULL, 0);
        }
        return !cast.kind().isString() && isHeldAlike(cast, type) && constant(literal, cast) && isInRange(cast);
    }

    private boolean isInRange(SqlType type) {
        return switch (type.kind()) {
            case TINYINT, SMALLINT, INTEGER -> {
                int unused = Long.SIZE - Byte.SIZE * type.kind().width();
                yield word << unused >> unused == word;
            }
            case DECIMAL -> Math.abs(word) < Decimals.power(type.precision());
            default -> true;
        };
    }

    private boolean is(byte newKind, long newWord) {
        kind = newKind;
        word = newWord;
        return true;
    }

    /** Whether the word of one type means the same in the other. Truth values and instants have words of their own. */
    private static boolean isHeldAlike(SqlType from, SqlType to) {
        return Types.sameRepresentation(from, to)
                && isOf(SqlType.Kind.TIMESTAMP, from) == isOf(SqlType.Kind.TIMESTAMP, to)
                && isOf(SqlType.Kind.BOOLEAN, from) == isOf(SqlType.Kind.BOOLEAN, to);
    }

    private static boolean isOf(SqlType.Kind kind, SqlType type) {
        return type.kind() == kind;
    }

    private boolean constant(RexLiteral literal, SqlType type) {
        SqlType from = Types.of(literal.getType());
        if (from.kind().isString()) {
            return false;
        }
        long value = Literals.word(literal);
        if (isHeldAlike(from, type)) {
            return is(RowTemplate.CONSTANT, value);
        }
        if (!Types.isNumeric(from) || from.kind() == SqlType.Kind.DOUBLE) {
            return false;
        }
        if (type.kind() == SqlType.Kind.DOUBLE) {
            return is(RowTemplate.CONSTANT, Double.doubleToRawLongBits(Decimals.toDouble(value, from.scale())));
        }
        long factor = Decimals.power(Math.max(0, type.scale() - from.scale()));
        return Types.isNumeric(type)
                && type.scale() > from.scale()
                && Math.multiplyHigh(value, factor) == value * factor >> 63
                && is(RowTemplate.CONSTANT, value * factor);
    }
}
