package io.reprise.storage.image;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** Generator of {@link SetReader}s: straight code that tests each column's bit in the set, for the reason that {@link SetCode} gives. */
final class SetReaderFactory {
    private static final RowClasses<SetReader> READERS = new RowClasses<>(SetReader.class);

    private static final ClassDesc SUPER = RowClasses.descriptor(SetReader.class);
    private static final ClassDesc VALUES = RowClasses.descriptor(RowReader.class);
    private static final ClassDesc WRITES = RowClasses.descriptor(ColumnWrites.class);
    private static final ClassDesc MEMORY = RowCode.MEMORY;
    private static final ClassDesc LONG = RowCode.LONG;
    private static final ClassDesc INT = RowCode.INT;
    private static final ClassDesc BOOLEAN = RowCode.BOOLEAN;
    private static final MethodTypeDesc COLUMNS = MethodTypeDesc.of(LONG, MEMORY, LONG, LONG, MEMORY, LONG);
    private static final MethodTypeDesc IS_NULL = MethodTypeDesc.of(BOOLEAN, MEMORY, LONG, INT);
    private static final MethodTypeDesc PUT_NULL = MethodTypeDesc.of(LONG, MEMORY, LONG, INT, INT, BOOLEAN);

    /** Slots of the parameters. */
    private static final int SOURCE = 1;

    private static final int IMAGE = 2;
    private static final int SET = 4;
    private static final int TARGET = 6;
    private static final int ADDRESS = 7;

    private final ColumnImages columns;
    private final long nullable;

    private SetReaderFactory(ColumnImages columns) {
        this.columns = columns;
        nullable = columns.nullable();
    }

    /** The reader for rows of such columns, at most 64. */
    static SetReader of(ColumnImages columns) {
        SetReaderFactory factory = new SetReaderFactory(columns);
        return READERS.of(
                RowClasses.shape(columns),
                () -> builder -> builder.withMethodBody("columns", COLUMNS, 0, factory::columns));
    }

    /** The most bytes that are read from an image's beginning. */
    static long reach(ColumnImages columns) {
        return RowReaderFactory.reach(columns, (columns.count() + 7) / 8);
    }

    private void columns(CodeBuilder code) {
        int at = code.allocateLocal(TypeKind.LONG);
        int to = code.allocateLocal(TypeKind.LONG);
        int bit = code.allocateLocal(TypeKind.INT);
        long strings = columns.strings();
        if (strings != 0) {
            code.lload(SET).loadConstant(strings).land().lconst_0().lcmp();
            code.ifThen(Opcode.IFNE, RowCode::otherwise);
        }
        code.lload(IMAGE);
        if (nullable != 0) {
            RowCode.nullBytes(code, SET, nullable).ladd();
            code.iconst_0().istore(bit);
        }
        code.lstore(at);
        code.lload(ADDRESS).lstore(to);
        for (int i = 0; i < columns.count(); i++) {
            int column = i;
            if (!columns.isString(column)) {
                RowCode.ifIn(code, SET, column, inSet -> column(inSet, column, at, to, bit));
            }
        }
        code.lload(at).lreturn();
    }

    private void column(CodeBuilder code, int column, int at, int to, int bit) {
        if (!columns.isNullable(column)) {
            value(code, column, at, to);
            return;
        }
        code.aload(TARGET).lload(to);
        code.loadConstant(columns.nullByte(column)).loadConstant(columns.nullMask(column));
        isNull(code, bit);
        code.invokestatic(WRITES, "putNull", PUT_NULL).lstore(to);
        isNull(code, bit);
        code.iinc(bit, 1);
        code.ifThenElse(Opcode.IFEQ, hasValue -> value(hasValue, column, at, to), isNull -> {
            what(isNull, column, to);
            RowCode.putLong(RowCode.place(isNull.aload(TARGET), to, Long.BYTES).lconst_0());
            RowCode.place(isNull, to, ColumnWrites.BYTES).lstore(to);
        });
    }

    private static void isNull(CodeBuilder code, int bit) {
        code.aload(SOURCE).lload(IMAGE).iload(bit).invokestatic(SUPER, "isNull", IS_NULL);
    }

    private void value(CodeBuilder code, int column, int at, int to) {
        what(code, column, to);
        // The reader writes a whole word; the column's width of it counts.
        RowCode.place(code.aload(SOURCE).lload(at).aload(TARGET), to, Long.BYTES);
        code.invokestatic(VALUES, columns.readerMethod(column), RowCode.CONVERSION)
                .lstore(at);
        RowCode.returnIfOtherwise(code, at);
        RowCode.place(code, to, ColumnWrites.BYTES).lstore(to);
    }

    private void what(CodeBuilder code, int column, int to) {
        code.aload(TARGET).lload(to);
        code.loadConstant(ColumnWrites.what(columns.offset(column), columns.width(column)));
        RowCode.putLong(code);
    }
}
