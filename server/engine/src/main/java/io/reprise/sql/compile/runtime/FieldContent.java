package io.reprise.sql.compile.runtime;

import io.reprise.catalog.Table;
import io.reprise.storage.ForeignKeyRule;
import io.reprise.storage.ForeignKeySettlement;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowTeller;
import io.reprise.storage.index.IndexCursor;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import io.reprise.storage.row.RowLayout;
import java.util.List;

/**
 * The content of a final field of a generated class, as data: {@link #in} makes it for an instance that runs in a partition. A content can
 * be stored with its class and read by another process. Immutable.
 */
public sealed interface FieldContent {
    /** The object for an instance in a partition. */
    Object in(PartitionStore store);

    /** The store of a table. */
    record OfTable(int table) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return store.table(table);
        }
    }

    /** A hash index of a table. */
    record OfHashIndex(int table, int position) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return store.table(table).hashIndex(position);
        }
    }

    /** An ordered index of a table. */
    record OfOrderedIndex(int table, int position) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return store.table(table).orderedIndex(position);
        }
    }

    /** A key of an index, to be filled. */
    record Key(int table, int index) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            Table of = store.table(table).table();
            return new IndexKey(KeyLayout.of(of, RowLayout.of(of), of.indexes().get(index)));
        }
    }

    /** A cursor over an index. */
    record Cursor() implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new IndexCursor();
        }
    }

    /** A buffer of rows. */
    record Buffer(RowShape shape) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new RowBuffer(shape, store);
        }
    }

    /** A sorter of rows with so many columns. */
    record Sorting(Sorter.Keys keys, int columns) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new Sorter(keys, columns, store);
        }
    }

    /** A table of groups, by which of their keys are strings. */
    record Groups(boolean[] strings, int words) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new GroupTable(strings, words, store);
        }
    }

    /** A set of the distinct values of an aggregate. */
    record Distinct(boolean string) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new DistinctSet(string, store);
        }
    }

    /** The settlement of foreign keys. */
    record ForeignKeys(List<ForeignKeyRule> rules) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new ForeignKeySettlement(store, rules);
        }
    }

    /** A teller of the rows that a statement reads. */
    record Teller(int table, long mask) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new RowTeller(store, table, mask);
        }
    }

    /** Rows of constants and parameters, which all instances share. */
    record Listed(RowTemplate rows) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return rows;
        }
    }

    /** The constants of an IN list, which all instances share. */
    record Constants(WordSet set) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return set;
        }
    }

    /** The parameters of an IN list. */
    record Parameters(int[] numbers, boolean strings) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new ParameterSet(numbers, strings);
        }
    }

    /**
     * A constant LIKE pattern, which all instances share.
     *
     * @param escape null if there is none
     */
    record Pattern(LikePattern pattern, String text, String escape) implements FieldContent {
        /** A pattern of a text. */
        public static Pattern of(String text, String escape) {
            return new Pattern(LikePattern.compile(text, escape), text, escape);
        }

        @Override
        public Object in(PartitionStore store) {
            return pattern;
        }
    }

    /** The strings that STRING_AGG puts together. */
    record Strings() implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new StringLists(store);
        }
    }

    /** Window functions over rows of so many columns, which are sorted by keys that divide them first. */
    record Windows(List<WindowRows.Function> functions, int partitionKeys, int columns) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new WindowRows(functions, partitionKeys, columns, store);
        }
    }

    /**
     * A constant regular expression. Each instance has its own, because of the states of a search.
     *
     * @param flags null if there are none
     */
    record Expression(String text, String flags) implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return RegularExpression.compile(text, flags);
        }
    }

    /** The last regular expression that a statement was given. */
    record LastExpression() implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new RegularExpression.Cache();
        }
    }

    /** The last regular expression by which a statement has replaced parts of strings. */
    record LastReplacement() implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new RegularReplacement.Cache();
        }
    }

    /** The last LIKE pattern that a statement was given. */
    record LastPattern() implements FieldContent {
        @Override
        public Object in(PartitionStore store) {
            return new LikePattern.Cache();
        }
    }
}
