package io.reprise.command;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Proposes a partitioning column for each table of a foreign schema. Foreign keys tie columns of several tables together, because
 * they have the same values. The proposal partitions as many rows as it can on one such group of columns, so that most transactions
 * stay in one partition. Small tables that others refer to are replicated. Owned by the command's thread.
 */
final class PartitioningProposal {
    private static final long SMALL_ROWS = 1_000;

    /** A group counts less for a table whose key lacks the column, because the key has to be widened. */
    private static final double WIDENED = 0.4;

    private final Map<String, DumpTable> tables;
    private final Map<String, Long> rows;

    /** By column, written as table and column, the column that stands for its group. */
    private final Map<String, String> groups = new TreeMap<>();

    private PartitioningProposal(Map<String, DumpTable> tables, Map<String, Long> rows) {
        this.tables = tables;
        this.rows = rows;
    }

    /** Decides each table that the script has not decided. */
    static void propose(Map<String, DumpTable> tables, Map<String, Long> rows) {
        PartitioningProposal proposal = new PartitioningProposal(tables, rows);
        proposal.joinColumns();
        proposal.replicateSmall();
        boolean decided = true;
        while (decided) {
            decided = proposal.partitionBestGroup();
        }
        proposal.decideTheRest();
    }

    private void joinColumns() {
        for (DumpTable table : tables.values()) {
            for (DumpTable.ForeignKey key : table.foreignKeys) {
                DumpTable parent = tables.get(key.parent());
                List<String> parents =
                        parent == null || !key.parentColumns().isEmpty() ? key.parentColumns() : parent.primaryKey;
                for (int i = 0; i < Math.min(parents.size(), key.columns().size()); i++) {
                    String a = group(table.name + "." + key.columns().get(i));
                    String b = group(key.parent() + "." + parents.get(i));
                    if (!a.equals(b)) {
                        groups.put(a, b);
                    }
                }
            }
        }
    }

    private String group(String column) {
        String at = column;
        while (groups.containsKey(at)) {
            at = groups.get(at);
        }
        return at;
    }

    private boolean isReferredTo(DumpTable table) {
        return tables.values().stream()
                .filter(each -> each != table)
                .flatMap(each -> each.foreignKeys.stream())
                .anyMatch(key -> key.parent().equals(table.name));
    }

    private long rows(DumpTable table) {
        return rows.getOrDefault(table.name, -1L);
    }

    /** Counts of rows say which tables are small; a script without data says nothing. */
    private void replicateSmall() {
        long most = rows.values().stream().mapToLong(Long::longValue).max().orElse(0);
        for (DumpTable table : tables.values()) {
            if (table.partitionColumn == null
                    && most > 0
                    && isReferredTo(table)
                    && rows(table) < Math.min(SMALL_ROWS, most / 10 + 1)) {
                replicate(table, "it has " + Math.max(0, rows(table)) + " rows, and others refer to it");
            }
        }
    }

    private static void replicate(DumpTable table, String reason) {
        table.partitionColumn = "";
        table.reason = reason;
    }

    /** Partitions the undecided tables of the group that is worth most. Returns false if no group has two of them. */
    private boolean partitionBestGroup() {
        Map<String, Double> worth = new LinkedHashMap<>();
        Map<String, Integer> members = new TreeMap<>();
        for (DumpTable table : undecided()) {
            for (String name : candidates(table)) {
                double factor = table.primaryKey.isEmpty() || table.primaryKey.contains(name) ? 1 : WIDENED;
                String group = group(table.name + "." + name);
                worth.merge(group, factor * weight(table), Double::sum);
                members.merge(group, 1, Integer::sum);
            }
        }
        Optional<String> best = worth.keySet().stream()
                .filter(each -> members.get(each) > 1)
                .max(Comparator.comparingDouble(worth::get));
        best.ifPresent(this::partitionGroup);
        return best.isPresent();
    }

    private List<DumpTable> undecided() {
        return tables.values().stream()
                .filter(each -> each.partitionColumn == null)
                .toList();
    }

    /** A column of each group that a table has; of several in one group, one of the primary key. */
    private List<String> candidates(DumpTable table) {
        Map<String, String> byGroup = new LinkedHashMap<>();
        for (String name : table.primaryKey) {
            byGroup.putIfAbsent(group(table.name + "." + name), name);
        }
        for (DumpTable.Column column : table.columns) {
            String full = table.name + "." + column.name;
            if (groups.containsKey(full) || groups.containsValue(full)) {
                byGroup.putIfAbsent(group(full), column.name);
            }
        }
        byGroup.values().removeIf(name -> !canPartition(table, name));
        return new ArrayList<>(byGroup.values());
    }

    /** Whether tables are partitioned on columns of this one's type. */
    private static boolean canPartition(DumpTable table, String name) {
        String type = table.column(name).type;
        return !isWide(type) && !type.endsWith("[]") && !type.equals("DOUBLE") && !type.equals("REAL");
    }

    private static boolean isWide(String type) {
        return DumpDecimal.of(type).filter(DumpDecimal::isWide).isPresent();
    }

    private double weight(DumpTable table) {
        return 1 + Math.log10((double) (1 + Math.max(0, rows(table))));
    }

    private void partitionGroup(String group) {
        for (DumpTable table : undecided()) {
            for (String name : candidates(table)) {
                if (group(table.name + "." + name).equals(group)) {
                    table.partitionColumn = name;
                    table.reason = "together with the tables that have the values of " + group;
                    break;
                }
            }
        }
    }

    private void decideTheRest() {
        for (DumpTable table : undecided()) {
            if (isReferredTo(table) && table.foreignKeys.isEmpty() && rows(table) < SMALL_ROWS) {
                replicate(table, "others refer to it, and it refers to none");
                continue;
            }
            Optional<String> key = table.primaryKey.stream()
                    .filter(name -> canPartition(table, name))
                    .findFirst();
            if (key.isEmpty()) {
                replicate(table, withoutKey(table));
            } else {
                table.partitionColumn = key.get();
                table.reason = "by its own key";
            }
        }
    }

    /** The reason for which a table can't be partitioned on its key. A key of fewer digits could, and the values tell. */
    private static String withoutKey(DumpTable table) {
        if (table.primaryKey.isEmpty()) {
            return "it has no primary key to partition it on";
        }
        for (String name : table.primaryKey) {
            Optional<DumpDecimal> wide = DumpDecimal.of(table.column(name).type).filter(DumpDecimal::isWide);
            if (wide.isPresent()) {
                return "its key " + name + " is a " + wide.get()
                        + ", and no table is partitioned on a DECIMAL of more than"
                        + " 18 digits; if its values have room there, declare it as "
                        + wide.get().narrowed() + " and partition the table on it";
            }
        }
        return "tables are not partitioned on columns of its key's types";
    }
}
