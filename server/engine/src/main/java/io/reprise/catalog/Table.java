package io.reprise.catalog;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A table.
 *
 * @param id unique in the database, never used again after DROP
 * @param name as declared, upper case unless quoted
 * @param columns in order
 * @param indexes in order, the primary key's first if there is one
 * @param partitionColumn the column whose value decides on the bucket; empty: the table is replicated, a full copy in
 *     each partition
 * @param foreignKeys in order
 * @param checks in order
 * @param sequence the properties of the sequence whose state the table is
 * @param logging the log records of transactions that write to it, unless their procedure says so itself
 */
public record Table(
        int id,
        String name,
        List<Column> columns,
        List<Index> indexes,
        OptionalInt partitionColumn,
        List<ForeignKey> foreignKeys,
        List<Check> checks,
        Optional<Sequence> sequence,
        ProcedureDefinition.Logging logging) {
    /** Keeps copies. */
    public Table {
        columns = List.copyOf(columns);
        indexes = List.copyOf(indexes);
        foreignKeys = List.copyOf(foreignKeys);
        checks = List.copyOf(checks);
    }

    /** A table without foreign keys and checks. */
    public Table(int id, String name, List<Column> columns, List<Index> indexes, OptionalInt partitionColumn) {
        this(id, name, columns, indexes, partitionColumn, List.of(), List.of(), Optional.empty());
    }

    /** A table whose writers are logged as configured. */
    Table(
            int id,
            String name,
            List<Column> columns,
            List<Index> indexes,
            OptionalInt partitionColumn,
            List<ForeignKey> foreignKeys,
            List<Check> checks,
            Optional<Sequence> sequence) {
        this(
                id,
                name,
                columns,
                indexes,
                partitionColumn,
                foreignKeys,
                checks,
                sequence,
                ProcedureDefinition.Logging.AS_CONFIGURED);
    }

    /** The table with other columns, and with what names columns by position. */
    Table with(List<Column> newColumns, List<Index> newIndexes, OptionalInt newPartitionColumn) {
        return new Table(id, name, newColumns, newIndexes, newPartitionColumn, foreignKeys, checks, sequence, logging);
    }

    /** The table under another name. */
    Table named(String newName) {
        return new Table(id, newName, columns, indexes, partitionColumn, foreignKeys, checks, sequence, logging);
    }

    /** The table with other foreign keys. */
    Table withForeignKeys(List<ForeignKey> keys) {
        return new Table(id, name, columns, indexes, partitionColumn, keys, checks, sequence, logging);
    }

    /** The table with other checks. */
    Table withChecks(List<Check> newChecks) {
        return new Table(id, name, columns, indexes, partitionColumn, foreignKeys, newChecks, sequence, logging);
    }

    /** The table with other properties of its sequence. */
    Table withSequence(Sequence changed) {
        return new Table(
                id, name, columns, indexes, partitionColumn, foreignKeys, checks, Optional.of(changed), logging);
    }

    /** The table with another logging of its writers. */
    Table withLogging(ProcedureDefinition.Logging changed) {
        return new Table(id, name, columns, indexes, partitionColumn, foreignKeys, checks, sequence, changed);
    }

    /** Whether each partition has a full copy. */
    public boolean replicated() {
        return partitionColumn.isEmpty();
    }

    /** The primary key's index. */
    public Optional<Index> primaryKey() {
        return indexes.stream().filter(Index::primaryKey).findFirst();
    }

    /** The column of that name (already in the catalog's case). */
    public Optional<Column> column(String columnName) {
        return columns.stream().filter(c -> c.name().equals(columnName)).findFirst();
    }

    /** The index of that name (already in the catalog's case). */
    public Optional<Index> index(String indexName) {
        return indexes.stream().filter(i -> i.name().equals(indexName)).findFirst();
    }
}
