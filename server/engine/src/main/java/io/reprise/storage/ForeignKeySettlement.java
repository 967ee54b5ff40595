package io.reprise.storage;

import io.reprise.catalog.ForeignKey;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.LoopGuard;
import io.reprise.procedure.ProcedureException;
import java.util.Arrays;
import java.util.List;

/**
 * Settles the foreign keys that a statement's writes touch, when the statement is through: carries out CASCADE and SET NULL, and then
 * rejects what still violates a key. A field of the generated class, owned by the partition's holder.
 *
 * <p>The undo log has all writes of the statement, in order. The writes of an action are behind them, and are settled in the next
 * round, until a round writes nothing. The error is that of the first violated key, whatever the order of rows.
 */
public final class ForeignKeySettlement {
    /** A loop looks at the time limit once in so many rows, a power of two. */
    private static final int ROWS_PER_CHECK = 1024;

    /** Longer lists are given up when the transaction has ended. */
    private static final int LONGEST_KEPT = 4096;

    private static final int SHORTEST = 16;

    private final PartitionStore store;
    private final UndoLog undo;
    private final ForeignKeyRows[] keys;

    /** The children that an action changes, and for each the undo record of the write that causes it. */
    private long[] rows = new long[SHORTEST];

    private long[] causes = new long[SHORTEST];
    private int count;

    /** The settlement of these keys. */
    public ForeignKeySettlement(PartitionStore store, List<ForeignKeyRule> rules) {
        this.store = store;
        undo = store.undo();
        keys = rules.stream().map(rule -> new ForeignKeyRows(store, rule)).toArray(ForeignKeyRows[]::new);
    }

    /**
     * Settles the writes since a savepoint. Throws CONSTRAINT_VIOLATION or another error of a write; the statement has to be rolled
     * back then.
     */
    public void settle(int savepoint) {
        long begin = savepoint == 0 ? undo.writes() : undo.at(savepoint);
        long from = begin;
        while (from < undo.end()) {
            long to = undo.end();
            for (ForeignKeyRows key : keys) {
                act(key, from, to, true, key.rule.onDelete());
                act(key, from, to, false, key.rule.onUpdate());
            }
            from = to;
        }
        for (ForeignKeyRows key : keys) {
            checkChildren(key, begin);
            checkParents(key, begin);
        }
    }

    /** TRUNCATE carries no action out: it is rejected if a row of another table names one that is gone. */
    public void settleTruncation() {
        for (ForeignKeyRows key : keys) {
            if (key.child != key.parent && firstOrphan(key) != 0) {
                throw parentViolation(key);
            }
        }
    }

    /** Rejects the content of tables if a child has no parent. */
    public void verify() {
        for (ForeignKeyRows key : keys) {
            if (firstOrphan(key) != 0) {
                throw childViolation(key);
            }
        }
    }

    private static long firstOrphan(ForeignKeyRows key) {
        int seen = 0;
        for (long row = key.child.first(); row != 0; row = key.child.next(row)) {
            if ((++seen & ROWS_PER_CHECK - 1) == 0) {
                LoopGuard.check();
            }
            if (!key.hasParent(row)) {
                return row;
            }
        }
        return 0;
    }

    /** Collects the children whose parents have gone or have another key, and then carries the action out. */
    private void act(ForeignKeyRows key, long from, long to, boolean deletion, ForeignKey.Action action) {
        if (action == ForeignKey.Action.NO_ACTION) {
            return;
        }
        count = 0;
        for (long record = from; record < to; record = undo.after(record)) {
            if (!keyHasGone(key, record) || isDeletion(record) != deletion) {
                continue;
            }
            key.openChildren();
            for (long row = key.nextChild(); row != 0; row = key.nextChild()) {
                if (action == ForeignKey.Action.RESTRICT) {
                    throw parentViolation(key);
                }
                add(row, record);
            }
        }
        if (count == 0) {
            return;
        }
        if (deletion && action == ForeignKey.Action.CASCADE) {
            delete(key.child);
        } else {
            update(key, action == ForeignKey.Action.SET_NULL);
        }
    }

    private void add(long row, long record) {
        if (count == rows.length) {
            int length = store.workMemory().grow(count, count + 1L, 2 * Long.BYTES);
            rows = Arrays.copyOf(rows, length);
            causes = Arrays.copyOf(causes, length);
            if (length > LONGEST_KEPT) {
                store.workMemory().letGoAfterwards(this::forget);
            }
        }
        rows[count] = row;
        causes[count++] = record;
    }

    private void forget() {
        rows = new long[SHORTEST];
        causes = new long[SHORTEST];
    }

