package io.reprise.storage.image;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** Makes {@link SetWriter}s. */
final class SetWriterFactory {
    private static final RowClasses<SetWriter> WRITERS = new RowClasses<>(SetWriter.class);

    private static final ClassDesc MEMORY = RowCode.MEMORY;
    private static final ClassDesc LONG = RowCode.LONG;
    private static final MethodTypeDesc CHANGED = MethodTypeDesc.of(LONG, MEMORY, LONG, LONG, LONG);
    private static final MethodTypeDesc COLUMNS = MethodTypeDesc.of(LONG, MEMORY, LONG, LONG, MEMORY, LONG);

    /** Slots of the parameters. */
    private static final int FROM_MEMORY = 1;

    private static final int ROW = 2;
    private static final int IMAGE = 4;
    private static final int CANDIDATES = 6;
    private static final int SET = 4;
    private static final int TARGET = 6;
    private static final int ADDRESS = 7;

    private SetWriterFactory() {}

    /** The writer for rows like those, which have at most 64 columns. */
    static SetWriter of(ColumnImages columns) {
        SetCode set = new SetCode(columns, FROM_MEMORY, ROW);
        return WRITERS.of(
                RowClasses.shape(columns),
                () -> builder -> builder.withMethodBody("changed", CHANGED, 0, code -> changed(code, set))
                        .withMethodBody("columns", COLUMNS, 0, code -> {
                            set.write(code, -1L, SET, TARGET, ADDRESS);
                            code.lreturn();
                        }));
    }

    private static void changed(CodeBuilder code, SetCode set) {
        int changed = code.allocateLocal(TypeKind.LONG);
        code.lconst_0().lstore(changed);
        for (int i = 0; i < set.columns().count(); i++) {
            int column = i;
            RowCode.ifIn(code, CANDIDATES, column, candidate -> set.find(candidate, column, IMAGE, changed));
        }
        code.lload(changed).lreturn();
    }
}
