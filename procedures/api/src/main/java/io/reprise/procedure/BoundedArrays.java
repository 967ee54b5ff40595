package io.reprise.procedure;

import java.lang.reflect.Array;

/**
 * Lengths of arrays and collections that a procedure makes: a longer one is refused before the JDK takes memory for it. At deployment checks
 * are woven in before the array, or the JDK's constructor or method, is made or called. Application code never names this class.
 */
public final class BoundedArrays {
    /** The most elements: a long[] of so many takes half of the smallest heap that a node is given. */
    static final int MOST_ELEMENTS = 1 << 24;

    private BoundedArrays() {}

    /** Returns a length, unless it is too long. The JDK refuses a negative one. */
    public static int length(int length) {
        require(length);
        return length;
    }

    /** Refuses a copy from one index up to another that is too long. */
    public static void range(int from, int to) {
        require((long) to - from);
    }

    /** Returns an index of a {@link java.util.BitSet}, unless it is too high. The set takes a long for 64 bits. */
    public static int bit(int index) {
        require(index >> 6);
        return index;
    }

    /** The last length of an array with several dimensions. */
    public static int[] dimension(int last) {
        return new int[] {last};
    }

    /** Returns the lengths of an array with one more dimension, whose length is first. */
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
