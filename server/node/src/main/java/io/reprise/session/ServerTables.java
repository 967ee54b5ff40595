package io.reprise.session;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Index;
import io.reprise.catalog.SearchPath;
import io.reprise.catalog.Table;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;

/** The tables of {@code pg_catalog} about the server, types, procedures and views; the others are in {@link SystemSchemas}. */
final class ServerTables {
    private final Catalog catalog;
    private final String database;
    private final String user;
    private final SortedMap<String, String> settings;
    private final Backends backends;
    private final Map<String, SystemTable> tables = new LinkedHashMap<>();

    private ServerTables(
            Catalog catalog, String database, String user, SortedMap<String, String> settings, Backends backends) {
        this.settings = settings;
        this.backends = backends;
        this.catalog = catalog;
        this.database = database;
        this.user = user;
    }

    /** The tables by name. */
    static Map<String, SystemTable> of(
            Catalog catalog, String database, String user, SortedMap<String, String> settings, Backends backends) {
        ServerTables server = new ServerTables(catalog, database, user, settings, backends);
        server.make();
        return server.tables;
    }

    private void make() {
        SystemTable types = new SystemTable("oid# typname typnamespace# typowner# typlen# typbyval? typtype typcategory"
                + " typispreferred? typisdefined? typdelim typrelid# typelem# typarray# typinput typoutput typnotnull?"
                + " typbasetype# typtypmod# typndims# typcollation# typdefault typreceive#");
        for (SystemTypes.Shown shown : SystemTypes.ALL) {
            types.row(
                    shown.type().oid(),
                    shown.name(),
                    SystemSchemas.PG_CATALOG,
                    SystemSchemas.OWNER,
                    shown.type().size(),
                    shown.type().size() > 0,
                    "b",
                    shown.category(),
                    false,
                    true,
                    ",",
                    0,
                    shown.element(),
                    shown.array(),
                    shown.element() == 0 ? shown.name() + "in" : "array_in",
                    shown.element() == 0 ? shown.name() + "out" : "array_out",
                    false,
                    0,
                    -1,
                    0,
                    0,
                    null,
                    0);
        }
        tables.put("pg_type", types);
        tables.put(
                "pg_am",
                new SystemTable("oid# amname amtype")
                        .row(2, "heap", "t")
                        .row(SystemSchemas.BTREE_METHOD, "btree", "i")
                        .row(SystemSchemas.HASH_METHOD, "hash", "i"));
        tables.put(
                "pg_database",
                new SystemTable("oid# datname datdba# encoding# datlocprovider datcollate datctype daticulocale"
                                + " daticurules datistemplate? datallowconn? datconnlimit# dattablespace# datacl")
                        .row(
                                5,
                                database,
                                SystemSchemas.OWNER,
                                6,
                                "c",
                                "C",
                                "C",
                                null,
                                null,
                                false,
                                true,
                                -1,
                                1663,
                                null));
        tables.put(
                "pg_roles",
                new SystemTable("oid# rolname rolsuper? rolinherit? rolcreaterole? rolcreatedb? rolcanlogin?"
                                + " rolreplication? rolbypassrls? rolconnlimit# rolvaliduntil")
                        .row(SystemSchemas.OWNER, user, true, true, true, true, true, false, true, -1, null));
        SystemTable shown = new SystemTable("name setting unit category short_desc context vartype source");
        settings.forEach((name, value) -> shown.row(name, value, null, "Session", null, "user", "string", "session"));
        tables.put("pg_settings", shown);
        tables.put("pg_user", new SystemTable("usename usesysid# usesuper?").row(user, SystemSchemas.OWNER, true));
        tables.put("pg_description", new SystemTable("objoid# classoid# objsubid# description"));
        tables.put("pg_shdescription", new SystemTable("objoid# classoid# description"));
        tables.put("pg_inherits", new SystemTable("inhrelid# inhparent# inhseqno# inhdetachpending?"));
        tables.put("pg_collation", new SystemTable("oid# collname collnamespace#"));
        tables.put(
                "pg_tablespace",
                new SystemTable("oid# spcname spcowner# spcacl spcoptions")
                        .row(1663, "pg_default", SystemSchemas.OWNER, null, null));
        tables.put("pg_extension", new SystemTable("oid# extname extversion extnamespace#"));
        tables.put("pg_enum", new SystemTable("oid# enumtypid# enumsortorder# enumlabel"));
        tables.put("pg_range", new SystemTable("rngtypid# rngsubtype#"));
        tables.put(
                "pg_depend", new SystemTable("classid# objid# objsubid# refclassid# refobjid# refobjsubid# deptype"));
        tables.put("pg_trigger", new SystemTable("oid# tgrelid# tgname tgisinternal?"));
        makeAbsent();
        makeActivity();
        makeViews();
        SystemTable procedures = new SystemTable(
                "oid# proname pronamespace# proowner# prokind proretset? prorettype# pronargs# proargtypes proargnames prosrc prolang#");
        int number = 1;
        for (String name : catalog.procedures().keySet()) {
            procedures.row(
                    number++,
                    Names.turned(name),
                    SystemSchemas.PUBLIC,
                    SystemSchemas.OWNER,
                    "p",
                    false,
                    0,
                    0,
                    "",
                    null,
                    name,
                    0);
        }
        tables.put("pg_proc", procedures);
        SystemTable relations = new SystemTable("schemaname tablename tableowner tablespace hasindexes?");
        catalog.tables()
                .values()
                .forEach(table -> relations.row(
                        Names.schema(table.name()),
                        Names.simple(table.name()),
                        user,
                        null,
                        !table.indexes().isEmpty()));
        tables.put("pg_tables", relations);
        SystemTable counts = new SystemTable("relid# schemaname relname seq_scan# idx_scan# n_tup_ins# n_tup_upd#"
                + " n_tup_del# n_live_tup# n_dead_tup# last_vacuum last_analyze");
        catalog.tables()
                .values()
                .forEach(table -> counts.row(
                        SystemSchemas.oid(table),
                        Names.schema(table.name()),
                        Names.simple(table.name()),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null));
        tables.put("pg_stat_user_tables", counts);
        tables.put("pg_stat_all_tables", counts);
    }

