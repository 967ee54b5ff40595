package io.reprise.storage;

import io.reprise.catalog.SqlType;

/** The source of a column's values in a rebuilt table (ALTER TABLE). */
public sealed interface ColumnSource {
    /** From the column at this position of the table before. */
    record Existing(int column) implements ColumnSource {}

    /** The same of a column whose type is another one. */
    record Converted(int column, SqlType from, SqlType to) implements ColumnSource {}

    /** Every row gets this value, which is not a string. */
    record Word(long value) implements ColumnSource {}

    /** Every row gets this string. */
    record Text(byte[] bytes) implements ColumnSource {}

    /** Every row gets NULL. */
    record Null() implements ColumnSource {}
}
