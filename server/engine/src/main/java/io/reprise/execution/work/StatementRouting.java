package io.reprise.execution.work;

import io.reprise.catalog.SqlType;
import io.reprise.execution.deploy.Arguments;
import io.reprise.id.Buckets;
import io.reprise.sql.place.StatementScope;
import io.reprise.sql.plan.StatementPlan;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** The place of a statement's execution, as known before it runs. */
enum StatementRouting {
    /** One bucket, given by a parameter or a literal. */
    ONE_BUCKET,
    /** One bucket, given by an expression that only the compiled statement can evaluate. */
    UNKNOWN_BUCKET,
    /** Any partition. */
    ANYWHERE,
    /** All partitions. */
    EVERYWHERE;

    static StatementRouting of(StatementPlan plan) {
        return switch (plan.scope()) {
            case StatementScope.Any any -> ANYWHERE;
            case StatementScope.All all -> EVERYWHERE;
            case StatementScope.Everywhere everywhere -> EVERYWHERE;
            case StatementScope.Key key -> isPlain(key, plan) ? ONE_BUCKET : UNKNOWN_BUCKET;
        };
    }

    private static boolean isPlain(StatementScope.Key key, StatementPlan plan) {
        RexNode value = withoutHarmlessCasts(key.value(), key.type());
        return switch (value) {
            case RexDynamicParam parameter -> sameHash(plan.parameters().get(parameter.getIndex()), key.type());
            case RexLiteral literal -> key.type().kind().isInteger() && isExactNumber(literal);
            default -> false;
        };
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

    /** The bucket for the given arguments; only for {@link #ONE_BUCKET}. */
    static int bucket(Buckets buckets, StatementPlan plan, Arguments arguments) {
        StatementScope.Key key = (StatementScope.Key) plan.scope();
        return switch (withoutHarmlessCasts(key.value(), key.type())) {
            case RexDynamicParam parameter -> Routing.bucket(buckets, arguments, parameter.getIndex(), key.type());
            case RexLiteral literal ->
                buckets.of(literal.getValueAs(BigDecimal.class)
                        .setScale(0, RoundingMode.HALF_UP)
                        .longValue());
            default -> throw new IllegalStateException("no plain partitioning value: " + key.value());
        };
    }
}
