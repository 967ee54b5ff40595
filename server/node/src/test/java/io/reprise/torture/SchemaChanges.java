package io.reprise.torture;

import io.reprise.engine.Reprise;
import io.reprise.execution.deploy.ClassJar;
import java.util.List;

/**
 * Changes of the schema, numbered: the n-th makes a table of this number and drops the one before, all or nothing. Every other
 * one also deploys the load's procedures again, so that calls that are logged name another version of them.
 */
final class SchemaChanges {
    private static final String TABLE = "STEP_";

    private SchemaChanges() {}

    /** Returns their number. Adds half-done changes to the problems. */
    static long found(Reprise engine, List<String> problems) {
        List<Long> numbers = engine.catalog().tables().keySet().stream()
                .filter(name -> name.startsWith(TABLE))
                .map(name -> Long.parseLong(name.substring(TABLE.length())))
                .toList();
        if (numbers.size() > 1) {
            problems.add("changes of the schema are half done: there are the tables of " + numbers);
        }
        return numbers.isEmpty() ? 0 : numbers.get(0);
    }

    /** Makes the next one. */
    static void make(Reprise engine, long number, List<Class<?>> procedures) {
        String script = "CREATE TABLE " + TABLE + number + " (id BIGINT NOT NULL PRIMARY KEY);"
                + (number == 1 ? "" : "DROP TABLE " + TABLE + (number - 1) + ";");
        if (number % 2 == 0 && !procedures.isEmpty()) {
            engine.deploy(ClassJar.of(procedures), script);
        } else {
            engine.ddl(script);
        }
    }
}
