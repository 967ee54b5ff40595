package io.reprise.engine;

import io.reprise.catalog.Table;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All rows of a database as text, the same for any number of partitions. */
final class Dump {
    /** An attempt to read a column of some type. */
    private interface Reading {
        String of(Rows rows, int column);
    }

    private static final List<Reading> READINGS = List.of(
            (rows, column) -> "'" + rows.stringAt(column) + "'",
            (rows, column) -> rows.decimalAt(column).stripTrailingZeros().toPlainString(),
            (rows, column) -> Long.toString(rows.longAt(column)),
            (rows, column) -> Double.toString(rows.doubleAt(column)),
            (rows, column) -> HexFormat.of().formatHex(rows.bytesAt(column)));

    private Dump() {}

    static Map<String, List<String>> of(Reprise engine) {
        Map<String, List<String>> tables = new TreeMap<>();
        for (Table table : engine.catalog().tables().values()) {
            Rows rows = engine.sql("SELECT * FROM " + table.name()).rows();
            List<String> lines = new ArrayList<>();
            while (rows.next()) {
                StringBuilder line = new StringBuilder();
                for (int i = 0; i < rows.columns(); i++) {
                    line.append(rows.columnName(i))
                            .append('=')
                            .append(value(rows, i))
                            .append(' ');
                }
                lines.add(line.toString());
            }
            Collections.sort(lines);
            tables.put(table.name(), lines);
        }
        return tables;
    }

    static String value(Rows rows, int column) {
        if (rows.isNull(column)) {
            return "NULL";
        }
        for (Reading reading : READINGS) {
            try {
                return reading.of(rows, column);
            } catch (ClassCastException | ProcedureException ofAnotherType) {
                continue;
            }
        }
        throw new IllegalArgumentException("column " + rows.columnName(column) + " can't be read");
    }
}
