package io.reprise.sql.place;

import io.reprise.catalog.SqlType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Derives the {@link Reach} of a statement from its scope. */
public final class Reaches {
    private Reaches() {}

    /** The reach of a statement with these parameters. */
    public static Reach of(StatementScope scope, List<SqlType> parameters) {
        return switch (scope) {
            case StatementScope.Any any -> new Reach.Any();
            case StatementScope.All all -> new Reach.All();
            case StatementScope.Everywhere everywhere -> new Reach.Everywhere();
            case StatementScope.Key key ->
                new Reach.Bucket(source(key, parameters), key.type(), wholeParameter(key, parameters));
        };
    }

    private static Reach.Source source(StatementScope.Key key, List<SqlType> parameters) {
        return switch (withoutHarmlessCasts(key.value(), key.type())) {
            case RexDynamicParam parameter
            when sameHash(parameters.get(parameter.getIndex()), key.type()) ->
                new Reach.Source.Parameter(parameter.getIndex());
            case RexLiteral literal
            when key.type().kind().isInteger() && isExactNumber(literal) ->
                new Reach.Source.Whole(literal.getValueAs(BigDecimal.class)
                        .setScale(0, RoundingMode.HALF_UP)
                        .longValue());
            default -> new Reach.Source.Computed();
        };
    }

    private static int wholeParameter(StatementScope.Key key, List<SqlType> parameters) {
        return key.value() instanceof RexDynamicParam parameter
                        && key.others().isEmpty()
                        && key.type().kind().isInteger()
                        && parameters.get(parameter.getIndex()).kind().isInteger()
                ? parameter.getIndex()
                : -1;
    }

    /** A string has to be converted first. */
    private static boolean isExactNumber(RexLiteral literal) {
        return !literal.isNull() && SqlTypeUtil.isExactNumeric(literal.getType());
    }

    /** Whether a value means the same bucket as a value of either type. */
    private static boolean sameHash(SqlType parameter, SqlType column) {
        return parameter.kind().isInteger() && column.kind().isInteger()
                || parameter.kind().isString() && parameter.kind() == column.kind()
                || parameter.kind() == column.kind() && parameter.scale() == column.scale();
    }

    /**
     * Casts between integers, and between strings that stay whole, change no bucket; a number out of range finds no
     * row anyway. The bucket of a string that may be cut off is that of the remaining characters.
     */
    private static RexNode withoutHarmlessCasts(RexNode value, SqlType type) {
        RexNode inner = value;
        while (inner instanceof RexCall call
                && call.getKind() == SqlKind.CAST
                && (type.kind().isInteger() || type.kind() == SqlType.Kind.VARCHAR && !mayCutOff(call))) {
            inner = call.getOperands().getFirst();
        }
        return inner;
    }

    private static boolean mayCutOff(RexCall cast) {
        return longest(cast.getOperands().getFirst().getType()) > longest(cast.getType());
    }

    private static int longest(RelDataType type) {
        int length = type.getPrecision();
        return length == RelDataType.PRECISION_NOT_SPECIFIED ? SqlType.MAX_STRING_BYTES : length;
    }
}