    private void delete(TableStore child) {
        for (int i = 0; i < count; i++) {
            checkTime(i);
            if (child.isLive(rows[i])) {
                child.delete(rows[i]);
            }
        }
    }

    private static void checkTime(int done) {
        if ((done & ROWS_PER_CHECK - 1) == 0) {
            LoopGuard.check();
        }
    }

    /** If a unique index is touched, no row is entered into it before all have changed. */
    private void update(ForeignKeyRows key, boolean toNull) {
        ForeignKeyUpdate change = new ForeignKeyUpdate(store, key);
        for (int i = 0; i < count; i++) {
            checkTime(i);
            // A key may have gone twice, and its children be listed twice.
            if (!key.child.isLive(rows[i]) || !keyHasGone(key, causes[i]) || !key.childMatches(rows[i])) {
                rows[i] = 0;
            } else if (toNull) {
                change.setNull(rows[i]);
            } else {
                change.follow(rows[i], undo.word(causes[i]));
            }
        }
        for (int i = 0; i < count; i++) {
            if (rows[i] != 0) {
                change.finish(rows[i], count);
            }
        }
    }

    /** Whether a write has taken the key from a parent's row. The values of the rows are then that key. */
    private boolean keyHasGone(ForeignKeyRows key, long record) {
        if (undo.kind(record) == UndoLog.DELETE && undo.tableId(record) == key.rule.parent()) {
            long row = undo.word(record);
            return key.readParentKey(row, row, 0, 0);
        }
        if (undo.kind(record) != UndoLog.UPDATE || undo.tableId(record) != key.rule.parent()) {
            return false;
        }
        long row = undo.word(record);
        int from = undo.imageFrom(record);
        int to = from + undo.imageLength(record);
        return key.parent.layout().hasAny(key.rule.parentColumns(), from, to)
                && key.readParentKey(row, record + UndoLog.IMAGE - from, from, to)
                && !(key.parent.isLive(row) && key.parentMatches(row));
    }

    /** Whether the row of a write is no more. */
    private boolean isDeletion(long record) {
        return undo.kind(record) == UndoLog.DELETE
                || !store.table(undo.tableId(record)).isLive(undo.word(record));
    }

    /** Each row that was inserted, or whose key was changed, needs a parent. */
    private void checkChildren(ForeignKeyRows key, long begin) {
        for (long record = begin; record < undo.end(); record = undo.after(record)) {
            if (undo.tableId(record) == key.rule.child() && setsKey(key, record)) {
                long row = undo.word(record);
                if (key.child.isLive(row) && !key.hasParent(row)) {
                    throw childViolation(key);
                }
            }
        }
    }

    private boolean setsKey(ForeignKeyRows key, long record) {
        return switch (undo.kind(record)) {
            case UndoLog.INSERT -> true;
            case UndoLog.UPDATE -> {
                int from = undo.imageFrom(record);
                yield key.child.layout().hasAny(key.rule.childColumns(), from, from + undo.imageLength(record));
            }
            default -> false;
        };
    }

    /** NO ACTION: a key that has gone, and that no other row has instead, must have no children in the end. */
    private void checkParents(ForeignKeyRows key, long begin) {
        boolean deletes = key.rule.onDelete() == ForeignKey.Action.NO_ACTION;
        boolean updates = key.rule.onUpdate() == ForeignKey.Action.NO_ACTION;
        if (!deletes && !updates) {
            return;
        }
        for (long record = begin; record < undo.end(); record = undo.after(record)) {
            if (keyHasGone(key, record) && (isDeletion(record) ? deletes : updates) && !key.findParent()) {
                key.openChildren();
                if (key.nextChild() != 0) {
                    throw parentViolation(key);
                }
            }
        }
    }

    private static ProcedureException childViolation(ForeignKeyRows key) {
        String child = key.child.table().name();
        return new ProcedureException(
                ErrorCode.CONSTRAINT_VIOLATION,
                "a row of " + child + " violates foreign key " + key.rule.name() + ": table "
                        + key.parent.table().name() + " has no row that it names",
                new ErrorSubject(ErrorSubject.Kind.FOREIGN_KEY, child, "", key.rule.name()));
    }

    private static ProcedureException parentViolation(ForeignKeyRows key) {
        String child = key.child.table().name();
        return new ProcedureException(
                ErrorCode.CONSTRAINT_VIOLATION,
                "foreign key " + key.rule.name() + " of table " + child + " forbids to delete a row of "
                        + key.parent.table().name() + " or to change its key, because rows of " + child + " name it",
                new ErrorSubject(ErrorSubject.Kind.FOREIGN_KEY, child, "", key.rule.name()));
    }
}
