package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import io.reprise.sql.physical.PlanField;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The columns of a {@link RowBuffer} and how a row lies in its words: first one null bit for each column (64 to a word),
 * then one word for each column. Immutable, shared by all instances of a statement.
 */
public final class RowShape {
    final String[] names;
    final SqlType[] types;
    final int columns;
    final int nullWords;
    final int stride;

    // A bit for each of the first 64 columns, by how they are read.
    final long plain;
    final long decimals;
    final long doubles;
    final long strings;

    private RowShape(List<PlanField> fields) {
        columns = fields.size();
        names = new String[columns];
        types = new SqlType[columns];
        for (int i = 0; i < columns; i++) {
            names[i] = fields.get(i).name();
            types[i] = fields.get(i).type();
        }
        decimals = mask(t -> t.kind() == SqlType.Kind.DECIMAL);
        doubles = mask(t -> t.kind() == SqlType.Kind.DOUBLE);
        strings = mask(t -> t.kind().isString() && !t.isWide());
        plain = mask(t -> !t.kind().isString() && t.kind() != SqlType.Kind.DOUBLE && t.scale() == 0);
        nullWords = nullWords(columns);
        stride = nullWords + columns;
    }

    private long mask(Predicate<SqlType> readAlike) {
        long mask = 0;
        for (int i = 0; i < Math.min(columns, Long.SIZE); i++) {
            mask |= readAlike.test(types[i]) ? 1L << i : 0;
        }
        return mask;
    }

    /** The shape of rows with these columns. */
    public static RowShape of(List<PlanField> fields) {
        return new RowShape(fields);
    }

    /** The columns; whether they can be NULL is not known. */
    List<PlanField> fields() {
        List<PlanField> fields = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            fields.add(new PlanField(names[i], types[i], true));
        }
        return fields;
    }

    /** The number of words of null bits before the values of a row with that many columns. */
    public static int nullWords(int columns) {
        return Math.max(1, (columns + Long.SIZE - 1) >>> 6);
    }

    /** The words that a row with that many columns takes. */
    public static int stride(int columns) {
        return nullWords(columns) + columns;
    }

    /** The number of columns. */
    public int columns() {
        return columns;
    }

    /** A column's name. */
    public String name(int column) {
        return names[column];
    }

    /** A column's type. */
    public SqlType type(int column) {
        return types[column];
    }
}
