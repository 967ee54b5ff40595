package io.reprise.execution.work;

import java.util.BitSet;
import java.util.List;

/**
 * The statements of a tape that run. A commit runs all of them. A preview runs those whose answers are asked for, and the earlier writes
 * that these depend on: writes to tables that they touch, and the writes that those depend on in turn.
 */
final class TapeSelection {
    private final boolean[] selected;

    TapeSelection(List<TapeEntry> entries, boolean preview) {
        selected = new boolean[entries.size()];
        BitSet touched = new BitSet();
        for (int i = entries.size() - 1; i >= 0; i--) {
            TapeEntry entry = entries.get(i);
            if (entry.kind == TapeEntry.Kind.STATEMENT && (!preview || isNeeded(entry, touched))) {
                selected[i] = true;
                entry.work.traits().tables().addTo(touched);
            }
        }
    }

    /** Whether the statements behind an entry need it, which touch these tables. A failed statement has changed nothing. */
    private static boolean isNeeded(TapeEntry entry, BitSet touched) {
        return !entry.isTold()
                || entry.expected.error() == null
                        && entry.work.traits().tables().writesAny(touched);
    }

    /** Whether an entry is a statement that runs. */
    boolean has(int entry) {
        return selected[entry];
    }
}
