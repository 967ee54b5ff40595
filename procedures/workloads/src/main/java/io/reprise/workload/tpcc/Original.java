package io.reprise.workload.tpcc;

import io.reprise.procedure.Text;

/** Looks for the word ORIGINAL in the data of items and stock. */
final class Original {
    static final String WORD = "ORIGINAL";

    private static final int LENGTH = 8;

    private Original() {}

    /**
     * Whether the word occurs. Boyer-Moore-Horspool: most bytes of the data are none of the word's, so that a search
     * looks at every eighth one only.
     */
    static boolean isIn(Text text) {
        int last = LENGTH - 1;
        while (last < text.length()) {
            int skip = skip(text.byteAt(last));
            if (skip == 0) {
                if (endsAt(text, last)) {
                    return true;
                }
                skip = LENGTH;
            }
            last += skip;
        }
        return false;
    }

    /** The distance by which the word's end can move when this byte lies under it; 0 when it may be the end. */
    private static int skip(byte under) {
        return switch (under) {
            case 'L' -> 0;
            case 'A' -> 1;
            case 'N' -> 2;
            case 'I' -> 3;
            case 'G' -> 4;
            case 'R' -> 6;
            case 'O' -> 7;
            default -> LENGTH;
        };
    }

    private static boolean endsAt(Text text, int last) {
        for (int i = LENGTH - 2; i >= 0; i--) {
            if (text.byteAt(last - LENGTH + 1 + i) != WORD.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
