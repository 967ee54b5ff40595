package io.reprise.command;

import java.util.List;
import java.util.Optional;

/** The columns that foreign keys compare. A DECIMAL of up to 18 digits is compared with such ones only, and a longer one with longer ones. */
final class ComparedColumns {
    private final DumpSchema schema;

    private ComparedColumns(DumpSchema schema) {
        this.schema = schema;
    }

    /** Gives the columns of each foreign key one type where one of two DECIMALs has more than 18 digits, and notes it. */
    static void align(DumpSchema schema) {
        ComparedColumns columns = new ComparedColumns(schema);
        boolean changed = true;
        while (changed) {
            changed = schema.tables.values().stream()
                            .mapToLong(table -> table.foreignKeys.stream()
                                    .filter(key -> columns.align(table, key))
                                    .count())
                            .sum()
                    > 0;
        }
    }

    private boolean align(DumpTable child, DumpTable.ForeignKey key) {
        DumpTable parent = schema.tables.get(key.parent());
        if (parent == null) {
            return false;
        }
        List<String> parents = key.parentColumns().isEmpty() ? parent.primaryKey : key.parentColumns();
        boolean changed = false;
        for (int i = 0; i < Math.min(parents.size(), key.columns().size()); i++) {
            changed |= align(child, key.columns().get(i), parent, parents.get(i));
        }
        return changed;
    }

    private boolean align(DumpTable child, String childColumn, DumpTable parent, String parentColumn) {
        DumpTable.Column here = child.column(childColumn);
        DumpTable.Column there = parent.column(parentColumn);
        if (here == null || there == null) {
            return false;
        }
        Optional<DumpDecimal> one = DumpDecimal.of(here.type);
        Optional<DumpDecimal> other = DumpDecimal.of(there.type);
        if (one.isEmpty()
                || other.isEmpty()
                || one.get().isWide() == other.get().isWide()) {
            return false;
        }
        DumpDecimal common = one.get().with(other.get());
        become(child, here, common);
        become(parent, there, common);
        return true;
    }

    private void become(DumpTable table, DumpTable.Column column, DumpDecimal type) {
        if (!column.type.equals(type.toString())) {
            schema.notes.add(table.name + "." + column.name + ": " + column.type + " becomes " + type
                    + ", because a foreign key compares it with a column of that type");
            column.type = type.toString();
        }
    }
}
