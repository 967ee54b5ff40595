package io.reprise.execution.deploy;

import java.util.Arrays;

/** Conversions of arrays without loss: between int and long, and from both to double. An empty array becomes any other. */
final class ArrayConversion {
    private static final long EXACT_IN_DOUBLE = 1L << 53;

    private ArrayConversion() {}

    /** The array as the parameter takes it; null if it can't be converted. */
    static Object convert(Object array, ParameterType type) {
        long[] longs = longs(array);
        if (longs == null) {
            return null;
        }
        return switch (type) {
            case INT_ARRAY -> ints(longs);
            case LONG_ARRAY -> longs;
            case DOUBLE_ARRAY -> doubles(longs);
            case STRING_ARRAY -> longs.length == 0 ? new String[0] : null;
            default -> null;
        };
    }

    private static long[] longs(Object array) {
        return switch (array) {
            case long[] longs -> longs;
            case int[] ints -> Arrays.stream(ints).asLongStream().toArray();
            case double[] doubles when doubles.length == 0 -> new long[0];
            case String[] strings when strings.length == 0 -> new long[0];
            case null, default -> null;
        };
    }

    private static int[] ints(long[] longs) {
        int[] ints = new int[longs.length];
        for (int i = 0; i < longs.length; i++) {
            ints[i] = (int) longs[i];
            if (ints[i] != longs[i]) {
                return null;
            }
        }
        return ints;
    }

    private static double[] doubles(long[] longs) {
        double[] doubles = new double[longs.length];
        for (int i = 0; i < longs.length; i++) {
            if (longs[i] < -EXACT_IN_DOUBLE || longs[i] > EXACT_IN_DOUBLE) {
                return null;
            }
            doubles[i] = longs[i];
        }
        return doubles;
    }
}
