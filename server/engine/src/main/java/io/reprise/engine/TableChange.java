package io.reprise.engine;

import io.reprise.catalog.CatalogChange;
import io.reprise.catalog.Column;
import io.reprise.catalog.DefaultValue;
import io.reprise.catalog.Literals;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.execution.Partition;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.storage.ColumnSource;
import io.reprise.storage.IndexVersion;
import io.reprise.storage.PartitionTables;
import io.reprise.storage.TableStore;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A change of the catalog for one table's rows, all statements of a script taken together. {@link #apply} changes the
 * table at one partition or leaves it as it was; {@link #revert} takes a change back that succeeded at this partition
 * when another one refused; {@link #finish} makes it final.
 */
abstract class TableChange {
    /** Changes the table at a partition; throws, and nothing has changed there. */
    abstract void apply(Partition partition, long nowMicros);

    /** Takes the change back. */
    abstract void revert(Partition partition);

    /** All partitions have changed: frees what a revert would have needed. */
    void finish(Partition partition) {}

    /** The change from a table to another; null stands for no table. */
    static TableChange of(Table before, Table after, List<CatalogChange> changes) {
        if (before == null) {
            return new Create(after);
        }
        if (after == null) {
            return new Drop(before);
        }
        List<Integer> sources = sourceColumns(after, changes);
        return before.replicated() == after.replicated()
                        && haveSameValues(before, after)
                        && isUnmoved(sources)
                        && RowLayout.of(before).sameAs(RowLayout.of(after))
                ? new Indexes(after)
                : new Columns(before, after, sources);
    }

    /** Whether columns differ in names and defaults at most. */
    private static boolean haveSameValues(Table before, Table after) {
        if (before.columns().size() != after.columns().size()) {
            return false;
        }
        for (Column column : before.columns()) {
            Column now = after.columns().get(column.position());
            if (!column.type().equals(now.type()) || column.nullable() != now.nullable()) {
                return false;
            }
        }
        return true;
    }

    /** Whether rows change though the table may be what it was: a column may have been dropped, and one just like it added. */
    static boolean changesValues(Table after, List<CatalogChange> changes) {
        return !isUnmoved(sourceColumns(after, changes));
    }

    private static boolean isUnmoved(List<Integer> sources) {
        for (int i = 0; i < sources.size(); i++) {
            if (sources.get(i) != i) {
                return false;
            }
        }
        return true;
    }

    /** Follows each column back through the changes: its position in the table that there was, or -1; empty where none was changed. */
    private static List<Integer> sourceColumns(Table after, List<CatalogChange> changes) {
        List<Integer> sources = null;
        for (CatalogChange change : changes) {
            if (change instanceof CatalogChange.TableAltered altered
                    && altered.after().id() == after.id()) {
                List<Integer> known = sources;
                sources = known == null
                        ? altered.sourceColumns()
                        : altered.sourceColumns().stream()
                                .map(column -> column < 0 ? Integer.valueOf(-1) : known.get(column))
                                .toList();
            }
        }
        return sources == null ? List.of() : sources;
    }

    private static final class Create extends TableChange {
        private final Table table;

        Create(Table table) {
            this.table = table;
        }

        @Override
        void apply(Partition partition, long nowMicros) {
            partition.store().createTable(table);
        }

        @Override
        void revert(Partition partition) {
            partition.store().dropTable(table.id());
        }
    }

    private static final class Drop extends TableChange {
        private final Table table;

        Drop(Table table) {
            this.table = table;
        }

        @Override
        void apply(Partition partition, long nowMicros) {}

        @Override
        void revert(Partition partition) {}

        @Override
        void finish(Partition partition) {
            partition.store().dropTable(table.id());
        }
    }

    /**
     * Another version of the table, or of its indexes, takes the place of the one in use. The old one is kept as it
     * is until all partitions have accepted the change: procedures are bound to it, and have to find it again when the
     * change is taken back.
     */
    private abstract static class Exchange<V> extends TableChange {
        /** By partition the version that is not in use: the new one for a moment, then the old one. */
        private final Map<Partition, V> others = new HashMap<>();

        /** Makes the new version; throws, and there is none. */
        abstract V prepare(Partition partition, long nowMicros);

        /** Takes a version into use, and returns the one that was. */
        abstract V install(PartitionTables tables, V version);

        /** Frees what is not in use. */
        abstract void discard(PartitionTables tables, V version);

        @Override
        final void apply(Partition partition, long nowMicros) {
            others.put(partition, prepare(partition, nowMicros));
            exchange(partition);
        }

        private void exchange(Partition partition) {
            others.put(partition, install(partition.store().tables(), others.get(partition)));
        }

        @Override
        final void revert(Partition partition) {
            exchange(partition);
            finish(partition);
        }

        @Override
        final void finish(Partition partition) {
            discard(partition.store().tables(), others.remove(partition));
        }
    }

    private static final class Indexes extends Exchange<IndexVersion> {
        private final Table after;

        Indexes(Table after) {
            this.after = after;
        }

        @Override
        IndexVersion prepare(Partition partition, long nowMicros) {
            return partition.store().tables().prepareIndexes(after);
        }

        @Override
        IndexVersion install(PartitionTables tables, IndexVersion version) {
            return tables.install(version);
        }

        @Override
        void discard(PartitionTables tables, IndexVersion version) {
            tables.discard(version);
        }
    }

    /** Rows get other columns, or a replicated table becomes partitioned: a partition keeps the rows of its buckets. */
    private static final class Columns extends Exchange<TableStore> {
        private final Table before;
        private final Table after;
        private final List<Integer> sourceColumns;

        Columns(Table before, Table after, List<Integer> sourceColumns) {
            this.before = before;
            this.after = after;
            this.sourceColumns = sourceColumns;
        }

        @Override
        TableStore prepare(Partition partition, long nowMicros) {
            List<ColumnSource> sources = new ArrayList<>();
            for (Column column : after.columns()) {
                int source = sourceColumns.isEmpty() ? column.position() : sourceColumns.get(column.position());
                sources.add(source >= 0 ? existing(source, column) : defaultOf(partition, column, nowMicros));
            }
            return partition.store().tables().prepareRebuild(after, sources);
        }

        @Override
        TableStore install(PartitionTables tables, TableStore version) {
            return tables.install(version);
        }

        @Override
        void discard(PartitionTables tables, TableStore version) {
            tables.discard(version);
        }

        private ColumnSource existing(int source, Column column) {
            SqlType from = before.columns().get(source).type();
            return from.equals(column.type())
                    ? new ColumnSource.Existing(source)
                    : new ColumnSource.Converted(source, from, column.type());
        }

        private ColumnSource defaultOf(Partition partition, Column column, long nowMicros) {
            if (column.defaultValue().isPresent()) {
                return switch (Literals.parse(
                        column.type(), column.defaultValue().get())) {
                    case DefaultValue.Word word -> new ColumnSource.Word(word.value());
                    case DefaultValue.Bytes bytes -> new ColumnSource.Text(bytes.value());
                    case DefaultValue.CurrentTimestamp now -> new ColumnSource.Word(nowMicros);
                };
            }
            if (!column.nullable() && partition.store().table(before.id()).count() > 0) {
                throw new ProcedureException(
                        ErrorCode.CONSTRAINT_VIOLATION,
                        "column " + column.name() + " is NOT NULL and has no DEFAULT, but table " + before.name()
                                + " has rows; give it a DEFAULT");
            }
            return column.nullable() ? new ColumnSource.Null() : new ColumnSource.Word(0);
        }
    }
}
