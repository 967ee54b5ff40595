package io.reprise.session;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.ForeignKey;
import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.catalog.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final int FIRST_DEFAULT = 2048;
    private static final long FIRST_VIEW = 4_000_000_000L;
    private static final int HASH_METHOD = 405;
    private static final int BTREE_METHOD = 403;

    private final Map<String, SystemTable> pgCatalog = new LinkedHashMap<>();
    private final Map<String, SystemTable> informationSchema = new LinkedHashMap<>();
    private final Catalog catalog;
    private final String database;

    SystemSchemas(Catalog catalog, String database, String user) {
        this.catalog = catalog;
        this.database = database;
        makeRelations();
        makeColumns();
        makeIndexes();
        makeOthers(user);
        makeInformationSchema();
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

    /** Views have no ids in the engine; their numbers follow from their places by name, behind all tables. */
    static long viewOid(Catalog catalog, String name) {
        return FIRST_VIEW + List.copyOf(catalog.views().keySet()).indexOf(name);
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
        SystemTable relations = new SystemTable("oid# relname relnamespace# reltype# reloftype# relowner# relam#"
                + " relfilenode# reltablespace# relpages# reltuples# relallvisible# reltoastrelid# relhasindex? relisshared?"
                + " relpersistence relkind relnatts# relchecks# relhasrules? relhastriggers? relhassubclass?"
                + " relrowsecurity? relforcerowsecurity? relispopulated? relreplident relispartition? relacl reloptions"
                + " relpartbound");
        for (Table table : catalog.tables().values()) {
            relation(
                    relations,
                    oid(table),
                    Names.turned(table.name()),
                    "r",
                    2,
                    table.columns().size(),
                    !table.indexes().isEmpty(),
                    !table.foreignKeys().isEmpty() || isParent(table));
            for (Index index : table.indexes()) {
                relation(
                        relations,
                        oid(table, index),
                        Names.turned(index.name()),
                        "i",
                        index.kind() == Index.Kind.HASH ? HASH_METHOD : BTREE_METHOD,
                        index.columns().size(),
                        false,
                        false);
            }
        }
        for (View view : catalog.views().values()) {
            relation(
                    relations,
                    viewOid(catalog, view.name()),
                    Names.turned(view.name()),
                    "v",
                    0,
                    view.columns().size(),
                    false,
                    false);
        }
        pgCatalog.put("pg_class", relations);
    }

    private boolean isParent(Table table) {
        return catalog.tables().values().stream()
                .flatMap(other -> other.foreignKeys().stream())
                .anyMatch(key -> key.parent().equals(table.name()));
    }

    private static void relation(
            SystemTable relations,
            long oid,
            String name,
            String kind,
            int method,
            int columns,
            boolean hasIndex,
            boolean hasTriggers) {
        relations.row(
                oid,
                name,
                PUBLIC,
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
                0,
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
                attribute(columns, oid(table), column, column.position() + 1);
                column.defaultValue()
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
                            i + 1);
                }
            }
        }
        pgCatalog.put("pg_attribute", columns);
        pgCatalog.put("pg_attrdef", defaults);
    }

    private static void attribute(SystemTable columns, long relation, Column column, int number) {
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
                column.defaultValue().isPresent(),
                false,
                "",
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
            for (Index index : table.indexes()) {
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
                            Names.turned(index.name()),
                            PUBLIC,
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
        }
        pgCatalog.put("pg_index", indexes);
        pgCatalog.put("pg_index_keys", indexes.expanded("indkey"));
        pgCatalog.put("pg_constraint", constraints);
        pgCatalog.put("pg_constraint_keys", constraints.expanded("conkey"));
    }

    /** Tables of things that do not exist here. */
    private void makeEmpty() {
        pgCatalog.put("pg_policy", new SystemTable("oid# polrelid# polname"));
        pgCatalog.put("pg_statistic_ext", new SystemTable("oid# stxrelid# stxname stxnamespace# stxowner#"));
        pgCatalog.put("pg_publication", new SystemTable("oid# pubname pubowner#"));
        pgCatalog.put("pg_rewrite", new SystemTable("oid# rulename ev_class# ev_type ev_enabled is_instead?"));
        pgCatalog.put("pg_event_trigger", new SystemTable("oid# evtname evtevent evtowner# evtenabled"));
        pgCatalog.put("pg_partitioned_table", new SystemTable("partrelid# partstrat partnatts# partattrs"));
        pgCatalog.put("pg_foreign_table", new SystemTable("ftrelid# ftserver# ftoptions"));
        pgCatalog.put("pg_auth_members", new SystemTable("roleid# member# grantor# admin_option?"));
        pgCatalog.put("pg_db_role_setting", new SystemTable("setdatabase# setrole# setconfig"));
        SystemTable indexes = new SystemTable("schemaname tablename indexname tablespace indexdef");
        SystemDefinitions definitions = new SystemDefinitions(catalog);
        for (Table table : catalog.tables().values()) {
            for (Index index : table.indexes()) {
                indexes.row(
                        "public",
                        Names.turned(table.name()),
                        Names.turned(index.name()),
                        null,
                        definitions.index(oid(table, index), 0));
            }
        }
        pgCatalog.put("pg_indexes", indexes);
        SystemTable views = new SystemTable("schemaname viewname viewowner definition");
        catalog.views()
                .values()
                .forEach(view -> views.row("public", Names.turned(view.name()), "reprise", view.query()));
        pgCatalog.put("pg_views", views);
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
                    PUBLIC,
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

    private static Optional<Index> uniqueIndex(Table parent, List<Integer> columns) {
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

    private void makeOthers(String user) {
        SystemTable types = new SystemTable("oid# typname typnamespace# typowner# typlen# typbyval? typtype typcategory"
                + " typispreferred? typisdefined? typdelim typrelid# typelem# typarray# typinput typoutput typnotnull?"
                + " typbasetype# typtypmod# typndims# typcollation# typdefault");
        for (SystemTypes.Shown shown : SystemTypes.ALL) {
            types.row(
                    shown.type().oid(),
                    shown.name(),
                    PG_CATALOG,
                    OWNER,
                    shown.type().size(),
                    shown.type().size() > 0,
                    "b",
                    shown.category(),
                    false,
                    true,
                    ",",
                    0,
                    0,
                    shown.array(),
                    shown.name() + "in",
                    shown.name() + "out",
                    false,
                    0,
                    -1,
                    0,
                    0,
                    null);
        }
        pgCatalog.put("pg_type", types);
        pgCatalog.put(
                "pg_am",
                new SystemTable("oid# amname amtype")
                        .row(2, "heap", "t")
                        .row(BTREE_METHOD, "btree", "i")
                        .row(HASH_METHOD, "hash", "i"));
        pgCatalog.put(
                "pg_database",
                new SystemTable("oid# datname datdba# encoding# datlocprovider datcollate datctype daticulocale"
                                + " daticurules datistemplate? datallowconn? datconnlimit# dattablespace# datacl")
                        .row(5, database, OWNER, 6, "c", "C", "C", null, null, false, true, -1, 1663, null));
        pgCatalog.put(
                "pg_roles",
                new SystemTable("oid# rolname rolsuper? rolinherit? rolcreaterole? rolcreatedb? rolcanlogin?"
                                + " rolreplication? rolbypassrls? rolconnlimit# rolvaliduntil")
                        .row(OWNER, user, true, true, true, true, true, false, true, -1, null));
        pgCatalog.put(
                "pg_settings",
                new SystemTable("name setting unit category")
                        .row("max_index_keys", "32", null, "Preset Options")
                        .row("server_version", "16.0", null, "Preset Options")
                        .row("default_transaction_isolation", "serializable", null, "Client Connection Defaults"));
        pgCatalog.put("pg_user", new SystemTable("usename usesysid# usesuper?").row(user, OWNER, true));
        pgCatalog.put("pg_description", new SystemTable("objoid# classoid# objsubid# description"));
        pgCatalog.put("pg_shdescription", new SystemTable("objoid# classoid# description"));
        pgCatalog.put("pg_inherits", new SystemTable("inhrelid# inhparent# inhseqno# inhdetachpending?"));
        pgCatalog.put("pg_collation", new SystemTable("oid# collname collnamespace#"));
        pgCatalog.put(
                "pg_tablespace",
                new SystemTable("oid# spcname spcowner# spcacl spcoptions").row(1663, "pg_default", OWNER, null, null));
        pgCatalog.put("pg_extension", new SystemTable("oid# extname extversion extnamespace#"));
        pgCatalog.put("pg_enum", new SystemTable("oid# enumtypid# enumsortorder# enumlabel"));
        pgCatalog.put("pg_range", new SystemTable("rngtypid# rngsubtype#"));
        pgCatalog.put("pg_sequence", new SystemTable("seqrelid# seqtypid# seqstart# seqincrement#"));
        pgCatalog.put(
                "pg_depend", new SystemTable("classid# objid# objsubid# refclassid# refobjid# refobjsubid# deptype"));
        pgCatalog.put("pg_trigger", new SystemTable("oid# tgrelid# tgname tgisinternal?"));
        makeEmpty();
        SystemTable procedures = new SystemTable(
                "oid# proname pronamespace# proowner# prokind proretset? prorettype# pronargs# proargtypes proargnames prosrc");
        int number = 1;
        for (String name : catalog.procedures().keySet()) {
            procedures.row(number++, Names.turned(name), PUBLIC, OWNER, "p", false, 0, 0, "", null, name);
        }
        pgCatalog.put("pg_proc", procedures);
        SystemTable tables = new SystemTable("schemaname tablename tableowner tablespace hasindexes?");
        catalog.tables()
                .values()
                .forEach(table -> tables.row(
                        "public",
                        Names.turned(table.name()),
                        user,
                        null,
                        !table.indexes().isEmpty()));
        pgCatalog.put("pg_tables", tables);
    }

    private void makeInformationSchema() {
        informationSchema.put(
                "schemata",
                new SystemTable("catalog_name schema_name schema_owner")
                        .row(database, "public", "reprise")
                        .row(database, "pg_catalog", "reprise")
                        .row(database, "information_schema", "reprise"));
        SystemTable tables = new SystemTable("table_catalog table_schema table_name table_type is_insertable_into");
        SystemTable columns = new SystemTable("table_catalog table_schema table_name column_name ordinal_position#"
                + " column_default is_nullable data_type character_maximum_length# numeric_precision# numeric_scale#"
                + " udt_name");
        SystemTable constraints = new SystemTable("constraint_catalog constraint_schema constraint_name table_catalog"
                + " table_schema table_name constraint_type is_deferrable initially_deferred");
        SystemTable keys = new SystemTable("constraint_catalog constraint_schema constraint_name table_catalog"
                + " table_schema table_name column_name ordinal_position# position_in_unique_constraint#");
        SystemTable references = new SystemTable("constraint_catalog constraint_schema constraint_name"
                + " unique_constraint_catalog unique_constraint_schema unique_constraint_name match_option update_rule"
                + " delete_rule");
        informationSchema.put("referential_constraints", references);
        for (Table table : catalog.tables().values()) {
            String name = Names.turned(table.name());
            tables.row(database, "public", name, "BASE TABLE", "YES");
            for (Column column : table.columns()) {
                PgType type = PgType.of(column.type());
                boolean decimal = type.oid() == PgType.NUMERIC.oid();
                columns.row(
                        database,
                        "public",
                        name,
                        Names.turned(column.name()),
                        column.position() + 1,
                        column.defaultValue().orElse(null),
                        column.nullable() ? "YES" : "NO",
                        type.name(),
                        type.oid() == PgType.VARCHAR.oid() ? column.type().precision() : null,
                        decimal ? column.type().precision() : null,
                        decimal ? column.type().scale() : null,
                        udtName(type));
            }
            makeForeignKeys(constraints, keys, references, table);
            for (Index index : table.indexes()) {
                if (index.unique()) {
                    String constraint = Names.turned(index.name());
                    constraints.row(
                            database,
                            "public",
                            constraint,
                            database,
                            "public",
                            name,
                            index.primaryKey() ? "PRIMARY KEY" : "UNIQUE",
                            "NO",
                            "NO");
                    for (int i = 0; i < index.columns().size(); i++) {
                        keys.row(
                                database,
                                "public",
                                constraint,
                                database,
                                "public",
                                name,
                                Names.turned(table.columns()
                                        .get(index.columns().get(i))
                                        .name()),
                                i + 1,
                                null);
                    }
                }
            }
        }
        catalog.views()
                .values()
                .forEach(view -> tables.row(database, "public", Names.turned(view.name()), "VIEW", "NO"));
        informationSchema.put("tables", tables);
        informationSchema.put("columns", columns);
        informationSchema.put("table_constraints", constraints);
        informationSchema.put("key_column_usage", keys);
    }

    private void makeForeignKeys(SystemTable constraints, SystemTable keys, SystemTable references, Table table) {
        for (ForeignKey key : table.foreignKeys()) {
            String name = Names.turned(key.name());
            String tableName = Names.turned(table.name());
            Table parent = catalog.tables().get(key.parent());
            if (parent == null) {
                continue;
            }
            List<Integer> parentColumns = key.parentColumns().stream()
                    .map(column -> parent.column(column).orElseThrow().position())
                    .toList();
            Optional<Index> unique = uniqueIndex(parent, parentColumns);
            constraints.row(database, "public", name, database, "public", tableName, "FOREIGN KEY", "NO", "NO");
            references.row(
                    database,
                    "public",
                    name,
                    database,
                    "public",
                    unique.map(index -> Names.turned(index.name())).orElse(null),
                    "NONE",
                    key.onUpdate().toString(),
                    key.onDelete().toString());
            for (int i = 0; i < key.columns().size(); i++) {
                int position = parentColumns.get(i);
                keys.row(
                        database,
                        "public",
                        name,
                        database,
                        "public",
                        tableName,
                        Names.turned(table.columns().get(key.columns().get(i)).name()),
                        i + 1,
                        unique.map(index -> index.columns().indexOf(position) + 1)
                                .orElse(null));
            }
        }
    }

    private static String udtName(PgType type) {
        List<String> found = new ArrayList<>();
        for (SystemTypes.Shown shown : SystemTypes.ALL) {
            if (shown.type().oid() == type.oid()) {
                found.add(shown.name());
            }
        }
        return found.isEmpty() ? type.name() : found.getFirst();
    }
}
