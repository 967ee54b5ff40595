package io.reprise.storage.image;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * Makes {@link SetWriter}s: straight code that asks for one column after the other whether it is in the set. A statement writes the
 * same columns each time, so these jumps are foreseen, while those of a loop over the set's columns, by what each column is,
 * were not: they took most of the time of logging an update.
 */
final class SetWriterFactory {
    private static final RowClasses<SetWriter> WRITERS = new RowClasses<>(SetWriter.class);

    private static final ClassDesc SUPER = RowClasses.descriptor(SetWriter.class);
    private static final ClassDesc MEMORY = RowCode.MEMORY;
    private static final ClassDesc LONG = RowCode.LONG;
    private static final MethodTypeDesc CHANGED = MethodTypeDesc.of(LONG, MEMORY, LONG, LONG, LONG);
    private static final MethodTypeDesc COLUMNS = MethodTypeDesc.of(LONG, MEMORY, LONG, LONG, MEMORY, LONG);
    private static final MethodTypeDesc DIFFERS = MethodTypeDesc.of(RowCode.BOOLEAN, MEMORY, LONG, LONG);
    private static final MethodTypeDesc PUT_NULLS = MethodTypeDesc.of(RowCode.VOID, MEMORY, LONG, LONG, LONG);

    /** Slots of the parameters. */
    private static final int FROM_MEMORY = 1;

    private static final int ROW = 2;
    private static final int IMAGE = 4;
    private static final int CANDIDATES = 6;
    private static final int SET = 4;
    private static final int TARGET = 6;
    private static final int ADDRESS = 7;

    private final ColumnImages columns;
    private final long nullable;

    private SetWriterFactory(ColumnImages columns) {
        this.columns = columns;
        nullable = columns.nullable();
    }

    /** The writer for rows like those, which have at most 64 columns. */
    static SetWriter of(ColumnImages columns) {
        SetWriterFactory factory = new SetWriterFactory(columns);
        return WRITERS.of(
                RowClasses.shape(columns),
                () -> builder -> builder.withMethodBody("changed", CHANGED, 0, factory::changed)
                        .withMethodBody("columns", COLUMNS, 0, factory::columns));
    }

    private void changed(CodeBuilder code) {
        int changed = code.allocateLocal(TypeKind.LONG);
        code.lconst_0().lstore(changed);
        for (int i = 0; i < columns.count(); i++) {
            int column = i;
            RowCode.ifIn(code, CANDIDATES, column, candidate -> candidate(candidate, column, changed));
        }
        code.lload(changed).lreturn();
    }

    private void candidate(CodeBuilder code, int column, int changed) {
        if (!columns.isNullable(column)) {
            compare(code, column, changed);
            return;
        }
        RowCode.nullBit(code, columns, FROM_MEMORY, ROW, column);
        RowCode.nullBit(code, columns, FROM_MEMORY, IMAGE, column);
        code.ixor();
        code.ifThenElse(Opcode.IFNE, differs -> add(differs, column, changed), alike -> {
            RowCode.nullBit(alike, columns, FROM_MEMORY, ROW, column);
            alike.ifThen(Opcode.IFEQ, hasValue -> compare(hasValue, column, changed));
        });
    }

    private void compare(CodeBuilder code, int column, int changed) {
        code.aload(FROM_MEMORY);
        RowCode.place(code, ROW, columns.offset(column));
        RowCode.place(code, IMAGE, columns.offset(column));
        code.invokestatic(SUPER, columns.comparingMethod(column), DIFFERS);
        code.ifThen(Opcode.IFNE, differs -> add(differs, column, changed));
    }

    private static void add(CodeBuilder code, int column, int set) {
        code.lload(set).loadConstant(1L << column).lor().lstore(set);
    }

    private void columns(CodeBuilder code) {
        int nullBits = code.allocateLocal(TypeKind.LONG);
        int firstValue = code.allocateLocal(TypeKind.LONG);
        int at = code.allocateLocal(TypeKind.LONG);
        int nulls = code.allocateLocal(TypeKind.LONG);
        int bit = code.allocateLocal(TypeKind.LONG);
        RowCode.putLong(code.aload(TARGET).lload(ADDRESS).lload(SET));
        RowCode.place(code, ADDRESS, (columns.count() + 7) / 8).lstore(nullBits);
        code.lload(nullBits);
        if (nullable != 0) {
            RowCode.nullBytes(code, SET, nullable).ladd();
            code.lconst_0().lstore(nulls);
            code.lconst_1().lstore(bit);
        }
        code.lstore(firstValue);
        code.lload(firstValue).lstore(at);
        for (int i = 0; i < columns.count(); i++) {
            int column = i;
            RowCode.ifIn(code, SET, column, inSet -> column(inSet, column, at, nulls, bit));
        }
        if (nullable != 0) {
            code.aload(TARGET).lload(nullBits).lload(firstValue).lload(nulls);
            code.invokestatic(SUPER, "putNulls", PUT_NULLS);
        }
        code.lload(at).lreturn();
    }

    private void column(CodeBuilder code, int column, int at, int nulls, int bit) {
        if (!columns.isNullable(column)) {
            value(code, column, at);
            return;
        }
        RowCode.nullBit(code, columns, FROM_MEMORY, ROW, column);
        code.ifThenElse(
                Opcode.IFNE,
                isNull -> isNull.lload(nulls).lload(bit).lor().lstore(nulls),
                hasValue -> value(hasValue, column, at));
        code.lload(bit).iconst_1().lshl().lstore(bit);
    }

    private void value(CodeBuilder code, int column, int at) {
        RowCode.write(code, columns, FROM_MEMORY, ROW, column, TARGET, at);
    }
}
