package io.reprise.sql.compile.runtime;

import io.reprise.catalog.ArrayReader;
import io.reprise.catalog.SqlType;
import io.reprise.storage.PartitionStore;
import java.util.Arrays;

/** Comparisons of a value with the elements of an array, by ANY and ALL. */
public final class ArrayComparison {
    /** The result NULL beside 0 and 1. */
    public static final long UNKNOWN = 2;

    /** The comparisons, by the number that a statement has. */
    public enum Operator {
        EQUALS,
        NOT_EQUALS,
        LESS_THAN,
        LESS_THAN_OR_EQUAL,
        GREATER_THAN,
        GREATER_THAN_OR_EQUAL;

        private boolean holds(int comparison) {
            return switch (this) {
                case EQUALS -> comparison == 0;
                case NOT_EQUALS -> comparison != 0;
                case LESS_THAN -> comparison < 0;
                case LESS_THAN_OR_EQUAL -> comparison <= 0;
                case GREATER_THAN -> comparison > 0;
                case GREATER_THAN_OR_EQUAL -> comparison >= 0;
            };
        }
    }

    private static final Operator[] OPERATORS = Operator.values();

    private ArrayComparison() {}

    /** Whether a comparison with any element holds: 1, 0, or UNKNOWN. */
    public static long any(
            PartitionStore store, long value, int isNull, int valueScale, long array, int scale, int operator) {
        return compare(store, value, isNull, valueScale, array, scale, operator, true);
    }

    /** Whether a comparison with all elements holds. */
    public static long all(
            PartitionStore store, long value, int isNull, int valueScale, long array, int scale, int operator) {
        return compare(store, value, isNull, valueScale, array, scale, operator, false);
    }

    private static long compare(
            PartitionStore store,
            long value,
            int isNull,
            int valueScale,
            long array,
            int scale,
            int operator,
            boolean decisive) {
        SqlType type = SqlType.ofArrayScale(scale);
        SqlType element = type.element();
        byte[] string = isNull == 0 && element.kind().isString() ? ArrayValues.bytes(store, value) : null;
        ArrayReader reader = new ArrayReader(type, ArrayValues.bytes(store, array));
        boolean unknown = false;
        while (reader.next()) {
            if (isNull != 0 || reader.isNull()) {
                unknown = true;
                continue;
            }
            int comparison = switch (element.kind()) {
                case VARCHAR, VARBINARY -> Arrays.compareUnsigned(string, reader.string());
                case DOUBLE -> Double.compare(Double.longBitsToDouble(value), Double.longBitsToDouble(reader.word()));
                default -> Decimals.compare(value, valueScale, reader.word(), element.scale());
            };
            if (OPERATORS[operator].holds(comparison) == decisive) {
                return decisive ? 1 : 0;
            }
        }
        return unknown ? UNKNOWN : decisive ? 0 : 1;
    }
}
