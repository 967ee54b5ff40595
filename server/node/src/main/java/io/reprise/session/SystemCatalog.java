package io.reprise.session;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.SearchPath;
import io.reprise.catalog.Table;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.Driver;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;

/**
 * The system catalogue at one version of the schema. Calcite plans and runs each query by itself; nothing is kept between queries.
 * Used by a session's thread.
 */
public final class SystemCatalog {
    private static final String[][] FUNCTIONS = {
        {"pg_matches", "matches"},
        {"pg_cancel_backend", "cancelBackend"},
        {"pg_terminate_backend", "endBackend"},
        {"pg_table_is_visible", "visible"},
        {"pg_type_is_visible", "visible"},
        {"pg_function_is_visible", "visible"},
        {"pg_relation_is_publishable", "visible"},
        {"has_schema_privilege", "permitted"},
        {"has_schema_privilege", "permittedTo"},
        {"has_table_privilege", "permitted"},
        {"has_table_privilege", "permittedTo"},
        {"has_database_privilege", "permitted"},
        {"has_database_privilege", "permittedTo"},
        {"has_any_column_privilege", "permitted"},
        {"has_any_column_privilege", "permittedTo"},
        {"pg_get_partkeydef", "noName"},
        {"pg_stat_get_numscans", "unknownSize"},
        {"pg_database_size", "unknownSizeByName"},
        {"pg_relation_oid", "relationNumber"},
        {"to_regclass", "relationNumber"},
        {"pg_contains", "contains"},
        {"format", "formatted"},
        {"format", "formattedPair"},
        {"pg_get_userbyid", "userName"},
        {"pg_encoding_to_char", "encoding"},
        {"format_type", "formatType"},
        {"pg_get_expr", "expression"},
        {"pg_get_expr", "prettyExpression"},
        {"pg_relation_name", "relationName"},
        {"pg_get_indexdef", "indexDefinition"},
        {"pg_get_indexdef", "indexColumn"},
        {"pg_get_constraintdef", "constraintDefinition"},
        {"pg_get_constraintdef", "prettyConstraintDefinition"},
        {"quote_ident", "quoteName"},
        {"pg_get_viewdef", "viewDefinition"},
        {"pg_get_viewdef", "prettyViewDefinition"},
        {"pg_get_function_result", "noText"},
        {"pg_get_function_arguments", "noText"},
        {"pg_get_function_identity_arguments", "noText"},
        {"pg_element", "element"},
        {"array_to_string", "arrayToString"},
        {"pg_table_size", "unknownSize"},
        {"pg_relation_size", "unknownSize"},
        {"pg_total_relation_size", "unknownSize"},
        {"pg_size_pretty", "prettySize"},
        {"pg_tablespace_location", "noText"},
        {"pg_bit_and", "bitAnd"},
        {"obj_description", "noComment"},
        {"obj_description", "noName"},
        {"shobj_description", "noComment"},
        {"col_description", "noColumnComment"}
    };

    private final Catalog catalog;
    private final Backends backends;
    private final SearchPath path;
    private final SystemSchemas schemas;
    private final SystemDefinitions definitions;

    /**
     * The catalogue of a version of the schema.
     *
     * @param backends the sessions that its user reaches
     */
    public SystemCatalog(
            Catalog catalog, String database, String user, SortedMap<String, String> settings, Backends backends) {
        this.catalog = catalog;
        this.backends = backends;
        path = RelationName.path(settings.getOrDefault("search_path", ""));
        schemas = new SystemSchemas(catalog, database, user, settings, backends);
        definitions = new SystemDefinitions(catalog, path, this::relationOid);
    }

    /** The number of a relation by the client's name; 0: there is none. */
    public long relationOid(String name) {
        if (name.matches("[0-9]{1,18}")) {
            return Long.parseLong(name);
        }
        RelationName written = RelationName.of(name);
        String found = written.found(path, relation -> find(relation) != 0);
        return find(found);
    }

