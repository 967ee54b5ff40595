package io.reprise.session;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Check;
import io.reprise.catalog.Column;
import io.reprise.catalog.ForeignKey;
import io.reprise.catalog.Index;
import io.reprise.catalog.QualifiedName;
import io.reprise.catalog.Table;
import io.reprise.catalog.View;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** The tables of {@code pg_catalog} and {@code information_schema}, made of a version of the engine's schema. */
final class SystemSchemas {
    static final int PG_CATALOG = 11;
    static final int PUBLIC = 2200;
    static final int INFORMATION_SCHEMA = 13_000;
    static final int OWNER = 10;
    private static final int FIRST_OID = 16_384;

    /** Numbers of a table: its own, then those of its indexes, constraints and defaults. */
    private static final int OIDS_PER_TABLE = 4096;

    private static final int FIRST_INDEX = 1;
    private static final int FIRST_CONSTRAINT = 1024;
    private static final int FIRST_FOREIGN_KEY = 1536;
    private static final int FIRST_CHECK = 1792;
    private static final int FIRST_DEFAULT = 2048;
    private static final long FIRST_VIEW = 4_000_000_000L;

    /** Schemas have no ids in the engine either. */
    private static final int FIRST_SCHEMA = 14_000;

    static final int HASH_METHOD = 405;
    static final int BTREE_METHOD = 403;

    private final Map<String, SystemTable> pgCatalog = new LinkedHashMap<>();
    private final Map<String, SystemTable> informationSchema;
    private final Catalog catalog;

    SystemSchemas(
            Catalog catalog, String database, String user, SortedMap<String, String> settings, Backends backends) {
        this.catalog = catalog;
        makeRelations();
        makeColumns();
        makeIndexes();
        pgCatalog.putAll(ServerTables.of(catalog, database, user, settings, backends));
        informationSchema = InformationSchema.of(catalog, database);
    }

    Map<String, SystemTable> pgCatalog() {
        return pgCatalog;
    }

    Map<String, SystemTable> informationSchema() {
        return informationSchema;
    }

    static long oid(Table table) {
        return FIRST_OID + (long) table.id() * OIDS_PER_TABLE;
    }

    static long constraintOid(Table table, Index index) {
        return oid(table) + FIRST_CONSTRAINT + index.position();
    }

    static long foreignKeyOid(Table table, int number) {
        return oid(table) + FIRST_FOREIGN_KEY + number;
    }

    static long checkOid(Table table, int number) {
        return oid(table) + FIRST_CHECK + number;
    }

    /** Views have no ids in the engine; their numbers follow from their places by name, behind all tables. */
    static long viewOid(Catalog catalog, String name) {
        return FIRST_VIEW + List.copyOf(catalog.views().keySet()).indexOf(name);
    }

    /** The number of the schema of a table, view or index. */
    private long namespace(String qualified) {
        String schema = QualifiedName.schema(qualified);
        return schema.equals(QualifiedName.PUBLIC)
                ? PUBLIC
                : FIRST_SCHEMA + List.copyOf(catalog.schemas()).indexOf(schema);
    }

    static String method(Index index) {
        return index.kind() == Index.Kind.HASH ? "hash" : "btree";
    }

    static long oid(Table table, Index index) {
        return oid(table) + FIRST_INDEX + index.position();
    }

