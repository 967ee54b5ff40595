package io.reprise.session;

import java.util.List;

/**
 * A statement in the engine's SQL.
 *
 * @param sql its text, with {@code ?} for parameters
 * @param parameters for each {@code ?} the number of the client's parameter, from 0; below 0: a lifted literal, -1 is the first
 * @param elements for each {@code ?} its place in a parameter that is an array; -1: the parameter is none
 * @param literals the lifted literals: numbers, and strings behind a quotation mark
 * @param clientParameters the number of parameters that the client sends
 * @param outOffsets the places of tokens in {@code sql}, ascending
 * @param inOffsets the places of the same tokens in the client's statement
 */
record Translation(
        String sql,
        int[] parameters,
        int[] elements,
        List<String> literals,
        int clientParameters,
        int[] outOffsets,
        int[] inOffsets) {
    /** The lifted literal for a negative number of {@code parameters}. */
    String literal(int parameter) {
        return literals.get(-1 - parameter);
    }

    /** Whether a parameter is an array. */
    boolean hasArrays() {
        for (int element : elements) {
            if (element >= 0) {
                return true;
            }
        }
        return false;
    }

    /** The character in the client's statement, from 1, for a place in the translated text; 0: unknown. */
    int position(int line, int column) {
        if (line <= 0) {
            return 0;
        }
        int offset = 0;
        for (int i = 1; i < line; i++) {
            offset = sql.indexOf('\n', offset) + 1;
            if (offset == 0) {
                return 0;
            }
        }
        offset += column - 1;
        int found = 0;
        for (int i = 0; i < outOffsets.length && outOffsets[i] <= offset; i++) {
            found = inOffsets[i] + 1;
        }
        return found;
    }
}
