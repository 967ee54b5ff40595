package io.reprise.sql.plan;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.ForeignKey;
import io.reprise.catalog.ForeignKeys;
import io.reprise.catalog.Table;
import io.reprise.sql.bind.OnConflict;
import io.reprise.sql.physical.PlanNode;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds the foreign keys that a write has to settle: those of its table, and those that are reached by their actions. */
final class WrittenKeys {
    private final List<ForeignKeys.Enforced> all;

    /** By their places in the list of all keys, so that equal keys of tables are told apart. */
    private final Set<Integer> found = new TreeSet<>();

    private final Set<Integer> searched = new HashSet<>();

    private final Set<Integer> followedDeletions = new HashSet<>();
    private final Set<Integer> followedUpdates = new HashSet<>();

    private WrittenKeys(Catalog catalog) {
        all = ForeignKeys.enforced(catalog);
    }

    /** The keys that a write has to settle, in the order of their declaration. */
    static List<SettledKey> of(Catalog catalog, PlanNode.Write write) {
        WrittenKeys keys = new WrittenKeys(catalog);
        if (keys.all.isEmpty()) {
            return List.of();
        }
        switch (write) {
            case PlanNode.Insert insert -> {
                keys.inserted(insert.table());
                if (insert.onConflict() == OnConflict.UPDATE) {
                    keys.updated(insert.table(), insert.named());
                }
            }
            case PlanNode.Update update -> keys.updated(update.table(), update.columns());
            case PlanNode.Delete delete -> keys.deleted(delete.table());
            case PlanNode.Truncate truncate -> keys.truncated(truncate.table());
        }
        return keys.found.stream()
                .map(i -> new SettledKey(keys.all.get(i), keys.searched.contains(i)))
                .toList();
    }

    private void inserted(Table table) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).child().id() == table.id()) {
                found.add(i);
            }
        }
    }

    private void search(int key) {
        found.add(key);
        searched.add(key);
    }

    private void truncated(Table table) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).parent().id() == table.id()) {
                search(i);
            }
        }
    }

    private void deleted(Table table) {
        for (int i = 0; i < all.size(); i++) {
            ForeignKeys.Enforced key = all.get(i);
            if (key.parent().id() == table.id() && followedDeletions.add(i)) {
                search(i);
                follow(key, key.key().onDelete(), true);
            }
        }
    }

    private void updated(Table table, Collection<Integer> columns) {
        for (int i = 0; i < all.size(); i++) {
            ForeignKeys.Enforced key = all.get(i);
            if (key.child().id() == table.id() && meet(key.childColumns(), columns)) {
                found.add(i);
            }
            if (key.parent().id() == table.id() && meet(key.parentColumns(), columns) && followedUpdates.add(i)) {
                search(i);
                follow(key, key.key().onUpdate(), false);
            }
        }
    }

    private void follow(ForeignKeys.Enforced key, ForeignKey.Action action, boolean deletion) {
        if (action == ForeignKey.Action.CASCADE && deletion) {
            deleted(key.child());
        } else if (action == ForeignKey.Action.CASCADE || action == ForeignKey.Action.SET_NULL) {
            updated(key.child(), key.childColumns());
        }
    }

    private static boolean meet(Collection<Integer> one, Collection<Integer> other) {
        return one.stream().anyMatch(other::contains);
    }
}
