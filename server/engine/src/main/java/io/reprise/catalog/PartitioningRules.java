package io.reprise.catalog;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** The rules of partitioning for tables, indexes and procedures. */
final class PartitioningRules {
    private PartitioningRules() {}

    /** Whether PARTITION TABLE may be carried out. */
    static void checkPartitioning(Table table, Column column, Ddl.PartitionTable ddl) {
        if (!table.replicated()) {
            Column now = table.columns().get(table.partitionColumn().getAsInt());
            throw new DdlException(
                    ddl.table().at(),
                    "table " + table.name() + " is partitioned on column " + now.name()
                            + " already, which can't be changed; DROP TABLE and create it again");
        }
        String what = "table " + table.name() + " can't be partitioned on column " + column.name();
        if (column.nullable()) {
            throw new DdlException(
                    ddl.column().at(), what + ", because it can be NULL; declare it NOT NULL in CREATE TABLE");
        }
        if (column.type().kind() == SqlType.Kind.DOUBLE) {
            throw new DdlException(
                    ddl.column().at(),
                    what + ", because it is DOUBLE, whose rounded values are no reliable keys; use an integer, DECIMAL,"
                            + " string, TIMESTAMP, DATE or TIME column");
        }
        if (column.type().isWide()) {
            throw new DdlException(
                    ddl.column().at(),
                    what + ", because it is a DECIMAL of more than " + SqlType.MAX_WORD_PRECISION
                            + " digits; use a column of fewer digits or of another type");
        }
        if (column.type().isArray()) {
            throw new DdlException(ddl.column().at(), what + ", because it has arrays; use a column of single values");
        }
        for (Index index : table.indexes()) {
            if (index.unique() && !index.columns().contains(column.position())) {
                throw new DdlException(
                        ddl.column().at(),
                        what + ", because " + describe(table, index)
                                + " does not contain it: each partition sees its own"
                                + " rows only and could not keep the others' from having the same key; add "
                                + column.name() + " to " + (index.primaryKey() ? "the key" : "the index")
                                + ", or partition on " + (index.columns().size() == 1 ? "" : "one of ")
                                + columns(table, index));
            }
        }
    }

    /** Whether the index may be added to the table. */
    static void checkUnique(Table table, Index index, Position at) {
        OptionalInt partitionColumn = table.partitionColumn();
        if (index.unique() && partitionColumn.isPresent() && !index.columns().contains(partitionColumn.getAsInt())) {
            String column = table.columns().get(partitionColumn.getAsInt()).name();
            throw new DdlException(
                    at,
                    describe(table, index) + " must contain " + column + ", the column that table " + table.name()
                            + " is partitioned on: each partition sees its own rows only and could not keep the others'"
                            + " from having the same key; add " + column + " to the index, or make it not unique");
        }
    }

    /** A PARTITION ON clause, checked. */
    static ProcedureDefinition.Routing routing(
            Table table, Ddl.RoutingClause clause, List<ProcedureDefinition.Routing> before) {
        Column column = TableEditor.column(table.name(), table.columns(), clause.column());
        if (table.replicated()) {
            throw new DdlException(
                    clause.table().at(),
                    "table " + table.name() + " is not partitioned, so no procedure can be partitioned on it;"
                            + " PARTITION TABLE " + table.name() + " ON COLUMN " + column.name() + " first");
        }
        Column expected = table.columns().get(table.partitionColumn().getAsInt());
        if (column.position() != expected.position()) {
            throw new DdlException(
                    clause.column().at(),
                    "table " + table.name() + " is partitioned on column " + expected.name() + ", not on "
                            + column.name());
        }
        ProcedureDefinition.Routing routing =
                new ProcedureDefinition.Routing(table.name(), column.name(), clause.parameter());
        if (before.contains(routing)) {
            throw new DdlException(
                    clause.table().at(),
                    "PARAMETER " + clause.parameter() + " is named for table " + table.name() + " twice");
        }
        return routing;
    }

    private static String describe(Table table, Index index) {
        return (index.primaryKey() ? "its primary key " : "unique index " + index.name() + " ") + "("
                + columns(table, index) + ")";
    }

    private static String columns(Table table, Index index) {
        return index.columns().stream().map(c -> table.columns().get(c).name()).collect(Collectors.joining(", "));
    }
}