    /** Tables of things that no schema of this engine has. */
    private void makeAbsent() {
        tables.put("pg_language", new SystemTable("oid# lanname lanowner# lanispl? lanpltrusted?"));
        tables.put("pg_locks", new SystemTable("locktype database# relation# pid# mode granted?"));
        tables.put("pg_policy", new SystemTable("oid# polrelid# polname"));
        tables.put("pg_statistic_ext", new SystemTable("oid# stxrelid# stxname stxnamespace# stxowner#"));
        tables.put("pg_publication", new SystemTable("oid# pubname pubowner#"));
        tables.put("pg_rewrite", new SystemTable("oid# rulename ev_class# ev_type ev_enabled is_instead?"));
        tables.put("pg_event_trigger", new SystemTable("oid# evtname evtevent evtowner# evtenabled"));
        tables.put("pg_partitioned_table", new SystemTable("partrelid# partstrat partnatts# partattrs"));
        tables.put("pg_foreign_table", new SystemTable("ftrelid# ftserver# ftoptions"));
        tables.put("pg_auth_members", new SystemTable("roleid# member# grantor# admin_option?"));
        tables.put("pg_db_role_setting", new SystemTable("setdatabase# setrole# setconfig"));
    }

    private void makeActivity() {
        SystemTable activity = new SystemTable("datid# datname pid# usesysid# usename application_name client_addr"
                + " client_port# backend_start xact_start query_start state_change wait_event_type wait_event state query"
                + " backend_type");
        for (Backends.Backend each : backends.list()) {
            activity.row(
                    5,
                    database,
                    each.pid(),
                    SystemSchemas.OWNER,
                    each.user().isEmpty() ? null : each.user(),
                    null,
                    each.address(),
                    each.port(),
                    each.begin(),
                    null,
                    null,
                    null,
                    null,
                    null,
                    each.state(),
                    each.statement(),
                    "client backend");
        }
        tables.put("pg_stat_activity", activity);
    }

    private void makeViews() {
        SystemTable indexes = new SystemTable("schemaname tablename indexname tablespace indexdef");
        SystemDefinitions definitions = new SystemDefinitions(catalog, SearchPath.DEFAULT, name -> 0);
        for (Table table : catalog.tables().values()) {
            for (Index index : table.indexes()) {
                indexes.row(
                        Names.schema(table.name()),
                        Names.simple(table.name()),
                        Names.simple(index.name()),
                        null,
                        definitions.index(SystemSchemas.oid(table, index), 0));
            }
        }
        tables.put("pg_indexes", indexes);
        SystemTable views = new SystemTable("schemaname viewname viewowner definition");
        catalog.views()
                .values()
                .forEach(view ->
                        views.row(Names.schema(view.name()), Names.simple(view.name()), "reprise", view.query()));
        tables.put("pg_views", views);
    }
}
