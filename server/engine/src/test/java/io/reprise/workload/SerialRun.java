package io.reprise.workload;

import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.workload.Workload.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Loads a database, makes calls one after another, and checks. For tests. */
final class SerialRun {
    private final Workload workload;
    private final Database database;
    private final List<Generator> generators = new ArrayList<>();
    private final ArgumentList call = new ArgumentList();
    private int committed;
    private int rolledBack;

    SerialRun(Workload workload, Database database, long seed) {
        this.workload = workload;
        this.database = database;
        int partitions = database.placement().partitions();
        for (int partition = 0; partition < partitions; partition++) {
            generators.add(workload.generator(seed + partition, database.placement(), partition));
        }
    }

    /** Makes calls, round robin from the generators of all partitions. */
    SerialRun run(int calls) {
        for (int i = 0; i < calls; i++) {
            next(generators.get(i % generators.size()));
        }
        return this;
    }

    /** Makes one call; returns its result as text. */
    String next(Generator generator) {
        int procedure = generator.next(call);
        String name = workload.procedures().get(procedure);
        try {
            Rows result = database.call(name, call.toArray());
            long value = integer(result);
            generator.completed(procedure, true, value);
            committed++;
            return name + " " + describe(result);
        } catch (ProcedureException e) {
            generator.completed(procedure, false, 0);
            rolledBack++;
            return name + " " + e.code();
        }
    }

    /** The last call as text. */
    String lastCall() {
        return workload.procedures().get(call.procedure()) + Arrays.deepToString(call.toArray());
    }

    List<Generator> generators() {
        return generators;
    }

    int committed() {
        return committed;
    }

    int rolledBack() {
        return rolledBack;
    }

    List<Violation> check() {
        return workload.check(database, generators);
    }

    private static long integer(Rows rows) {
        if (rows.count() != 1 || rows.columns() != 1) {
            return 0;
        }
        rows.next();
        try {
            return rows.longAt(0);
        } catch (ClassCastException | ProcedureException e) {
            return 0;
        } finally {
            rows.rewind();
        }
    }

    /** All values, but those whose column's name ends in {@code _d} or {@code date}: times differ from run to run. */
    static String describe(Rows rows) {
        StringBuilder text = new StringBuilder();
        while (rows.next()) {
            text.append('[');
            for (int i = 0; i < rows.columns(); i++) {
                text.append(isTime(rows.columnName(i)) ? "" : value(rows, i)).append(';');
            }
            text.append(']');
        }
        return text.toString();
    }

    private static boolean isTime(String column) {
        String name = column.toLowerCase(java.util.Locale.ROOT);
        return name.endsWith("_d") || name.endsWith("date") || name.endsWith("since");
    }

    private static String value(Rows rows, int column) {
        if (rows.isNull(column)) {
            return "NULL";
        }
        try {
            return rows.stringAt(column);
        } catch (ClassCastException | ProcedureException e) {
            return rows.decimalAt(column).stripTrailingZeros().toPlainString();
        }
    }
}
