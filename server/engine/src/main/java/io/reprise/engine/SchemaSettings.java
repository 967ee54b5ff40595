package io.reprise.engine;

import io.reprise.id.Buckets;
import io.reprise.procedure.Procedure;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Schema and procedures of a new database.
 *
 * @param ddl scripts of DDL statements, asked for only if there is a new database
 * @param archives jars with procedure classes, asked for only if there is a new database
 * @param procedures classes without a CREATE PROCEDURE statement
 * @param classLoader finds the DDL's procedure classes that no jar has
 * @param buckets the number of buckets; empty: the default, or the number that the database has
 */
record SchemaSettings(
        List<Supplier<String>> ddl,
        List<Supplier<byte[]>> archives,
        List<Class<? extends Procedure>> procedures,
        ClassLoader classLoader,
        OptionalInt buckets) {
    SchemaSettings {
        ddl = List.copyOf(ddl);
        archives = List.copyOf(archives);
        procedures = List.copyOf(procedures);
    }

    Buckets bucketsOrDefault() {
        return buckets.isPresent() ? new Buckets(buckets.getAsInt()) : Buckets.DEFAULT;
    }

    /** The jars of a new database. */
    List<byte[]> jars() {
        return archives.stream().map(Supplier::get).toList();
    }

    /** The DDL with a statement for each class that was added without one. */
    String script() {
        StringBuilder script = new StringBuilder(ddl.stream().map(Supplier::get).collect(Collectors.joining(";\n")));
        for (Class<?> type : procedures) {
            script.append(";\nCREATE PROCEDURE FROM CLASS ").append(type.getName());
        }
        return script.toString();
    }

    /** Loaders that find procedure classes that no jar has; the last one is asked what is missing. */
    List<ClassLoader> classLoaders() {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        procedures.forEach(type -> loaders.add(type.getClassLoader()));
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            loaders.add(context);
        }
        loaders.add(classLoader);
        return List.copyOf(loaders);
    }
}
