package io.reprise.session;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.ForeignKey;
import io.reprise.catalog.Index;
import io.reprise.catalog.QualifiedName;
import io.reprise.catalog.SearchPath;
import io.reprise.catalog.Table;
import io.reprise.catalog.View;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The definitions of indexes and constraints as SQL, and the names of relations, by their numbers. Functions of the catalogue find them
 * through {@link #CURRENT} while a query runs. Immutable after construction.
 */
final class SystemDefinitions {
    /** The definitions for the query that the thread runs. */
    static final ScopedValue<SystemDefinitions> CURRENT = ScopedValue.newInstance();

    private final ToLongFunction<String> relationNumbers;
    private final Map<Long, String> relations = new HashMap<>();

    /** The relations that are found by their names alone. */
    private final Set<Long> visible = new HashSet<>();

    private final Catalog catalog;
    private final SearchPath path;
    private final Map<Long, String> views = new HashMap<>();
    private final Map<Long, String> indexes = new HashMap<>();
    private final Map<Long, List<String>> indexColumns = new HashMap<>();
    private final Map<Long, String> constraints = new HashMap<>();

    /**
     * The definitions of a schema.
     *
     * @param path the schemas in which names are looked up
     * @param relationNumbers the number of a relation by its name; 0: there is none
     */
    SystemDefinitions(Catalog catalog, SearchPath path, ToLongFunction<String> relationNumbers) {
        this.catalog = catalog;
        this.path = path;
        this.relationNumbers = relationNumbers;
        for (Table table : catalog.tables().values()) {
            relation(SystemSchemas.oid(table), table.name());
            for (Index index : table.indexes()) {
                define(table, index);
            }
            for (int i = 0; i < table.foreignKeys().size(); i++) {
                constraints.put(
                        SystemSchemas.foreignKeyOid(table, i),
                        definition(table, table.foreignKeys().get(i)));
            }
            for (int i = 0; i < table.checks().size(); i++) {
                constraints.put(
                        SystemSchemas.checkOid(table, i),
                        "CHECK (" + table.checks().get(i).condition() + ")");
            }
        }
        for (View view : catalog.views().values()) {
            long oid = SystemSchemas.viewOid(catalog, view.name());
            relation(oid, view.name());
            views.put(oid, " " + view.query() + ";");
        }
    }

    private void relation(long oid, String name) {
        String found = path.find(
                QualifiedName.simple(name),
                other -> catalog.hasRelation(other)
                        || catalog.tableOfIndex(other).isPresent());
        if (found.equals(name)) {
            visible.add(oid);
        }
        relations.put(oid, found.equals(name) ? quoted(QualifiedName.simple(name)) : qualified(name));
    }

    /** Whether a relation is found by its name alone. */
    boolean visible(long oid) {
        return visible.contains(oid) || !relations.containsKey(oid);
    }

    /** The number of a relation by its name; 0: there is none. */
    long number(String name) {
        return relationNumbers.applyAsLong(name);
    }

    private void define(Table table, Index index) {
        long oid = SystemSchemas.oid(table, index);
        List<String> columns = index.columns().stream()
                .map(column -> quoted(table.columns().get(column).name()))
                .toList();
        String list = "(" + String.join(", ", columns) + ")";
        relation(oid, index.name());
        indexColumns.put(oid, columns);
        indexes.put(
                oid,
                "CREATE " + (index.unique() ? "UNIQUE " : "") + "INDEX " + quoted(QualifiedName.simple(index.name()))
                        + " ON " + qualified(table.name()) + " USING " + SystemSchemas.method(index) + " " + list);
        if (index.unique()) {
            constraints.put(
                    SystemSchemas.constraintOid(table, index),
                    (index.primaryKey() ? "PRIMARY KEY " : "UNIQUE ") + list);
        }
    }

    private static String definition(Table table, ForeignKey key) {
        String columns = key.columns().stream()
                .map(column -> quoted(table.columns().get(column).name()))
                .collect(Collectors.joining(", "));
        String parents =
                key.parentColumns().stream().map(SystemDefinitions::quoted).collect(Collectors.joining(", "));
        return "FOREIGN KEY (" + columns + ") REFERENCES " + shown(key.parent()) + "(" + parents + ")"
                + action(" ON UPDATE ", key.onUpdate())
                + action(" ON DELETE ", key.onDelete());
    }

    private static String action(String when, ForeignKey.Action action) {
        return action == ForeignKey.Action.NO_ACTION ? "" : when + action;
    }

    /** A catalog's name with its schema. */
    static String qualified(String name) {
        return quoted(QualifiedName.schema(name)) + '.' + quoted(QualifiedName.simple(name));
    }

    /** A catalog's name, with its schema unless that is PUBLIC. */
    static String shown(String name) {
        return QualifiedName.schema(name).equals(QualifiedName.PUBLIC) ? quoted(name) : qualified(name);
    }

    /** A name as a client writes it. */
    static String quoted(String engineName) {
        String name = Names.turned(engineName);
        return name.matches("[a-z_][a-z0-9_$]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    /** The name of a relation; its number as text if there is none. */
    String relation(long oid) {
        return oid == 0 ? "-" : relations.getOrDefault(oid, Long.toString(oid));
    }

    /** The statement that makes an index, or the name of one of its columns, from 1; null: there is none. */
    String index(long oid, long column) {
        if (column == 0) {
            return indexes.get(oid);
        }
        List<String> columns = indexColumns.getOrDefault(oid, List.of());
        return column > 0 && column <= columns.size() ? columns.get((int) column - 1) : "";
    }

    /** The query of a view; null: there is none. */
    String view(long oid) {
        return views.get(oid);
    }

    /** The definition of a constraint; null: there is none. */
    String constraint(long oid) {
        return constraints.get(oid);
    }
}
