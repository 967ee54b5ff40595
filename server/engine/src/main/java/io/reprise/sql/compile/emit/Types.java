package io.reprise.sql.compile.emit;

import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.bind.RepriseTypeFactory;
import org.apache.calcite.rel.type.RelDataType;

/** Calcite's types as ours. */
public final class Types {
    public static final SqlType BOOLEAN = SqlType.of(Kind.BOOLEAN);
    public static final SqlType INTEGER = SqlType.of(Kind.INTEGER);
    public static final SqlType BIGINT = SqlType.of(Kind.BIGINT);
    public static final SqlType DOUBLE = SqlType.of(Kind.DOUBLE);
    public static final SqlType DATE = SqlType.of(Kind.DATE);
    public static final SqlType TIME = SqlType.of(Kind.TIME);
    public static final SqlType TIMESTAMP = SqlType.of(Kind.TIMESTAMP);
    public static final SqlType VARCHAR = SqlType.varchar(SqlType.MAX_STRING_BYTES);

    private Types() {}

    /** The type of a value of an expression. Intervals are BIGINT: microseconds or months. */
    public static SqlType of(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case BOOLEAN -> BOOLEAN;
            case TINYINT -> SqlType.of(Kind.TINYINT);
            case SMALLINT -> SqlType.of(Kind.SMALLINT);
            case INTEGER -> INTEGER;
            case BIGINT, NULL -> BIGINT;
            case DOUBLE, FLOAT -> DOUBLE;
            case REAL -> SqlType.REAL;
            case UUID -> SqlType.UUID;
            case ARRAY -> SqlType.array(of(type.getComponentType()));
            case DECIMAL -> SqlType.decimal(type.getPrecision(), type.getScale());
            case CHAR, VARCHAR -> SqlType.varchar(length(type));
            case BINARY, VARBINARY -> SqlType.varbinary(length(type));
            case TIMESTAMP -> RepriseTypeFactory.timestamp(type);
            case DATE -> DATE;
            case TIME -> TIME;
            case INTERVAL_YEAR,
                    INTERVAL_YEAR_MONTH,
                    INTERVAL_MONTH,
                    INTERVAL_DAY,
                    INTERVAL_DAY_HOUR,
                    INTERVAL_DAY_MINUTE,
                    INTERVAL_DAY_SECOND,
                    INTERVAL_HOUR,
                    INTERVAL_HOUR_MINUTE,
                    INTERVAL_HOUR_SECOND,
                    INTERVAL_MINUTE,
                    INTERVAL_MINUTE_SECOND,
                    INTERVAL_SECOND -> BIGINT;
            default -> throw unsupported("type " + type.getFullTypeString());
        };
    }

    private static int length(RelDataType type) {
        return type.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED
                ? SqlType.MAX_STRING_BYTES
                : type.getPrecision();
    }

    public static boolean isInteger(SqlType type) {
        return type.kind().isInteger();
    }

    public static boolean isNumeric(SqlType type) {
        return isInteger(type) || type.isDecimal() || type.kind() == Kind.DOUBLE;
    }

    /** Whether values of the types are held alike, so that one can stand for the other unchanged. */
    public static boolean sameRepresentation(SqlType a, SqlType b) {
        if (a.kind() == Kind.DOUBLE || b.kind() == Kind.DOUBLE) {
            return a.kind() == b.kind();
        }
        if (a.isArray() && b.isArray()) {
            return a.element().kind() == b.element().kind() && sameRepresentation(a.element(), b.element());
        }
        return a.kind().isString() == b.kind().isString() && a.scale() == b.scale();
    }

    /** The exception for an expression that can't be compiled. */
    public static ProcedureException unsupported(String what) {
        return new ProcedureException(ErrorCode.INVALID_REQUEST, what + " is not supported");
    }
}