    private void makeRelations() {
        pgCatalog.put(
                "pg_namespace",
                new SystemTable("oid# nspname nspowner# nspacl")
                        .row(PG_CATALOG, "pg_catalog", OWNER, null)
                        .row(PUBLIC, "public", OWNER, null)
                        .row(INFORMATION_SCHEMA, "information_schema", OWNER, null));
        catalog.schemas()
                .forEach(schema ->
                        pgCatalog.get("pg_namespace").row(namespace(schema + '.'), Names.turned(schema), OWNER, null));
        SystemTable relations = new SystemTable("oid# relname relnamespace# reltype# reloftype# relowner# relam#"
                + " relfilenode# reltablespace# relpages# reltuples# relallvisible# reltoastrelid# relhasindex? relisshared?"
                + " relpersistence relkind relnatts# relchecks# relhasrules? relhastriggers? relhassubclass?"
                + " relrowsecurity? relforcerowsecurity? relispopulated? relreplident relispartition? relacl reloptions"
                + " relpartbound");
        for (Table table : catalog.tables().values()) {
            relation(
                    relations,
                    oid(table),
                    table.name(),
                    table.sequence().isPresent() ? "S" : "r",
                    2,
                    table.columns().size(),
                    table.checks().size(),
                    !table.indexes().isEmpty(),
                    !table.foreignKeys().isEmpty() || isParent(table));
            for (Index index : SystemSequences.indexes(table)) {
                relation(
                        relations,
                        oid(table, index),
                        index.name(),
                        "i",
                        index.kind() == Index.Kind.HASH ? HASH_METHOD : BTREE_METHOD,
                        index.columns().size(),
                        0,
                        false,
                        false);
            }
        }
        for (View view : catalog.views().values()) {
            relation(
                    relations,
                    viewOid(catalog, view.name()),
                    view.name(),
                    "v",
                    0,
                    view.columns().size(),
                    0,
                    false,
                    false);
        }
        pgCatalog.put("pg_class", relations);
        pgCatalog.put("pg_sequence", SystemSequences.properties(catalog));
        pgCatalog.put("pg_sequences", SystemSequences.listed(catalog));
    }

    private boolean isParent(Table table) {
        return catalog.tables().values().stream()
                .flatMap(other -> other.foreignKeys().stream())
                .anyMatch(key -> key.parent().equals(table.name()));
    }

    private void relation(
            SystemTable relations,
            long oid,
            String name,
            String kind,
            int method,
            int columns,
            int checks,
            boolean hasIndex,
            boolean hasTriggers) {
        relations.row(
                oid,
                Names.simple(name),
                namespace(name),
                0,
                0,
                OWNER,
                method,
                oid,
                0,
                0,
                -1,
                0,
                0,
                hasIndex,
                false,
                "p",
                kind,
                columns,
                checks,
                false,
                hasTriggers,
                false,
                false,
                false,
                true,
                "d",
                false,
                null,
                null,
                null);
    }

    private void makeColumns() {
        SystemTable columns = new SystemTable(
                "attrelid# attname atttypid# attstattarget# attlen# attnum# attndims#"
                        + " atttypmod# attbyval? attstorage attalign attnotnull? atthasdef? atthasmissing? attidentity attgenerated"
                        + " attisdropped? attislocal? attinhcount# attcollation# attcompression attacl attoptions attfdwoptions");
        SystemTable defaults = new SystemTable("oid# adrelid# adnum# adbin");
        for (Table table : catalog.tables().values()) {
            for (Column column : table.columns()) {
                attribute(
                        columns,
                        oid(table),
                        column,
                        column.position() + 1,
                        SystemSequences.shownDefault(catalog, column).isPresent(),
                        SystemSequences.identity(catalog, column));
                SystemSequences.shownDefault(catalog, column)
                        .ifPresent(value -> defaults.row(
                                oid(table) + FIRST_DEFAULT + column.position(),
                                oid(table),
                                column.position() + 1,
                                value));
            }
            for (Index index : table.indexes()) {
                for (int i = 0; i < index.columns().size(); i++) {
                    attribute(
                            columns,
                            oid(table, index),
                            table.columns().get(index.columns().get(i)),
                            i + 1,
                            false,
                            "");
                }
            }
        }
        pgCatalog.put("pg_attribute", columns);
        pgCatalog.put("pg_attrdef", defaults);
    }

    private static void attribute(
            SystemTable columns, long relation, Column column, int number, boolean hasDefault, String identity) {
        PgType type = PgType.of(column.type());
        columns.row(
                relation,
                Names.turned(column.name()),
                type.oid(),
                -1,
                type.size(),
                number,
                0,
                type.modifier(),
                type.size() > 0,
                "p",
                "i",
                !column.nullable(),
                hasDefault,
                false,
                identity,
                "",
                false,
                true,
                0,
                0,
                "",
                null,
                null,
                null);
    }

