package io.reprise.storage;

import io.reprise.catalog.ForeignKey;
import io.reprise.catalog.ForeignKeys;

/**
 * A foreign key that is enforced, by the ids of its tables and the positions of its columns.
 *
 * @param name the constraint's
 * @param childColumns in the order of the key; each names the parent's column at the same place
 */
public record ForeignKeyRule(
        String name,
        int child,
        int[] childColumns,
        int parent,
        int[] parentColumns,
        ForeignKey.Action onDelete,
        ForeignKey.Action onUpdate) {
    /** The rule of a catalog's key. */
    public static ForeignKeyRule of(ForeignKeys.Enforced enforced) {
        ForeignKey key = enforced.key();
        return new ForeignKeyRule(
                key.name(),
                enforced.child().id(),
                key.columns().stream().mapToInt(Integer::intValue).toArray(),
                enforced.parent().id(),
                enforced.parentColumns().stream().mapToInt(Integer::intValue).toArray(),
                key.onDelete(),
                key.onUpdate());
    }
}
