package io.reprise.session;

import io.reprise.catalog.SqlType;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A type as PostgreSQL's clients know it.
 *
 * @param oid its number
 * @param size bytes; -1: variable
 * @param modifier its length or precision; -1: none
 * @param name its name
 */
public record PgType(int oid, int size, int modifier, String name) {
    /** boolean. */
    public static final PgType BOOL = new PgType(16, 1, -1, "boolean");

    /** bytea. */
    public static final PgType BYTEA = new PgType(17, -1, -1, "bytea");

    /** name. */
    public static final PgType NAME = new PgType(19, 64, -1, "name");

    /** bigint. */
    public static final PgType INT8 = new PgType(20, 8, -1, "bigint");

    /** smallint. */
    public static final PgType INT2 = new PgType(21, 2, -1, "smallint");

    /** integer. */
    public static final PgType INT4 = new PgType(23, 4, -1, "integer");

    /** text. */
    public static final PgType TEXT = new PgType(25, -1, -1, "text");

    /** oid. */
    public static final PgType OID = new PgType(26, 4, -1, "oid");

    /** real. */
    public static final PgType FLOAT4 = new PgType(700, 4, -1, "real");

    /** double precision. */
    public static final PgType FLOAT8 = new PgType(701, 8, -1, "double precision");

    /** character varying. */
    public static final PgType VARCHAR = new PgType(1043, -1, -1, "character varying");

    /** date. */
    public static final PgType DATE = new PgType(1082, 4, -1, "date");

    /** Microseconds since midnight. */
    public static final PgType TIME = new PgType(1083, 8, -1, "time without time zone");

    /** timestamp. */
    public static final PgType TIMESTAMP = new PgType(1114, 8, -1, "timestamp without time zone");

    /** timestamp with time zone. */
    public static final PgType TIMESTAMPTZ = new PgType(1184, 8, -1, "timestamp with time zone");

    /** The result of a function that has none. */
    public static final PgType VOID = new PgType(2278, 4, -1, "void");

    /** json. */
    public static final PgType JSON = new PgType(114, -1, -1, "json");

    /** jsonb. */
    public static final PgType JSONB = new PgType(3802, -1, -1, "jsonb");

    /** uuid. */
    public static final PgType UUID = new PgType(2950, 16, -1, "uuid");

    /** numeric. */
    public static final PgType NUMERIC = new PgType(1700, -1, -1, "numeric");

    private static final int TEXT_ARRAY = 1009;

    /** The numbers of types of arrays by those of their elements. */
    private static final Map<Integer, Integer> ARRAYS = Map.ofEntries(
            Map.entry(16, 1000),
            Map.entry(17, 1001),
            Map.entry(20, 1016),
            Map.entry(21, 1005),
            Map.entry(23, 1007),
            Map.entry(25, TEXT_ARRAY),
            Map.entry(114, 199),
            Map.entry(3802, 3807),
            Map.entry(2950, 2951),
            Map.entry(700, 1021),
            Map.entry(701, 1022),
            Map.entry(1043, 1015),
            Map.entry(1082, 1182),
            Map.entry(1083, 1183),
            Map.entry(1114, 1115),
            Map.entry(1184, 1185),
            Map.entry(1700, 1231));

    private static final Map<Integer, Integer> ELEMENTS =
            ARRAYS.entrySet().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    private static final int MODIFIER_HEADER = 4;
    private static final int PRECISION_SHIFT = 16;

    /** The type of an engine's type. */
    public static PgType of(SqlType type) {
        if (type.isArray()) {
            return of(type.element()).array();
        } else if (type.isZoned()) {
            return TIMESTAMPTZ;
        } else if (type.isReal()) {
            return FLOAT4;
        } else if (type.isUuid()) {
            return UUID;
        } else if (type.isJson()) {
            return type.equals(SqlType.JSON) ? JSON : JSONB;
        }
        return switch (ParameterValues.kind(type)) {
            case "BOOLEAN" -> BOOL;
            case "TINYINT", "SMALLINT" -> INT2;
            case "INTEGER" -> INT4;
            case "BIGINT" -> INT8;
            case "DOUBLE" -> FLOAT8;
            case "DECIMAL" ->
                new PgType(
                        NUMERIC.oid,
                        -1,
                        (type.precision() << PRECISION_SHIFT | type.decimals()) + MODIFIER_HEADER,
                        NUMERIC.name);
            case "VARBINARY" -> BYTEA;
            case "TIMESTAMP" -> TIMESTAMP;
            case "DATE" -> DATE;
            case "TIME" -> TIME;
            default ->
                type.precision() <= 0 || type.precision() >= SqlType.MAX_STRING_BYTES / 4
                        ? TEXT
                        : new PgType(VARCHAR.oid, -1, type.precision() + MODIFIER_HEADER, VARCHAR.name);
        };
    }

    /** The type of arrays of this type. */
    PgType array() {
        int number = ARRAYS.getOrDefault(oid, TEXT_ARRAY);
        return new PgType(number, -1, -1, name + "[]");
    }

    /** The number of the type of an array's elements; 0: it is no type of arrays. */
    static int element(int oid) {
        return ELEMENTS.getOrDefault(oid, 0);
    }

    /** The number of a type by its name, which may end with brackets; 0: unknown. */
    static int named(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceFirst("^pg_catalog\\.", "");
        if (plain.endsWith("[]")) {
            return declared(named(plain.substring(0, plain.length() - 2))).array().oid;
        }
        return switch (plain) {
            case "bool", "boolean" -> BOOL.oid;
            case "bytea" -> BYTEA.oid;
            case "int2", "smallint" -> INT2.oid;
            case "int4", "int", "integer" -> INT4.oid;
            case "int8", "bigint" -> INT8.oid;
            case "float4", "real" -> FLOAT4.oid;
            case "float8", "float", "double precision" -> FLOAT8.oid;
            case "numeric", "decimal" -> NUMERIC.oid;
            case "text" -> TEXT.oid;
            case "varchar", "character varying", "char", "character", "bpchar" -> VARCHAR.oid;
            case "date" -> DATE.oid;
            case "time", "time without time zone" -> TIME.oid;
            case "timestamp", "timestamp without time zone" -> TIMESTAMP.oid;
            case "timestamptz", "timestamp with time zone" -> TIMESTAMPTZ.oid;
            case "unknown" -> 0;
            default -> throw new SessionException("42704", "type \"" + name + "\" does not exist");
        };
    }

    /** A type that a client has named by its number. */
    static PgType declared(int oid) {
        return new PgType(oid, -1, -1, "");
    }

    /** The engine's type for a parameter that a client declares with this number; null for unknown. */
    public static String engineType(int oid) {
        int element = element(oid);
        if (element != 0) {
            return (element == TEXT.oid || element == VARCHAR.oid ? "TEXT" : engineType(element)) + "[]";
        }
        return switch (oid) {
            case 16 -> "BOOLEAN";
            case 21, 23 -> "INTEGER";
            case 20, 26 -> "BIGINT";
            case 700, 701 -> "DOUBLE";
            case 1700 -> "DECIMAL(38,6)";
            case 17 -> "VARBINARY(65535)";
            case 1082 -> "DATE";
            case 1083 -> "TIME";
            case 1114 -> "TIMESTAMP";
            case 1184 -> "TIMESTAMPTZ";
            case 2950 -> "UUID";
            default -> "VARCHAR(65535)";
        };
    }
}
