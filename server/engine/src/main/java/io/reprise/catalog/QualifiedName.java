package io.reprise.catalog;

/**
 * The names of tables, views, sequences and indexes as the catalog keeps them: the name alone in the schema PUBLIC, otherwise the schema,
 * a dot and the name. A name itself has no dot.
 */
public final class QualifiedName {
    /** The schema that always exists. */
    public static final String PUBLIC = "PUBLIC";

    private QualifiedName() {}

    /** The catalog's name of a thing in a schema. */
    public static String of(String schema, String name) {
        return schema.equals(PUBLIC) ? name : schema + '.' + name;
    }

    /** The schema of a catalog's name. */
    public static String schema(String qualified) {
        int dot = qualified.indexOf('.');
        return dot < 0 ? PUBLIC : qualified.substring(0, dot);
    }

    /** The name without the schema. */
    public static String simple(String qualified) {
        return qualified.substring(qualified.indexOf('.') + 1);
    }

    /** A catalog's name as a statement has it, with each part in quotes. */
    public static String quoted(String qualified) {
        int dot = qualified.indexOf('.');
        return dot < 0 ? quote(qualified) : quote(qualified.substring(0, dot)) + '.' + quote(simple(qualified));
    }

    private static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
