package io.reprise.session;

import io.reprise.catalog.QualifiedName;
import java.util.Locale;

/**
 * The translation of names. The engine folds unquoted names to upper case, PostgreSQL to lower. So a name without lower-case letters
 * is shown in lower case, and the reverse; a mixed name stays. The translation is its own inverse.
 */
public final class Names {
    private Names() {}

    /** The engine's name of a client's, or the client's of an engine's. */
    public static String turned(String name) {
        boolean lower = false;
        boolean upper = false;
        for (int i = 0; i < name.length(); i++) {
            lower |= Character.isLowerCase(name.charAt(i));
            upper |= Character.isUpperCase(name.charAt(i));
        }
        if (lower == upper) {
            return name;
        }
        return lower ? name.toUpperCase(Locale.ROOT) : name.toLowerCase(Locale.ROOT);
    }

    /** The client's name of the schema that a catalog's name of a table has. */
    static String schema(String qualified) {
        return turned(QualifiedName.schema(qualified));
    }

    /** The client's name of a table without its schema. */
    static String simple(String qualified) {
        return turned(QualifiedName.simple(qualified));
    }
}
