package io.reprise.storage.image;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/** Makes {@link UpdateWriter}s: straight code for those columns that lie in the range, and no others. */
final class UpdateWriterFactory {
    private static final RowClasses<UpdateWriter> WRITERS = new RowClasses<>(UpdateWriter.class);

    private static final MethodTypeDesc UPDATE =
            MethodTypeDesc.of(RowCode.LONG, RowCode.MEMORY, RowCode.LONG, RowCode.LONG, RowCode.LONG);

    /** Slots of the parameters. */
    private static final int MEMORY = 1;

    private static final int ROW = 2;
    private static final int IMAGE = 4;
    private static final int ADDRESS = 6;

    private UpdateWriterFactory() {}

    /**
     * The writer for rows like those, which have at most 64 columns.
     *
     * @param candidates the columns in the range, as a set
     * @param unique the columns of unique indexes
     */
    static UpdateWriter of(ColumnImages columns, int[] keyColumns, long candidates, long unique) {
        long keys = candidates & unique;
        List<Integer> shape = new ArrayList<>(RowClasses.shape(columns, keyColumns));
        for (long part : new long[] {candidates, keys}) {
            shape.add((int) part);
            shape.add((int) (part >>> Integer.SIZE));
        }
        return WRITERS.of(
                List.copyOf(shape),
                () -> builder -> builder.withMethodBody(
                        "update", UPDATE, 0, code -> update(code, columns, keyColumns, candidates, keys)));
    }

    private static void update(CodeBuilder code, ColumnImages columns, int[] keyColumns, long candidates, long keys) {
        SetCode set = new SetCode(columns, MEMORY, ROW);
        int changed = code.allocateLocal(TypeKind.LONG);
        code.lconst_0().lstore(changed);
        for (int column = 0; column < columns.count(); column++) {
            if ((candidates & 1L << column) != 0) {
                set.find(code, column, IMAGE, changed);
            }
        }
        code.lload(changed).lconst_0().lcmp();
        code.ifThen(
                Opcode.IFEQ, same -> same.loadConstant(UpdateWriter.UNCHANGED).lreturn());
        if (keys != 0) {
            code.lload(changed).loadConstant(keys).land().lconst_0().lcmp();
            code.ifThen(
                    Opcode.IFNE,
                    other -> other.loadConstant(UpdateWriter.OTHER_KEY).lreturn());
        }
        for (int column : keyColumns) {
            RowCode.write(code, columns, MEMORY, ROW, column, MEMORY, ADDRESS);
        }
        set.write(code, candidates, changed, MEMORY, ADDRESS);
        code.lreturn();
    }
}
