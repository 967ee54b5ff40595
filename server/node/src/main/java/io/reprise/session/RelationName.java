package io.reprise.session;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.QualifiedName;
import io.reprise.catalog.SearchPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a table, view or index as a client wrote it, in the engine's case.
 *
 * @param schema the schema; empty if none was written
 * @param name the name
 * @param end the index of the token behind it
 */
record RelationName(String schema, String name, int end) {
    /** Possessive, since a group that could give back takes stack for each character. */
    private static final Pattern PART = Pattern.compile("\"((?:[^\"]|\"\")*+)\"|([^\",.\\s]+)");

    /** The name at a place of a statement. */
    static RelationName at(ClientStatement statement, int index) {
        String first = Names.turned(SettingStatements.name(statement, index));
        List<Token> tokens = statement.tokens();
        return tokens.get(Math.min(index + 1, tokens.size() - 1)).isSign('.')
                ? new RelationName(first, Names.turned(SettingStatements.name(statement, index + 2)), index + 3)
                : new RelationName("", first, index + 1);
    }

    /** The name that a text has. */
    static RelationName of(String text) {
        List<String> parts = parts(text);
        return parts.size() > 1
                ? new RelationName(parts.get(parts.size() - 2), parts.getLast(), 0)
                : new RelationName("", parts.isEmpty() ? "" : parts.getFirst(), 0);
    }

    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        Matcher part = PART.matcher(text);
        while (part.find()) {
            parts.add(Names.turned(
                    part.group(1) != null
                            ? part.group(1).replace("\"\"", "\"")
                            : part.group(2).toLowerCase(Locale.ROOT)));
        }
        return parts;
    }

    /** The search path that a setting means: schemas of the system and of the user's name are passed over. */
    static SearchPath path(String setting) {
        List<String> schemas = new ArrayList<>();
        for (String schema : parts(setting)) {
            if (!schema.equalsIgnoreCase("$user")
                    && !schema.toUpperCase(Locale.ROOT).startsWith("PG_")) {
                schemas.add(schema);
            }
        }
        return schemas.isEmpty() ? SearchPath.DEFAULT : new SearchPath(schemas);
    }

    /** The catalog's name of a table or view. */
    String in(Catalog catalog, SearchPath path) {
        return found(path, catalog::hasRelation);
    }

    /** The catalog's name of what exists. */
    String found(SearchPath path, Predicate<String> exists) {
        return schema.isEmpty() ? path.find(name, exists) : QualifiedName.of(schema, name);
    }

    /** A catalog's name as a client's statement has it, with each part in quotes. */
    static String quoted(String qualified) {
        return quote(Names.schema(qualified)) + '.' + quote(Names.simple(qualified));
    }

    private static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
