package io.reprise.workload.tpcc;

import io.reprise.procedure.Rows;
import io.reprise.procedure.TextBuilder;

/** Last names: made of syllables, and shared by customers. */
final class CustomerName {
    /** Finds the ids of customers by warehouse, district and last name, in the order of their first names. */
    static final String FIND =
            "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first";

    private static final String[] SYLLABLES = {
        "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
    };

    private CustomerName() {}

    /** Clause 4.3.2.3: appends the name for a number from 0 to 999. */
    static TextBuilder append(TextBuilder into, int number) {
        return into.append(SYLLABLES[number / 100])
                .append(SYLLABLES[number / 10 % 10])
                .append(SYLLABLES[number % 10]);
    }

    /** The id in the middle of what {@link #FIND} found, rounded up; -1 where it found nothing. */
    static int middle(Rows found) {
        int steps = (found.count() + 1) / 2;
        for (int i = 0; i < steps; i++) {
            found.next();
        }
        return steps == 0 ? -1 : found.intAt(0);
    }
}
