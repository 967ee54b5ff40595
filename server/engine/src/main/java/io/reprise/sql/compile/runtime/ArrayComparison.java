package io.reprise.sql.compile.runtime;

import io.reprise.catalog.ArrayReader;
import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.SqlType;
import io.reprise.storage.PartitionStore;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.function.ToIntFunction;

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

    /** Whether a comparison of a DECIMAL of more than 18 digits with any number holds. */
    public static long anyWide(
            PartitionStore store, long value, int isNull, int valueScale, long array, int scale, int operator) {
        return compareWide(store, value, isNull, valueScale, array, scale, operator, true);
    }

    /** Whether its comparison with all numbers holds. */
    public static long allWide(
            PartitionStore store, long value, int isNull, int valueScale, long array, int scale, int operator) {
        return compareWide(store, value, isNull, valueScale, array, scale, operator, false);
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
        SqlType element = SqlType.ofArrayScale(scale).element();
        byte[] string = isNull == 0 && element.kind().isString() ? ArrayValues.bytes(store, value) : null;
        ToIntFunction<ArrayReader> comparison = switch (element.kind()) {
            case VARCHAR, VARBINARY -> at -> Arrays.compareUnsigned(string, at.string());
            case DOUBLE -> at -> Double.compare(Double.longBitsToDouble(value), Double.longBitsToDouble(at.word()));
            default -> at -> Decimals.compare(value, valueScale, at.word(), element.scale());
        };
        return decide(ArrayValues.reader(store, array, scale), isNull, comparison, OPERATORS[operator], decisive);
    }

    private static long compareWide(
            PartitionStore store,
            long value,
            int isNull,
            int valueScale,
            long array,
            int scale,
            int operator,
            boolean decisive) {
        SqlType element = SqlType.ofArrayScale(scale).element();
        BigDecimal number = isNull == 0 ? WideDecimals.value(store.memory(), value, valueScale) : null;
        ToIntFunction<ArrayReader> comparison = at -> number.compareTo(number(element, at));
        return decide(ArrayValues.reader(store, array, scale), isNull, comparison, OPERATORS[operator], decisive);
    }

    private static BigDecimal number(SqlType element, ArrayReader at) {
        return element.isWide()
                ? DecimalBytes.number(element, at.string())
                : BigDecimal.valueOf(at.word(), element.decimals());
    }

    /** Compares with each element until one decides. */
    private static long decide(
            ArrayReader reader,
            int isNull,
            ToIntFunction<ArrayReader> comparison,
            Operator operator,
            boolean decisive) {
        boolean unknown = false;
        while (reader.next()) {
            if (isNull != 0 || reader.isNull()) {
                unknown = true;
            } else if (operator.holds(comparison.applyAsInt(reader)) == decisive) {
                return decisive ? 1 : 0;
            }
        }
        return unknown ? UNKNOWN : decisive ? 0 : 1;
    }
}
