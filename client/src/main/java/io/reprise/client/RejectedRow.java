package io.reprise.client;

import java.util.ArrayList;
import java.util.List;

/**
 * A row of {@link Client#sqlForRowsAsync} that is not committed, or of which that is not known.
 *
 * @param row its position among the rows of the request, from 0
 * @param code the kind of failure; OUTCOME_UNKNOWN: it may be committed
 * @param message the reason
 */
public record RejectedRow(int row, ErrorCode code, String message) {
    /** The failure as an exception. */
    public CallException failure() {
        return CallException.of(code, message, false);
    }

    /** Reads the reply of a server. */
    static List<RejectedRow> read(Rows rows) {
        List<RejectedRow> rejected = new ArrayList<>(rows.count());
        while (rows.next()) {
            rejected.add(new RejectedRow((int) rows.longAt(0), ErrorCode.of((int) rows.longAt(1)), rows.stringAt(2)));
        }
        return rejected;
    }
}
