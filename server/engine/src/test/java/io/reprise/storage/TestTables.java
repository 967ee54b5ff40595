package io.reprise.storage;

import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Builds table definitions for tests. */
public final class TestTables {
    private final int id;
    private final String name;
    private final List<Column> columns = new ArrayList<>();
    private final List<Index> indexes = new ArrayList<>();

    private TestTables(int id, String name) {
        this.id = id;
        this.name = name;
    }

    public static TestTables table(int id, String name) {
        return new TestTables(id, name);
    }

    public TestTables column(String columnName, SqlType type, boolean nullable) {
        columns.add(new Column(columnName, columns.size(), type, nullable, Optional.empty()));
        return this;
    }

    public TestTables primaryKey(Index.Kind kind, Integer... keyColumns) {
        indexes.add(new Index("PK_" + name, indexes.size(), Arrays.asList(keyColumns), true, kind, true));
        return this;
    }

    public TestTables index(String indexName, Index.Kind kind, boolean unique, Integer... keyColumns) {
        indexes.add(new Index(indexName, indexes.size(), Arrays.asList(keyColumns), unique, kind, false));
        return this;
    }

    public Table build() {
        return new Table(id, name, List.copyOf(columns), List.copyOf(indexes), OptionalInt.of(0));
    }
}
