package io.reprise.storage.image;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;

/**
 * Makes {@link RowWriter}s: straight code with each column's offset in it, which is what makes it fast. A row's image
 * costs a transaction as much as writing the row did, if each column is looked up in tables first.
 */
final class RowWriterFactory {
    private static final RowClasses<RowWriter> WRITERS = new RowClasses<>(RowWriter.class);

    /** Slots of the parameters. */
    private static final int FROM_MEMORY = 1;

    private static final int ROW = 2;
    private static final int TARGET = 4;
    private static final int ADDRESS = 5;

    private final ColumnImages columns;
    private final int[] keyColumns;

    private RowWriterFactory(ColumnImages columns, int... keyColumns) {
        this.columns = columns;
        this.keyColumns = keyColumns;
    }

    /** The writer for rows like those. */
    static RowWriter of(ColumnImages columns, int... keyColumns) {
        RowWriterFactory factory = new RowWriterFactory(columns, keyColumns);
        return WRITERS.of(
                RowClasses.shape(columns, keyColumns),
                () -> builder -> builder.withMethodBody("row", RowCode.CONVERSION, 0, factory::row)
                        .withMethodBody("key", RowCode.CONVERSION, 0, factory::key));
    }

    private void key(CodeBuilder code) {
        for (int column : keyColumns) {
            value(code, column, ADDRESS);
        }
        code.lload(ADDRESS).lreturn();
    }

    private void row(CodeBuilder code) {
        int at = code.allocateLocal(TypeKind.LONG);
        int nulls = code.allocateLocal(TypeKind.INT);
        int nullables = 0;
        for (int column = 0; column < columns.count(); column++) {
            nullables += columns.isNullable(column) ? 1 : 0;
        }
        RowCode.place(code, ADDRESS, (nullables + 7) / 8).lstore(at);
        code.iconst_0().istore(nulls);
        int seen = 0;
        for (int column = 0; column < columns.count(); column++) {
            if (columns.isNullable(column)) {
                nullable(code, column, at, nulls, 1 << seen % 8);
                seen++;
                if (seen % 8 == 0 || seen == nullables) {
                    putNulls(code, (seen - 1) / 8, nulls);
                }
            } else {
                value(code, column, at);
            }
        }
        code.lload(at).lreturn();
    }

    private void nullable(CodeBuilder code, int column, int at, int nulls, int bit) {
        RowCode.nullBit(code, columns, FROM_MEMORY, ROW, column);
        code.ifThenElse(
                isNull -> isNull.iload(nulls).loadConstant(bit).ior().istore(nulls),
                hasValue -> value(hasValue, column, at));
    }

    private static void putNulls(CodeBuilder code, int index, int nulls) {
        RowCode.place(code.aload(TARGET), ADDRESS, index).iload(nulls).i2b();
        RowCode.putByte(code);
        code.iconst_0().istore(nulls);
    }

    private void value(CodeBuilder code, int column, int at) {
        RowCode.write(code, columns, FROM_MEMORY, ROW, column, TARGET, at);
    }
}
