package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Consumer;

/**
 * The common code of the generated classes. Its operands are slots of local variables: of a memory, of an address, of
 * a set of columns.
 */
final class RowCode {
    static final ClassDesc MEMORY = RowClasses.descriptor(Memory.class);
    static final ClassDesc LONG = ConstantDescs.CD_long;
    static final ClassDesc INT = ConstantDescs.CD_int;
    static final ClassDesc BYTE = ConstantDescs.CD_byte;
    static final ClassDesc BOOLEAN = ConstantDescs.CD_boolean;
    static final ClassDesc VOID = ConstantDescs.CD_void;

    /** From an address of one memory to an address of another; returns the address behind what was read or written. */
    static final MethodTypeDesc CONVERSION = MethodTypeDesc.of(LONG, MEMORY, LONG, MEMORY, LONG);

    private static final MethodTypeDesc GET_BYTE = MethodTypeDesc.of(BYTE, LONG);
    private static final MethodTypeDesc PUT_BYTE = MethodTypeDesc.of(VOID, LONG, BYTE);
    private static final MethodTypeDesc PUT_LONG = MethodTypeDesc.of(VOID, LONG, LONG);
    private static final MethodTypeDesc BIT_COUNT = MethodTypeDesc.of(INT, LONG);

    private RowCode() {}

    /** Leaves an address. */
    static CodeBuilder place(CodeBuilder code, int base, int offset) {
        return code.lload(base).loadConstant((long) offset).ladd();
    }

    /** Takes a memory and an address, leaves the byte there. */
    static CodeBuilder getByte(CodeBuilder code) {
        return code.invokevirtual(MEMORY, "getByte", GET_BYTE);
    }

    /** Takes a memory, an address, and a byte to put there. */
    static void putByte(CodeBuilder code) {
        code.invokevirtual(MEMORY, "putByte", PUT_BYTE);
    }

    /** Takes a memory, an address, and a word to put there. */
    static void putLong(CodeBuilder code) {
        code.invokevirtual(MEMORY, "putLong", PUT_LONG);
    }

    /** Leaves something other than 0 if the column of a row is NULL. */
    static void nullBit(CodeBuilder code, ColumnImages columns, int memory, int row, int column) {
        code.aload(memory);
        getByte(place(code, row, columns.nullByte(column)));
        code.loadConstant(columns.nullMask(column)).iand();
    }

    /** Writes a value that is not NULL of a row in one memory to an address of another, which is then behind it. */
    static void write(CodeBuilder code, ColumnImages columns, int memory, int row, int column, int target, int at) {
        place(code.aload(memory), row, columns.offset(column)).aload(target).lload(at);
        code.invokestatic(RowClasses.descriptor(RowWriter.class), columns.writerMethod(column), CONVERSION)
                .lstore(at);
    }

    /** Code for the case that a column is in a set. */
    static void ifIn(CodeBuilder code, int set, int column, Consumer<CodeBuilder.BlockCodeBuilder> then) {
        code.lload(set).loadConstant(1L << column).land().lconst_0().lcmp();
        code.ifThen(Opcode.IFNE, then);
    }

    /** Leaves the length of the null bits of a set's columns, as a long. */
    static CodeBuilder nullBytes(CodeBuilder code, int set, long nullable) {
        code.lload(set).loadConstant(nullable).land();
        code.invokestatic(ConstantDescs.CD_Long, "bitCount", BIT_COUNT);
        return code.loadConstant(7).iadd().iconst_3().ishr().i2l();
    }

    /** Returns if the address in this slot is {@link RowReader#OTHERWISE}. */
    static void returnIfOtherwise(CodeBuilder code, int at) {
        code.lload(at).lconst_0().lcmp();
        code.ifThen(Opcode.IFLT, RowCode::otherwise);
    }

    /** Returns {@link RowReader#OTHERWISE}. */
    static void otherwise(CodeBuilder code) {
        code.loadConstant(RowReader.OTHERWISE).lreturn();
    }
}
