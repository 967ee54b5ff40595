package io.reprise.storage.image;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * Makes {@link RowReader}s: straight code with each column's offset in it. Reading a row column by column asks three tables for
 * each of them and takes unpredictable branches; a replay reads nothing but rows.
 */
final class RowReaderFactory {
    private static final RowClasses<RowReader> READERS = new RowClasses<>(RowReader.class);

    private static final ClassDesc SUPER = RowClasses.descriptor(RowReader.class);
    private static final MethodTypeDesc READ_WIDE = RowCode.CONVERSION.insertParameterTypes(4, RowCode.INT);

    /** Slots of the parameters. */
    private static final int SOURCE = 1;

    private static final int IMAGE = 2;
    private static final int TARGET = 4;
    private static final int ROW = 5;

    private final ColumnImages columns;
    private final int nullBytes;

    private RowReaderFactory(ColumnImages columns, int nullBytes) {
        this.columns = columns;
        this.nullBytes = nullBytes;
    }

    /** The reader for rows like those, none of whose columns always lie outside. */
    static RowReader of(ColumnImages columns, int nullBytes) {
        RowReaderFactory factory = new RowReaderFactory(columns, nullBytes);
        return READERS.of(
                RowClasses.shape(columns),
                () -> builder -> builder.withMethodBody("row", RowCode.CONVERSION, 0, factory::row));
    }

    /** The most bytes that are read from an image's beginning. */
    static long reach(ColumnImages columns, int nullBytes) {
        long bytes = nullBytes;
        for (int column = 0; column < columns.count(); column++) {
            bytes += Math.max(Long.BYTES, columns.width(column));
        }
        return bytes;
    }

    private void row(CodeBuilder code) {
        int at = code.allocateLocal(TypeKind.LONG);
        RowCode.place(code, IMAGE, nullBytes).lstore(at);
        int nullables = 0;
        for (int i = 0; i < columns.count(); i++) {
            int column = i;
            if (columns.isNullable(column)) {
                int bit = nullables++;
                RowCode.getByte(RowCode.place(code.aload(SOURCE), IMAGE, bit >> 3));
                code.loadConstant(1 << (bit & 7)).iand();
                code.ifThenElse(isNull -> setNull(isNull, column), hasValue -> value(hasValue, column, at));
            } else {
                value(code, column, at);
            }
        }
        code.lload(at).lreturn();
    }

    /** Other columns may have their null bits in the same byte. */
    private void setNull(CodeBuilder code, int column) {
        RowCode.place(code.aload(TARGET), ROW, columns.nullByte(column));
        RowCode.getByte(RowCode.place(code.aload(TARGET), ROW, columns.nullByte(column)));
        code.loadConstant(columns.nullMask(column)).ior().i2b();
        RowCode.putByte(code);
    }

    private void value(CodeBuilder code, int column, int at) {
        RowCode.place(code.aload(SOURCE).lload(at).aload(TARGET), ROW, columns.offset(column));
        if (columns.isString(column)) {
            code.loadConstant(Math.min(columns.width(column) - 1, columns.mostStringBytes(column)));
            code.invokestatic(SUPER, "readInline", READ_WIDE);
        } else {
            code.invokestatic(SUPER, columns.readerMethod(column), RowCode.CONVERSION);
        }
        code.lstore(at);
        RowCode.returnIfOtherwise(code, at);
    }
}
