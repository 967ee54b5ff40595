package io.reprise.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The foreign keys of a catalog that are enforced. A key is enforced if each partition has the parent rows of its own child rows:
 * the parent is replicated, or both tables are partitioned by columns that the key compares.
 */
public final class ForeignKeys {
    private ForeignKeys() {}

    /**
     * A key that is enforced.
     *
     * @param parentColumns positions in the parent, in the order of the key's columns
     */
    public record Enforced(Table child, ForeignKey key, Table parent, List<Integer> parentColumns) {
        /** The positions of the child's columns. */
        public List<Integer> childColumns() {
            return key.columns();
        }
    }

    /** All keys that are enforced, in the order of tables and of their declaration. */
    public static List<Enforced> enforced(Catalog catalog) {
        List<Enforced> all = new ArrayList<>();
        for (Table child : catalog.tables().values()) {
            for (ForeignKey key : child.foreignKeys()) {
                if (reasonAgainst(catalog, child, key).isEmpty()) {
                    Table parent = catalog.table(key.parent()).orElseThrow();
                    all.add(new Enforced(child, key, parent, parentColumns(parent, key)));
                }
            }
        }
        return List.copyOf(all);
    }

    private static List<Integer> parentColumns(Table parent, ForeignKey key) {
        return key.parentColumns().stream()
                .map(name -> parent.column(name).orElseThrow().position())
                .toList();
    }

    /** The reason for which a key is not enforced; empty if it is. */
    public static Optional<String> reasonAgainst(Catalog catalog, Table child, ForeignKey key) {
        if (!key.enforced()) {
            return Optional.of("it is declared NOT ENFORCED");
        }
        Optional<Table> found = catalog.table(key.parent());
        if (found.isEmpty()) {
            return Optional.of("there is no table " + key.parent());
        }
        Table parent = found.get();
        List<Integer> parentColumns = parentColumns(parent, key);
        if (!parent.replicated() && !sharePartition(child, key, parent, parentColumns)) {
            Column column = parent.columns().get(parent.partitionColumn().getAsInt());
            return Optional.of("table " + parent.name() + " is partitioned on column " + column.name() + ", and "
                    + child.name() + " is not partitioned on a column of the key that names it");
        }
        for (int i = 0; i < parentColumns.size(); i++) {
            Column there = parent.columns().get(parentColumns.get(i));
            Column here = child.columns().get(key.columns().get(i));
            if ((there.type().isDecimal() || here.type().isWide())
                    && there.type().scale() != here.type().scale()) {
                return Optional.of("columns " + here.name() + " and " + there.name() + " have different scales");
            }
        }
        return reasonAgainstActions(child, key);
    }

    private static boolean sharePartition(Table child, ForeignKey key, Table parent, List<Integer> parentColumns) {
        if (child.replicated()) {
            return false;
        }
        int at = parentColumns.indexOf(parent.partitionColumn().getAsInt());
        return at >= 0 && key.columns().get(at) == child.partitionColumn().getAsInt();
    }

    private static Optional<String> reasonAgainstActions(Table child, ForeignKey key) {
        if (key.onDelete() == ForeignKey.Action.SET_DEFAULT || key.onUpdate() == ForeignKey.Action.SET_DEFAULT) {
            return Optional.of("SET DEFAULT is not carried out");
        }
        if (key.onDelete() == ForeignKey.Action.SET_NULL || writesChild(key.onUpdate())) {
            for (Check check : child.checks()) {
                for (int column : key.columns()) {
                    if (check.mayName(child.columns().get(column).name())) {
                        return Optional.of("its actions would change a column that CHECK " + check.name() + " names");
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static boolean writesChild(ForeignKey.Action onUpdate) {
        return onUpdate == ForeignKey.Action.CASCADE || onUpdate == ForeignKey.Action.SET_NULL;
    }

    /** Adds the tables that foreign keys tie to tables which change, directly or by way of others. */
    public static void addRelated(Catalog catalog, Set<String> names) {
        boolean grown = true;
        while (grown) {
            grown = false;
            for (Table child : catalog.tables().values()) {
                for (ForeignKey key : child.foreignKeys()) {
                    if (names.contains(child.name()) || names.contains(key.parent())) {
                        grown |= names.add(child.name()) | names.add(key.parent());
                    }
                }
            }
        }
    }
}
