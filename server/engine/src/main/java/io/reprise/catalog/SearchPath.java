package io.reprise.catalog;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The schemas in which a statement looks up names that are written without a schema, in order. Schemas that don't exist are passed over. */
public record SearchPath(List<String> schemas) {
    /** The path of statements that have none: PUBLIC alone. */
    public static final SearchPath DEFAULT = new SearchPath(List.of(QualifiedName.PUBLIC));

    /** Keeps a copy. At least one schema is needed. */
    public SearchPath {
        schemas = List.copyOf(schemas);
    }

    /** Whether it is PUBLIC alone. */
    public boolean isDefault() {
        return equals(DEFAULT);
    }

    /** The catalog's name of the first thing with this name; with none, the name that a new one would get. */
    public String find(String name, Predicate<String> exists) {
        for (String schema : schemas) {
            String qualified = QualifiedName.of(schema, name);
            if (exists.test(qualified)) {
                return qualified;
            }
        }
        return QualifiedName.of(schemas.getFirst(), name);
    }

    /** The catalog's name of a new thing: in the first schema that exists; with none, in the first one, which refuses it. */
    public String forNew(Catalog catalog, String name) {
        return QualifiedName.of(
                schemas.stream().filter(catalog::hasSchema).findFirst().orElse(schemas.getFirst()), name);
    }

    /** The clause in front of a statement, with a blank behind it; empty for the default. */
    public String clause() {
        return isDefault()
                ? ""
                : schemas.stream().map(QualifiedName::quoted).collect(Collectors.joining(", ", "IN SCHEMA ", " "));
    }
}
