package io.reprise.node;

import io.reprise.execution.work.StatementWork;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Ad hoc statements by their text, planned and compiled once, the least recently used dropped first. They belong to one
 * version of the catalog. Guarded by the catalog's lock.
 */
final class AdHocStatements {
    private final int capacity;
    /** Dropped from here, but perhaps still on their way to a partition. */
    private final List<WeakReference<StatementWork>> dropped = new ArrayList<>();

    private final LinkedHashMap<String, StatementWork> statements = new LinkedHashMap<>(16, 0.75f, true);

    AdHocStatements(int capacity) {
        this.capacity = Math.max(1, capacity);
    }

    StatementWork find(String sql) {
        return statements.get(sql);
    }

    void add(String sql, StatementWork work) {
        statements.put(sql, work);
        if (statements.size() > capacity) {
            dropped.add(new WeakReference<>(statements.pollFirstEntry().getValue()));
            if (dropped.size() > 2 * capacity) {
                dropped.removeIf(reference -> reference.refersTo(null));
            }
        }
    }

    /** Called while all partitions are held: what still waits is planned again. */
    void retireAll() {
        statements.values().forEach(work -> work.retire(null));
        statements.clear();
        for (WeakReference<StatementWork> reference : dropped) {
            StatementWork work = reference.get();
            if (work != null) {
                work.retire(null);
            }
        }
        dropped.clear();
    }

    int size() {
        return statements.size();
    }
}
