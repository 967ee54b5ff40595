package io.reprise.storage.image;

import io.reprise.runtime.memory.Varint;
import io.reprise.storage.index.KeyLayout;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes {@link KeyReader}s: straight code with each column's place in the key's words in it. Whether a number is none is found out
 * for all columns together, at the end.
 */
final class KeyReaderFactory {
    private static final RowClasses<KeyReader> READERS = new RowClasses<>(KeyReader.class);

    /** Of a number that does not end within a word. */
    private static final int MOST_BYTES = Long.BYTES + 1;

    private static final ClassDesc SUPER = RowClasses.descriptor(KeyReader.class);
    private static final ClassDesc VARINT = RowClasses.descriptor(Varint.class);
    private static final ClassDesc LAYOUT = RowClasses.descriptor(KeyLayout.class);
    private static final ClassDesc MEMORY = RowCode.MEMORY;
    private static final ClassDesc LONG = RowCode.LONG;
    private static final ClassDesc INT = RowCode.INT;
    private static final ClassDesc BOOLEAN = RowCode.BOOLEAN;
    private static final ClassDesc WORDS = LONG.arrayType();
    private static final MethodTypeDesc KEY = MethodTypeDesc.of(LONG, MEMORY, LONG, WORDS);
    private static final MethodTypeDesc OF_ROW = MethodTypeDesc.of(RowCode.VOID, MEMORY, LONG, WORDS);
    private static final MethodTypeDesc VALUE = MethodTypeDesc.of(LONG, LONG);
    private static final MethodTypeDesc IS_NUMBER = MethodTypeDesc.of(BOOLEAN, LONG);
    private static final MethodTypeDesc SIZE = MethodTypeDesc.of(INT, LONG);
    private static final MethodTypeDesc PACKED = MethodTypeDesc.of(LONG, LONG, INT);

    /** Slots of the parameters. */
    private static final int SOURCE = 1;

    private static final int ADDRESS = 2;
    private static final int INTO = 4;

    private final ColumnImages columns;
    private final int[] keyColumns;
    private final KeyLayout layout;

    private KeyReaderFactory(ColumnImages columns, int[] keyColumns, KeyLayout layout) {
        this.columns = columns;
        this.keyColumns = keyColumns;
        this.layout = layout;
    }

    /** The reader for keys like those of this layout, which has whole numbers only. */
    static KeyReader of(ColumnImages columns, int[] keyColumns, KeyLayout layout) {
        KeyReaderFactory factory = new KeyReaderFactory(columns, keyColumns, layout);
        return READERS.of(
                factory.shape(),
                () -> builder -> builder.withMethodBody("key", KEY, 0, factory::key)
                        .withMethodBody("ofRow", OF_ROW, 0, factory::ofRow));
    }

    /** The most bytes that are read from an image's beginning. */
    static long reach(int keyColumns) {
        return (long) keyColumns * MOST_BYTES + Long.BYTES;
    }

    /** The values' places in the words follow from it. */
    private List<Integer> shape() {
        List<Integer> shape = new ArrayList<>();
        for (int column : keyColumns) {
            shape.add(columns.form(column));
            shape.add(columns.offset(column));
        }
        return List.copyOf(shape);
    }

    private void key(CodeBuilder code) {
        int at = code.allocateLocal(TypeKind.LONG);
        int valid = code.allocateLocal(TypeKind.INT);
        int number = code.allocateLocal(TypeKind.LONG);
        code.lload(ADDRESS).lstore(at);
        code.iconst_1().istore(valid);
        int[] words = clearWords(code);
        for (int i = 0; i < keyColumns.length; i++) {
            int column = keyColumns[i];
            boolean isByte = columns.isByte(column);
            code.aload(SOURCE).lload(at);
            (isByte ? RowCode.getByte(code).i2l() : get(code, "getLong", LONG)).lstore(number);
            String test = columns.numberTest(column);
            if (test != null) {
                code.iload(valid).lload(number).invokestatic(SUPER, test, IS_NUMBER);
                code.iand().istore(valid);
            }
            if (isByte) {
                code.lload(at).lconst_1().ladd().lstore(at);
            } else {
                code.lload(at).lload(number).invokestatic(VARINT, "sizeInWord", SIZE);
                code.i2l().ladd().lstore(at);
                code.lload(number).invokestatic(SUPER, "value", VALUE).lstore(number);
            }
            code.lload(number);
            pack(code, i, words);
        }
        storeWords(code, words);
        code.iload(valid).ifThen(Opcode.IFEQ, RowCode::otherwise);
        code.lload(at).lreturn();
    }

    private void ofRow(CodeBuilder code) {
        int[] words = clearWords(code);
        for (int i = 0; i < keyColumns.length; i++) {
            int column = keyColumns[i];
            RowCode.place(code.aload(SOURCE), ADDRESS, columns.offset(column));
            switch (columns.width(column)) {
                case Byte.BYTES -> RowCode.getByte(code).i2l();
                case Short.BYTES ->
                    get(code, "getShort", ConstantDescs.CD_short).i2l();
                case Integer.BYTES -> get(code, "getInt", INT).i2l();
                default -> get(code, "getLong", LONG);
            }
            pack(code, i, words);
        }
        storeWords(code, words);
        code.return_();
    }

    private static CodeBuilder get(CodeBuilder code, String method, ClassDesc type) {
        return code.invokevirtual(MEMORY, method, MethodTypeDesc.of(type, LONG));
    }

    private int[] clearWords(CodeBuilder code) {
        int[] words = new int[layout.words()];
        for (int i = 0; i < words.length; i++) {
            words[i] = code.allocateLocal(TypeKind.LONG);
            code.lconst_0().lstore(words[i]);
        }
        return words;
    }

    /** Puts the value on the stack into its word. */
    private void pack(CodeBuilder code, int keyColumn, int... words) {
        int word = words[layout.word(keyColumn)];
        code.loadConstant(layout.bits(keyColumn)).invokestatic(LAYOUT, "packed", PACKED);
        code.loadConstant(layout.shift(keyColumn)).lshl();
        code.lload(word).lor().lstore(word);
    }

    private static void storeWords(CodeBuilder code, int... words) {
        for (int i = 0; i < words.length; i++) {
            code.aload(INTO).loadConstant(i).lload(words[i]).lastore();
        }
    }
}
