package io.reprise.storage.image;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * Generator of straight code that finds and writes the changed columns of a row. A statement writes the same columns each time, so the
 * processor predicts its jumps. It mispredicted those of a loop that dispatched by each column's form.
 *
 * <p>Operands are slots of local variables. A row and its image are in one memory; a set of columns is one word.
 */
record SetCode(ColumnImages columns, int memory, int row) {
    private static final ClassDesc METHODS = RowClasses.descriptor(ColumnComparison.class);
    private static final MethodTypeDesc DIFFERS =
            MethodTypeDesc.of(RowCode.BOOLEAN, RowCode.MEMORY, RowCode.LONG, RowCode.LONG);
    private static final MethodTypeDesc PUT_NULLS =
            MethodTypeDesc.of(RowCode.VOID, RowCode.MEMORY, RowCode.LONG, RowCode.LONG, RowCode.LONG);

    /** Adds a column to a set if row and image differ in it. */
    void find(CodeBuilder code, int column, int image, int changed) {
        if (!columns.isNullable(column)) {
            compare(code, column, image, changed);
            return;
        }
        RowCode.nullBit(code, columns, memory, row, column);
        RowCode.nullBit(code, columns, memory, image, column);
        code.ixor();
        code.ifThenElse(Opcode.IFNE, differs -> add(differs, column, changed), alike -> {
            RowCode.nullBit(alike, columns, memory, row, column);
            alike.ifThen(Opcode.IFEQ, hasValue -> compare(hasValue, column, image, changed));
        });
    }

    private void compare(CodeBuilder code, int column, int image, int changed) {
        code.aload(memory);
        RowCode.place(code, row, columns.offset(column));
        RowCode.place(code, image, columns.offset(column));
        code.invokestatic(METHODS, columns.comparingMethod(column), DIFFERS);
        code.ifThen(Opcode.IFNE, differs -> add(differs, column, changed));
    }

    private static void add(CodeBuilder code, int column, int set) {
        code.lload(set).loadConstant(1L << column).lor().lstore(set);
    }

    /**
     * Writes the image of a set and of its columns, and leaves the address behind it.
     *
     * @param among the columns that the set may have
     */
    void write(CodeBuilder code, long among, int set, int target, int address) {
        long nullable = columns.nullable() & among;
        int nullBits = code.allocateLocal(TypeKind.LONG);
        int firstValue = code.allocateLocal(TypeKind.LONG);
        int at = code.allocateLocal(TypeKind.LONG);
        int nulls = code.allocateLocal(TypeKind.LONG);
        int bit = code.allocateLocal(TypeKind.LONG);
        RowCode.putLong(code.aload(target).lload(address).lload(set));
        RowCode.place(code, address, (columns.count() + 7) / 8).lstore(nullBits);
        code.lload(nullBits);
        if (nullable != 0) {
            RowCode.nullBytes(code, set, nullable).ladd();
            code.lconst_0().lstore(nulls);
            code.lconst_1().lstore(bit);
        }
        code.lstore(firstValue);
        code.lload(firstValue).lstore(at);
        for (int i = 0; i < columns.count(); i++) {
            int column = i;
            if ((among & 1L << column) != 0) {
                RowCode.ifIn(code, set, column, inSet -> column(inSet, column, target, at, nulls, bit));
            }
        }
        if (nullable != 0) {
            code.aload(target).lload(nullBits).lload(firstValue).lload(nulls);
            code.invokestatic(METHODS, "putNulls", PUT_NULLS);
        }
        code.lload(at);
    }

    private void column(CodeBuilder code, int column, int target, int at, int nulls, int bit) {
        if (!columns.isNullable(column)) {
            value(code, column, target, at);
            return;
        }
        RowCode.nullBit(code, columns, memory, row, column);
        code.ifThenElse(
                Opcode.IFNE,
                isNull -> isNull.lload(nulls).lload(bit).lor().lstore(nulls),
                hasValue -> value(hasValue, column, target, at));
        code.lload(bit).iconst_1().lshl().lstore(bit);
    }

    private void value(CodeBuilder code, int column, int target, int at) {
        RowCode.write(code, columns, memory, row, column, target, at);
    }
}
