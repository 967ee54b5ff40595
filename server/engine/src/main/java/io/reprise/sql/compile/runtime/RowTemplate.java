package io.reprise.sql.compile.runtime;

import io.reprise.procedure.LoopGuard;

/** Rows of constants and parameters, as VALUES lists them: data that a loop appends to a buffer, instead of code for each. */
public final class RowTemplate {
    /** A cell whose word is the value. */
    public static final byte CONSTANT = 0;

    /** A cell that is NULL. */
    public static final byte NULL = 1;

    /** A cell whose word is the number of a string literal. */
    public static final byte LITERAL = 2;

    /** A cell whose word is the number of a parameter. */
    public static final byte PARAMETER = 3;

    private static final int ROWS_PER_CHECK = 1024;

    private final int columns;
    private final byte[] kinds;
    private final long[] words;

    /** Rows of so many columns, one cell after the other. */
    public RowTemplate(int columns, byte[] kinds, long[] words) {
        this.columns = columns;
        this.kinds = kinds;
        this.words = words;
    }

    int columns() {
        return columns;
    }

    byte[] kinds() {
        return kinds;
    }

    long[] words() {
        return words;
    }

    /** Appends all rows to a buffer of rows with these columns. */
    public void appendTo(RowBuffer buffer, StatementValues statement) {
        int nullWords = RowShape.nullWords(columns);
        int rows = kinds.length / columns;
        for (int row = 0; row < rows; row++) {
            if ((row & ROWS_PER_CHECK - 1) == 0) {
                LoopGuard.check();
            }
            int base = buffer.append();
            long[] to = buffer.words;
            for (int i = 0; i < nullWords; i++) {
                to[base + i] = 0;
            }
            for (int column = 0; column < columns; column++) {
                int cell = row * columns + column;
                boolean isNull =
                        kinds[cell] == NULL || kinds[cell] == PARAMETER && statement.isParameterNull((int) words[cell]);
                if (isNull) {
                    to[base + (column >>> 6)] |= 1L << column;
                    to[base + nullWords + column] = 0;
                } else {
                    to[base + nullWords + column] = word(statement, cell);
                }
            }
        }
    }

    private long word(StatementValues statement, int cell) {
        return switch (kinds[cell]) {
            case LITERAL -> statement.literal((int) words[cell]);
            case PARAMETER -> statement.parameterWord((int) words[cell]);
            default -> words[cell];
        };
    }
}
