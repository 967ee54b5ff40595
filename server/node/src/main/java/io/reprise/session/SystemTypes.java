package io.reprise.session;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types that the catalogue shows. */
final class SystemTypes {
    private static final int MODIFIER_HEADER = 4;
    private static final int PRECISION_SHIFT = 16;

    /** A type with its name in {@code pg_type}, its category and the number of its array type. */
    record Shown(PgType type, String name, String category, int array) {
        private Shown ofArrays() {
            return new Shown(new PgType(array, -1, -1, type.name() + "[]"), "_" + name, "A", 0);
        }

        /** The number of the type of an array's elements; 0: it is no array. */
        int element() {
            return ELEMENTS.getOrDefault(type.oid(), 0);
        }
    }

    private static final List<Shown> SINGLE = List.of(
            new Shown(PgType.BOOL, "bool", "B", 1000),
            new Shown(PgType.BYTEA, "bytea", "U", 1001),
            new Shown(PgType.NAME, "name", "S", 1003),
            new Shown(PgType.INT8, "int8", "N", 1016),
            new Shown(PgType.INT2, "int2", "N", 1005),
            new Shown(PgType.INT4, "int4", "N", 1007),
            new Shown(PgType.TEXT, "text", "S", 1009),
            new Shown(PgType.OID, "oid", "N", 1028),
            new Shown(PgType.FLOAT4, "float4", "N", 1021),
            new Shown(PgType.FLOAT8, "float8", "N", 1022),
            new Shown(PgType.VARCHAR, "varchar", "S", 1015),
            new Shown(PgType.DATE, "date", "D", 1182),
            new Shown(PgType.TIME, "time", "D", 1183),
            new Shown(PgType.TIMESTAMP, "timestamp", "D", 1115),
            new Shown(PgType.TIMESTAMPTZ, "timestamptz", "D", 1185),
            new Shown(PgType.JSON, "json", "U", 199),
            new Shown(PgType.JSONB, "jsonb", "U", 3807),
            new Shown(PgType.UUID, "uuid", "U", 2951),
            new Shown(PgType.NUMERIC, "numeric", "N", 1231));

    /** The numbers of types of elements by those of their arrays. */
    private static final Map<Integer, Integer> ELEMENTS =
            SINGLE.stream().collect(Collectors.toUnmodifiableMap(Shown::array, each -> each.type.oid()));

    /** The types of single values, and those of arrays of them. */
    static final List<Shown> ALL =
            Stream.concat(SINGLE.stream(), SINGLE.stream().map(Shown::ofArrays)).toList();

    private SystemTypes() {}

    static String format(long oid, int modifier) {
        for (Shown shown : ALL) {
            if (shown.type().oid() == oid) {
                return shown.type().name() + suffix(shown, modifier);
            }
        }
        return "???";
    }

    private static String suffix(Shown shown, int modifier) {
        if (modifier < 0) {
            return "";
        }
        int value = modifier - MODIFIER_HEADER;
        return switch (shown.name()) {
            case "varchar" -> "(" + value + ")";
            case "numeric" -> "(" + (value >> PRECISION_SHIFT) + "," + (value & (1 << PRECISION_SHIFT) - 1) + ")";
            default -> "";
        };
    }
}
