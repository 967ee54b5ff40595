package io.reprise.procedure;

import java.lang.reflect.Array;

/**
 * Lengths of arrays and collections that a procedure makes: a longer one is refused before the JDK takes memory for it. At deployment checks
 * are woven in before the array, or the JDK's constructor or method, is made or called. Application code never names this class.
 */
public final class BoundedArrays {
    /** In a long[] they take half as much as the smallest heap that a node is given. */
    static final int MOST_ELEMENTS = 1 << 24;

    private BoundedArrays() {}

    /** Gives a length back, unless it is refused. A negative one is the JDK's affair. */
    public static int length(int length) {
        require(length);
        return length;
    }

    /** For a copy from one index up to another. */
    public static void range(int from, int to) {
        require((long) to - from);
    }

    /** The same of an index of a {@link java.util.BitSet}, which takes a long for 64 bits. */
    public static int bit(int index) {
        require(index >> 6);
        return index;
    }

    /** The last length of an array with several dimensions. */
    public static int[] dimension(int last) {
        return new int[] {last};
    }

    /** Puts another length before those. */
    public static int[] dimension(int length, int[] others) {
        int[] all = new int[others.length + 1];
        all[0] = length;
        System.arraycopy(others, 0, all, 1, others.length);
        return all;
    }

    /** An array of a class with several dimensions, of which at least the first ones have a length. */
    public static Object make(int[] lengths, Class<?> type) {
        long elements = 1;
        Class<?> component = type;
        for (int length : lengths) {
            component = component.getComponentType();
            elements *= Math.max(0, length);
            require(elements);
        }
        return Array.newInstance(component, lengths);
    }

    private static void require(long elements) {
        if (elements > MOST_ELEMENTS) {
            throw new IllegalArgumentException("an array or a collection of " + elements
                    + " elements is too long: a procedure makes up to " + MOST_ELEMENTS);
        }
    }
}