    private long find(String relation) {
        Table table = catalog.tables().get(relation);
        if (table != null) {
            return SystemSchemas.oid(table);
        } else if (catalog.views().containsKey(relation)) {
            return SystemSchemas.viewOid(catalog, relation);
        }
        return catalog.tableOfIndex(relation)
                .map(owner -> SystemSchemas.oid(owner, owner.index(relation).orElseThrow()))
                .orElse(0L);
    }

    /**
     * The result of a query.
     *
     * @param columns its columns
     * @param rows its rows
     */
    public record Found(List<ResultColumn> columns, List<Object[]> rows) {}

    /** Runs a query in Calcite's SQL. */
    public Found run(String sql) {
        return ScopedValue.where(SystemDefinitions.CURRENT, definitions)
                .where(SystemFunctions.BACKENDS, backends)
                .call(() -> found(sql));
    }

    private Found found(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            List<ResultColumn> columns = columns(found.getMetaData());
            List<Object[]> rows = new ArrayList<>();
            while (found.next()) {
                Object[] row = new Object[columns.size()];
                for (int i = 0; i < row.length; i++) {
                    row[i] = found.getObject(i + 1);
                }
                rows.add(row);
            }
            return new Found(columns, rows);
        } catch (SQLException | RuntimeException | LinkageError e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            if (cause instanceof SessionException told) {
                throw told;
            }
            throw new SessionException(
                    "0A000",
                    "this query of the system catalogue is not supported: "
                            + String.valueOf(cause.getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse(""));
        }
    }

    private Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.put("caseSensitive", "true");
        properties.put("unquotedCasing", "TO_LOWER");
        properties.put("quotedCasing", "UNCHANGED");
        properties.put("quoting", "DOUBLE_QUOTE");
        properties.put("conformance", "BABEL");
        properties.put("fun", "standard,postgresql");
        CalciteConnection connection =
                new Driver().connect("jdbc:calcite:", properties).unwrap(CalciteConnection.class);
        SchemaPlus root = connection.getRootSchema();
        SchemaPlus main = root.add("pg_catalog", schema(schemas.pgCatalog()));
        root.add("information_schema", schema(schemas.informationSchema()));
        for (String[] function : FUNCTIONS) {
            main.add(function[0], ScalarFunctionImpl.create(method(function[1])));
        }
        connection.setSchema("pg_catalog");
        return connection;
    }

    private static Schema schema(Map<String, SystemTable> tables) {
        Map<String, org.apache.calcite.schema.Table> copy = new LinkedHashMap<>(tables);
        return new AbstractSchema() {
            @Override
            protected Map<String, org.apache.calcite.schema.Table> getTableMap() {
                return copy;
            }
        };
    }

    private static Method method(String name) {
        for (Method method : SystemFunctions.class.getMethods()) {
            if (method.getName().equals(name)) {
                return method;
            }
        }
        throw new IllegalStateException("there is no function " + name);
    }

    private static List<ResultColumn> columns(ResultSetMetaData data) throws SQLException {
        List<ResultColumn> columns = new ArrayList<>();
        for (int i = 1; i <= data.getColumnCount(); i++) {
            String label = data.getColumnLabel(i);
            PgType type =
                    switch (data.getColumnTypeName(i).toUpperCase(Locale.ROOT).split("[( ]")[0]) {
                        case "BIGINT" -> PgType.INT8;
                        case "INTEGER" -> PgType.INT4;
                        case "SMALLINT", "TINYINT" -> PgType.INT2;
                        case "BOOLEAN" -> PgType.BOOL;
                        case "DOUBLE", "FLOAT" -> PgType.FLOAT8;
                        default -> PgType.TEXT;
                    };
            columns.add(new ResultColumn(label.matches("(?i)expr\\$\\d+") ? "?column?" : label, type));
        }
        return columns;
    }
}
