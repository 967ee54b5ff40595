package io.reprise.workload.tpcc;

import io.reprise.procedure.TextBuilder;
import io.reprise.workload.RandomValues;

/** Strings of clause 4.3 for the loading procedures. Each column has a place to be built in, reused from row to row. */
final class Population {
    /** Places for the strings of one row; each text set on a statement is copied, but only when it is set. */
    final TextBuilder text = new TextBuilder(500);

    final RandomValues random = new RandomValues(0);

    /** An alphanumeric string. */
    TextBuilder alphanumeric(int min, int max) {
        return random.alphanumeric(text.clear(), min, max);
    }

    /** A digit string. */
    TextBuilder numeric(int length) {
        return random.numeric(text.clear(), length, length);
    }

    /** Four random digits and five ones (clause 4.3.2.7). */
    TextBuilder zip() {
        return random.numeric(text.clear(), 4, 4).append("11111");
    }

    /** A string of 26 to 50 characters that in one of ten cases has ORIGINAL at a random place. */
    TextBuilder data() {
        if (random.uniform(1, 10) > 1) {
            return alphanumeric(26, 50);
        }
        int length = random.uniform(26, 50);
        int before = random.uniform(0, length - Original.WORD.length());
        int after = length - Original.WORD.length() - before;
        random.alphanumeric(text.clear(), before, before).append(Original.WORD);
        return random.alphanumeric(text, after, after);
    }
}
