package io.reprise.command;

import java.util.ArrayList;
import java.util.List;

/** A table of a foreign schema, and the decisions of its migration. Owned by the command's thread. */
final class DumpTable {
    final String name;
    final List<Column> columns = new ArrayList<>();
    final List<List<String>> uniques = new ArrayList<>();
    final List<Index> indexes = new ArrayList<>();
    final List<ForeignKey> foreignKeys = new ArrayList<>();
    List<String> primaryKey = new ArrayList<>();

    /** The partitioning column; empty: replicated; null: not decided. */
    String partitionColumn;

    String reason = "";

    DumpTable(String name) {
        this.name = name;
    }

    Column column(String wanted) {
        return columns.stream()
                .filter(each -> each.name.equals(wanted))
                .findFirst()
                .orElse(null);
    }

    boolean isReplicated() {
        return partitionColumn != null && partitionColumn.isEmpty();
    }

    /** A column. */
    static final class Column {
        final String name;
        String type;
        boolean notNull;
        String otherwise = "";

        Column(String name, String type) {
            this.name = name;
            this.type = type;
        }
    }

    /** An index that is no constraint. */
    record Index(String name, boolean unique, List<String> columns) {}

    /** A reference to another table; without columns, to its primary key. */
    record ForeignKey(List<String> columns, String parent, List<String> parentColumns) {}
}
