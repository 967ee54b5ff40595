package io.reprise.sql.compile.runtime;

import java.util.BitSet;

/** The parameters of a statement that has too many of them for a field each. */
final class ManyParameters {
    private final long[] words;
    private final BitSet nulls = new BitSet();
    private final BitSet given = new BitSet();

    ManyParameters(int count) {
        words = new long[count];
    }

    void clear() {
        nulls.clear();
        given.clear();
    }

    void put(int parameter, long word) {
        words[parameter] = word;
        nulls.clear(parameter);
        given.set(parameter);
    }

    void putNull(int parameter) {
        words[parameter] = 0;
        nulls.set(parameter);
        given.set(parameter);
    }

    boolean isSet(int parameter) {
        return given.get(parameter);
    }

    boolean areAllSet() {
        return given.cardinality() == words.length;
    }

    boolean isNull(int parameter) {
        return nulls.get(parameter);
    }

    long word(int parameter) {
        return words[parameter];
    }
}
