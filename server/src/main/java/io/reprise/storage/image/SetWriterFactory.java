package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Consumer;

/**
 * Makes {@link SetWriter}s: straight code that asks for one column after the other whether it is in the set. A statement writes the
 * same columns each time, so these jumps are foreseen, while those of a loop over the set's columns, by what each column is,
 * were not: they took most of the time of logging an update.
 */
final class SetWriterFactory {
    private static final RowClasses<SetWriter> WRITERS = new RowClasses<>(SetWriter.class);

    private static final ClassDesc SUPER = RowClasses.descriptor(SetWriter.class);
    private static final ClassDesc VALUES = RowClasses.descriptor(RowWriter.class);
    private static final ClassDesc MEMORY = RowClasses.descriptor(Memory.class);
    private static final ClassDesc LONG = ConstantDescs.CD_long;
    private static final MethodTypeDesc CHANGED = MethodTypeDesc.of(LONG, MEMORY, LONG, LONG, LONG);
    private static final MethodTypeDesc COLUMNS = MethodTypeDesc.of(LONG, MEMORY, LONG, LONG, MEMORY, LONG);
    private static final MethodTypeDesc WRITE = MethodTypeDesc.of(LONG, MEMORY, LONG, MEMORY, LONG);
    private static final MethodTypeDesc DIFFERS = MethodTypeDesc.of(ConstantDescs.CD_boolean, MEMORY, LONG, LONG);
    private static final MethodTypeDesc GET_BYTE = MethodTypeDesc.of(ConstantDescs.CD_byte, LONG);
    private static final MethodTypeDesc PUT_LONG = MethodTypeDesc.of(ConstantDescs.CD_void, LONG, LONG);
    private static final MethodTypeDesc PUT_NULLS = MethodTypeDesc.of(ConstantDescs.CD_void, MEMORY, LONG, LONG, LONG);
    private static final MethodTypeDesc BIT_COUNT = MethodTypeDesc.of(ConstantDescs.CD_int, LONG);

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
        long canBeNull = 0;
        for (int column = 0; column < columns.count(); column++) {
            canBeNull |= columns.isNullable(column) ? 1L << column : 0;
        }
        nullable = canBeNull;
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
            ifIn(code, CANDIDATES, column, candidate -> candidate(candidate, column, changed));
        }
        code.lload(changed).lreturn();
    }

    private static void ifIn(CodeBuilder code, int set, int column, Consumer<CodeBuilder.BlockCodeBuilder> then) {
        code.lload(set).loadConstant(1L << column).land().lconst_0().lcmp();
        code.ifThen(Opcode.IFNE, then);
    }

    private void candidate(CodeBuilder code, int column, int changed) {
        if (!columns.isNullable(column)) {
            compare(code, column, changed);
            return;
        }
        nullBit(code, ROW, column);
        nullBit(code, IMAGE, column);
        code.ixor();
        code.ifThenElse(Opcode.IFNE, differs -> add(differs, column, changed), alike -> {
            nullBit(alike, ROW, column);
            alike.ifThen(Opcode.IFEQ, hasValue -> compare(hasValue, column, changed));
        });
    }

    private void compare(CodeBuilder code, int column, int changed) {
        code.aload(FROM_MEMORY);
        place(code, ROW, columns.offset(column));
        place(code, IMAGE, columns.offset(column));
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
        code.aload(TARGET).lload(ADDRESS).lload(SET).invokevirtual(MEMORY, "putLong", PUT_LONG);
        place(code, ADDRESS, (columns.count() + 7) / 8);
        code.lstore(nullBits);
        code.lload(nullBits);
        if (nullable != 0) {
            code.lload(SET).loadConstant(nullable).land();
            code.invokestatic(ConstantDescs.CD_Long, "bitCount", BIT_COUNT);
            code.loadConstant(7).iadd().iconst_3().ishr().i2l().ladd();
            code.lconst_0().lstore(nulls);
            code.lconst_1().lstore(bit);
        }
        code.lstore(firstValue);
        code.lload(firstValue).lstore(at);
        for (int i = 0; i < columns.count(); i++) {
            int column = i;
            ifIn(code, SET, column, inSet -> column(inSet, column, at, nulls, bit));
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
        nullBit(code, ROW, column);
        code.ifThenElse(
                Opcode.IFNE,
                isNull -> isNull.lload(nulls).lload(bit).lor().lstore(nulls),
                hasValue -> value(hasValue, column, at));
        code.lload(bit).iconst_1().lshl().lstore(bit);
    }

    private void value(CodeBuilder code, int column, int at) {
        code.aload(FROM_MEMORY);
        place(code, ROW, columns.offset(column));
        code.aload(TARGET).lload(at);
        code.invokestatic(VALUES, columns.writerMethod(column), WRITE);
        code.lstore(at);
    }

    private void nullBit(CodeBuilder code, int row, int column) {
        code.aload(FROM_MEMORY);
        place(code, row, columns.nullByte(column));
        code.invokevirtual(MEMORY, "getByte", GET_BYTE);
        code.loadConstant(columns.nullMask(column)).iand();
    }

    private static void place(CodeBuilder code, int base, int offset) {
        code.lload(base).loadConstant((long) offset).ladd();
    }
}
