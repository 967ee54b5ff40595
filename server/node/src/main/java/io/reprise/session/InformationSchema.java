package io.reprise.session;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Check;
import io.reprise.catalog.Column;
import io.reprise.catalog.ForeignKey;
import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tables of {@code information_schema}, made of a version of the engine's schema. */
final class InformationSchema {
    private final Catalog catalog;
    private final String database;
    private final Map<String, SystemTable> tables = new LinkedHashMap<>();

    private InformationSchema(Catalog catalog, String database) {
        this.catalog = catalog;
        this.database = database;
    }

    /** The tables by name. */
    static Map<String, SystemTable> of(Catalog catalog, String database) {
        InformationSchema schema = new InformationSchema(catalog, database);
        schema.make();
        return schema.tables;
    }

    private void make() {
        tables.put(
                "schemata",
                new SystemTable("catalog_name schema_name schema_owner")
                        .row(database, "public", "reprise")
                        .row(database, "pg_catalog", "reprise")
                        .row(database, "information_schema", "reprise"));
        catalog.schemas().forEach(schema -> tables.get("schemata").row(database, Names.turned(schema), "reprise"));
        SystemTable relations = new SystemTable("table_catalog table_schema table_name table_type is_insertable_into");
        SystemTable columns = new SystemTable("table_catalog table_schema table_name column_name ordinal_position#"
                + " column_default is_nullable data_type character_maximum_length# numeric_precision# numeric_scale#"
                + " udt_name udt_catalog udt_schema numeric_precision_radix# datetime_precision# character_octet_length#"
                + " is_identity identity_generation identity_start identity_increment is_generated"
                + " generation_expression is_updatable domain_name collation_name");
        SystemTable constraints = new SystemTable("constraint_catalog constraint_schema constraint_name table_catalog"
                + " table_schema table_name constraint_type is_deferrable initially_deferred");
        SystemTable keys = new SystemTable("constraint_catalog constraint_schema constraint_name table_catalog"
                + " table_schema table_name column_name ordinal_position# position_in_unique_constraint#");
        SystemTable references = new SystemTable("constraint_catalog constraint_schema constraint_name"
                + " unique_constraint_catalog unique_constraint_schema unique_constraint_name match_option update_rule"
                + " delete_rule");
        tables.put("referential_constraints", references);
        SystemTable checks = new SystemTable("constraint_catalog constraint_schema constraint_name check_clause");
        tables.put("check_constraints", checks);
        tables.put("sequences", SystemSequences.ofInformationSchema(catalog, database));
        for (Table table : catalog.tables().values()) {
            if (table.sequence().isPresent()) {
                continue;
            }
            String name = Names.simple(table.name());
            String schema = Names.schema(table.name());
            relations.row(database, schema, name, "BASE TABLE", "YES");
            for (Column column : table.columns()) {
                PgType type = PgType.of(column.type());
                boolean decimal = type.oid() == PgType.NUMERIC.oid();
                columns.row(
                        database,
                        schema,
                        name,
                        Names.turned(column.name()),
                        column.position() + 1,
                        SystemSequences.shownDefault(catalog, column).orElse(null),
                        column.nullable() ? "YES" : "NO",
                        column.type().isArray() ? "ARRAY" : type.name(),
                        type.oid() == PgType.VARCHAR.oid() ? column.type().precision() : null,
                        decimal ? column.type().precision() : null,
                        decimal ? column.type().decimals() : null,
                        udtName(type),
                        database,
                        "pg_catalog",
                        decimal ? 10 : null,
                        type.oid() == PgType.TIMESTAMP.oid() || type.oid() == PgType.TIME.oid() ? 6 : null,
                        null,
                        SystemSequences.identity(catalog, column).isEmpty() ? "NO" : "YES",
                        switch (SystemSequences.identity(catalog, column)) {
                            case "a" -> "ALWAYS";
                            case "d" -> "BY DEFAULT";
                            default -> null;
                        },
                        null,
                        null,
                        "NEVER",
                        null,
                        "YES",
                        null,
                        null);
            }
            makeForeignKeys(constraints, keys, references, table);
            for (Check check : table.checks()) {
                String constraint = Names.turned(check.name());
                constraints.row(database, schema, constraint, database, schema, name, "CHECK", "NO", "NO");
                checks.row(database, schema, constraint, check.condition());
            }
            for (Index index : table.indexes()) {
                if (index.unique()) {
                    String constraint = Names.simple(index.name());
                    constraints.row(
                            database,
                            schema,
                            constraint,
                            database,
                            schema,
                            name,
                            index.primaryKey() ? "PRIMARY KEY" : "UNIQUE",
                            "NO",
                            "NO");
                    for (int i = 0; i < index.columns().size(); i++) {
                        keys.row(
                                database,
                                schema,
                                constraint,
                                database,
                                schema,
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
                .forEach(view ->
                        relations.row(database, Names.schema(view.name()), Names.simple(view.name()), "VIEW", "NO"));
        makeViews();
        makeColumnUsage();
        tables.put(
                "routines",
                new SystemTable("specific_catalog specific_schema specific_name routine_catalog routine_schema"
                        + " routine_name routine_type data_type routine_definition external_language"));
        tables.put(
                "parameters",
                new SystemTable("specific_catalog specific_schema specific_name ordinal_position# parameter_mode"
                        + " parameter_name data_type"));
        tables.put(
                "triggers",
                new SystemTable("trigger_catalog trigger_schema trigger_name event_manipulation event_object_table"
                        + " action_statement action_timing"));
        tables.put("tables", relations);
        tables.put("columns", columns);
        tables.put("table_constraints", constraints);
        tables.put("key_column_usage", keys);
    }

    private void makeViews() {
        SystemTable views = new SystemTable(
                "table_catalog table_schema table_name view_definition check_option is_updatable is_insertable_into");
        catalog.views()
                .values()
                .forEach(view -> views.row(
                        database,
                        Names.schema(view.name()),
                        Names.simple(view.name()),
                        view.query(),
                        "NONE",
                        "NO",
                        "NO"));
        tables.put("views", views);
    }

    /** The columns that constraints name: those of keys, and of foreign keys the parent's. */
    private void makeColumnUsage() {
        SystemTable usage = new SystemTable("table_catalog table_schema table_name column_name constraint_catalog"
                + " constraint_schema constraint_name");
        for (Table table : catalog.tables().values()) {
            for (Index index : table.indexes()) {
                if (index.unique() && table.sequence().isEmpty()) {
                    index.columns()
                            .forEach(column -> usage(
                                    usage, table, table.columns().get(column).name(), index.name()));
                }
            }
            for (ForeignKey key : table.foreignKeys()) {
                Table parent = catalog.tables().get(key.parent());
                if (parent != null) {
                    key.parentColumns().forEach(column -> usage(usage, parent, column, key.name()));
                }
            }
        }
        tables.put("constraint_column_usage", usage);
    }

    private void usage(SystemTable usage, Table table, String column, String constraint) {
        String schema = Names.schema(table.name());
        usage.row(
                database,
                schema,
                Names.simple(table.name()),
                Names.turned(column),
                database,
                schema,
                Names.simple(constraint));
    }

    private void makeForeignKeys(SystemTable constraints, SystemTable keys, SystemTable references, Table table) {
        for (ForeignKey key : table.foreignKeys()) {
            String name = Names.turned(key.name());
            String tableName = Names.simple(table.name());
            String schema = Names.schema(table.name());
            Table parent = catalog.tables().get(key.parent());
            if (parent == null) {
                continue;
            }
            List<Integer> parentColumns = key.parentColumns().stream()
                    .map(column -> parent.column(column).orElseThrow().position())
                    .toList();
            Optional<Index> unique = SystemSchemas.uniqueIndex(parent, parentColumns);
            constraints.row(database, schema, name, database, schema, tableName, "FOREIGN KEY", "NO", "NO");
            references.row(
                    database,
                    schema,
                    name,
                    database,
                    Names.schema(parent.name()),
                    unique.map(index -> Names.simple(index.name())).orElse(null),
                    "NONE",
                    key.onUpdate().toString(),
                    key.onDelete().toString());
            for (int i = 0; i < key.columns().size(); i++) {
                int position = parentColumns.get(i);
                keys.row(
                        database,
                        schema,
                        name,
                        database,
                        schema,
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
