package io.reprise.changes;

import io.reprise.changes.Change.Operation;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.TableStore;
import io.reprise.storage.WriteObserver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the net changes of one transaction after the other, as the write observer of a partition. A row's first value is kept
 * before its first change, and {@link #take} reads the last one when the transaction has ended. Writes that were rolled back to a
 * savepoint leave no change.
 *
 * <p>Rows are known by table and row id, because a row whose primary key changes moves to another place. Changes come in the
 * order of the first writes. Owned by the thread that holds the partition.
 */
public final class ChangeCollector implements WriteObserver {
    private record RowName(int table, long rowId) {}

    private static final class Touched {
        private final TableStore table;
        private final long rowId;

        /** Null for an inserted row. */
        private final List<Object> before;

        private long row;

        Touched(TableStore table, long rowId, List<Object> before, long row) {
            this.table = table;
            this.rowId = rowId;
            this.before = before;
            this.row = row;
        }
    }

    private final Memory memory;
    private final Map<RowName, Touched> touched = new LinkedHashMap<>();
    private final List<Change> truncations = new ArrayList<>();

    /** A collector for a partition with this memory. */
    public ChangeCollector(Memory memory) {
        this.memory = memory;
    }

    @Override
    public void inserted(TableStore table, long row) {
        RowName name = new RowName(table.id(), table.rowId(row));
        Touched known = touched.get(name);
        if (known == null) {
            touched.put(name, new Touched(table, name.rowId(), null, row));
        } else {
            known.row = row;
        }
    }

    @Override
    public void beforeChange(TableStore table, long row) {
        RowName name = new RowName(table.id(), table.rowId(row));
        Touched known = touched.get(name);
        if (known == null) {
            touched.put(name, new Touched(table, name.rowId(), RowValues.of(memory, table, row), row));
        } else {
            known.row = row;
        }
    }

    @Override
    public boolean keeps(TableStore table, long firstPlace, Runnable free) {
        touched.values().removeIf(each -> each.table == table && !isLive(each));
        truncations.add(new Change(Operation.TRUNCATE, table.table(), List.of(), List.of()));
        return false;
    }

    /** Forgets what was collected: tables were changed by the schema's change, not by a transaction. */
    public void clear() {
        touched.clear();
        truncations.clear();
    }

    /** The changes since the last call, truncations first. The transaction has ended. */
    public List<Change> take() {
        List<Change> changes = new ArrayList<>(truncations);
        for (Touched each : touched.values()) {
            List<Object> after = isLive(each) ? RowValues.of(memory, each.table, each.row) : null;
            if (each.before == null && after != null) {
                changes.add(new Change(Operation.INSERT, each.table.table(), List.of(), after));
            } else if (each.before != null && after == null) {
                changes.add(new Change(Operation.DELETE, each.table.table(), each.before, List.of()));
            } else if (each.before != null && !each.before.equals(after)) {
                changes.add(new Change(Operation.UPDATE, each.table.table(), each.before, after));
            }
        }
        clear();
        return changes;
    }

    /** A truncation gives the table other places, and frees the ones that it had. */
    private static boolean isLive(Touched each) {
        return each.row >= each.table.scanStart()
                && each.row < each.table.scanEnd()
                && each.table.isLive(each.row)
                && each.table.rowId(each.row) == each.rowId;
    }
}
