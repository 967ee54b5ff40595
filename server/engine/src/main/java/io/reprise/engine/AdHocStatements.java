package io.reprise.engine;

import io.reprise.execution.work.StatementWork;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Ad hoc statements by their text, planned and compiled once, the least recently used dropped first. They belong to
 * one version of the catalog. Guarded by the catalog's lock.
 *
 * <p>Clients choose the texts, and a plan takes some times the memory of its text: by number alone a thousand long
 * ones would take all memory. So the texts together are bounded, too.
 */
final class AdHocStatements {
    /** As many characters as all texts may have together; a text that has more is not kept. */
    static final long MOST_CHARACTERS = 16 << 20;

    private final int capacity;
    /** Dropped from here, but perhaps still on their way to a partition. */
    private final List<WeakReference<StatementWork>> dropped = new ArrayList<>();

    private final LinkedHashMap<String, StatementWork> statements = new LinkedHashMap<>(16, 0.75f, true);
    private long characters;

    AdHocStatements(int capacity) {
        this.capacity = Math.max(1, capacity);
    }

    StatementWork find(String sql) {
        return statements.get(sql);
    }

    /** Adds one that is not there. */
    void add(String sql, StatementWork work) {
        if (sql.length() > MOST_CHARACTERS) {
            drop(work);
            return;
        }
        statements.put(sql, work);
        characters += sql.length();
        while (statements.size() > capacity || characters > MOST_CHARACTERS) {
            dropFirst();
        }
    }

    private void dropFirst() {
        Map.Entry<String, StatementWork> first = statements.pollFirstEntry();
        characters -= first.getKey().length();
        drop(first.getValue());
    }

    private void drop(StatementWork work) {
        dropped.add(new WeakReference<>(work));
        if (dropped.size() > 2 * capacity) {
            dropped.removeIf(reference -> reference.refersTo(null));
        }
    }

    /** Called while all partitions are held: waiting statements are planned again. */
    void retireAll() {
        statements.values().forEach(work -> work.retire(null));
        statements.clear();
        characters = 0;
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