    private void makeIndexes() {
        SystemTable indexes = new SystemTable("indexrelid# indrelid# indnatts# indnkeyatts# indisunique? indisprimary?"
                + " indisexclusion? indimmediate? indisclustered? indisvalid? indcheckxmin? indisready? indislive?"
                + " indisreplident? indnullsnotdistinct? indkey indoption indexprs indpred indclass indcollation");
        SystemTable constraints = new SystemTable("oid# conname connamespace# contype condeferrable? condeferred?"
                + " convalidated? conrelid# contypid# conindid# conparentid# confrelid# confupdtype confdeltype"
                + " confmatchtype conislocal? coninhcount# connoinherit? conkey confkey");
        for (Table table : catalog.tables().values()) {
            for (Index index : SystemSequences.indexes(table)) {
                String key = index.columns().stream()
                        .map(column -> Integer.toString(column + 1))
                        .collect(Collectors.joining(" "));
                indexes.row(
                        oid(table, index),
                        oid(table),
                        index.columns().size(),
                        index.columns().size(),
                        index.unique(),
                        index.primaryKey(),
                        false,
                        true,
                        false,
                        true,
                        false,
                        true,
                        true,
                        false,
                        false,
                        key,
                        key.replaceAll("[0-9]+", "0"),
                        null,
                        null,
                        key.replaceAll("[0-9]+", "0"),
                        key.replaceAll("[0-9]+", "0"));
                if (index.unique()) {
                    constraints.row(
                            constraintOid(table, index),
                            Names.simple(index.name()),
                            namespace(index.name()),
                            index.primaryKey() ? "p" : "u",
                            false,
                            false,
                            true,
                            oid(table),
                            0,
                            oid(table, index),
                            0,
                            0,
                            " ",
                            " ",
                            " ",
                            true,
                            0,
                            true,
                            "{" + key.replace(' ', ',') + "}",
                            null);
                }
            }
            makeForeignKeys(constraints, table);
            makeChecks(constraints, table);
        }
        pgCatalog.put("pg_index", indexes);
        pgCatalog.put("pg_index_keys", indexes.expanded("indkey"));
        pgCatalog.put("pg_constraint", constraints);
        pgCatalog.put("pg_constraint_keys", constraints.expanded("conkey"));
    }

    private void makeChecks(SystemTable constraints, Table table) {
        for (int i = 0; i < table.checks().size(); i++) {
            Check check = table.checks().get(i);
            List<Integer> columns = table.columns().stream()
                    .filter(column -> check.mayName(column.name()))
                    .map(Column::position)
                    .toList();
            constraints.row(
                    checkOid(table, i),
                    Names.turned(check.name()),
                    namespace(table.name()),
                    "c",
                    false,
                    false,
                    true,
                    oid(table),
                    0,
                    0,
                    0,
                    0,
                    " ",
                    " ",
                    " ",
                    true,
                    0,
                    true,
                    array(columns),
                    null);
        }
    }

    private void makeForeignKeys(SystemTable constraints, Table table) {
        for (int i = 0; i < table.foreignKeys().size(); i++) {
            ForeignKey key = table.foreignKeys().get(i);
            Table parent = catalog.tables().get(key.parent());
            if (parent == null) {
                continue;
            }
            List<Integer> parentColumns = key.parentColumns().stream()
                    .map(name -> parent.column(name).orElseThrow().position())
                    .toList();
            constraints.row(
                    foreignKeyOid(table, i),
                    Names.turned(key.name()),
                    namespace(table.name()),
                    "f",
                    false,
                    false,
                    false,
                    oid(table),
                    0,
                    uniqueIndex(parent, parentColumns)
                            .map(index -> oid(parent, index))
                            .orElse(0L),
                    0,
                    oid(parent),
                    action(key.onUpdate()),
                    action(key.onDelete()),
                    "s",
                    true,
                    0,
                    true,
                    array(key.columns()),
                    array(parentColumns));
        }
    }

    /** The unique index over just these columns, in any order. */
    static Optional<Index> uniqueIndex(Table parent, List<Integer> columns) {
        return parent.indexes().stream()
                .filter(index -> index.unique()
                        && index.columns().size() == columns.size()
                        && columns.containsAll(index.columns()))
                .findFirst();
    }

    private static String array(List<Integer> columns) {
        return columns.stream().map(column -> Integer.toString(column + 1)).collect(Collectors.joining(",", "{", "}"));
    }

    private static String action(ForeignKey.Action action) {
        return switch (action) {
            case NO_ACTION -> "a";
            case RESTRICT -> "r";
            case CASCADE -> "c";
            case SET_NULL -> "n";
            case SET_DEFAULT -> "d";
        };
    }
}
