package io.reprise.execution.deploy;

import io.reprise.procedure.Procedure;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;

/** Writes the {@link Invoker} of a procedure class. */
final class InvokerGenerator {
    private static final ClassDesc INVOKER = desc(Invoker.class);
    private static final ClassDesc ARGUMENTS = desc(Arguments.class);
    private static final ClassDesc SINK = desc(ResultSink.class);
    private static final ClassDesc PROCEDURE = desc(Procedure.class);
    private static final int ARGUMENTS_SLOT = 2;
    private static final int SINK_SLOT = 3;

    private InvokerGenerator() {}

    /**
     * The class file of an invoker with this name for this procedure class.
     *
     * @param changed the arguments of which the procedure gets copies
     */
    static byte[] generate(
            String invokerName, String procedureName, ProcedureSignature signature, ChangedArguments changed) {
        ClassDesc procedure = ClassDesc.of(procedureName);
        return ClassFile.of()
                .build(
                        ClassDesc.of(invokerName),
                        builder -> builder.withFlags(
                                        AccessFlag.PUBLIC, AccessFlag.FINAL, AccessFlag.SUPER, AccessFlag.SYNTHETIC)
                                .withSuperclass(INVOKER)
                                .withMethodBody(
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void,
                                        ClassFile.ACC_PUBLIC,
                                        code -> code.aload(0)
                                                .invokespecial(INVOKER, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                                                .return_())
                                .withMethodBody(
                                        "create",
                                        MethodTypeDesc.of(PROCEDURE),
                                        ClassFile.ACC_PUBLIC,
                                        code -> code.new_(procedure)
                                                .dup()
                                                .invokespecial(
                                                        procedure, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                                                .areturn())
                                .withMethodBody(
                                        "invoke",
                                        MethodTypeDesc.of(ConstantDescs.CD_void, PROCEDURE, ARGUMENTS, SINK),
                                        ClassFile.ACC_PUBLIC,
                                        code -> invoke(code, procedure, signature, changed)));
    }

    private static void invoke(
            CodeBuilder code, ClassDesc procedure, ProcedureSignature signature, ChangedArguments changed) {
        code.aload(SINK_SLOT).aload(1).checkcast(procedure);
        for (int i = 0; i < signature.parameters().size(); i++) {
            ParameterType parameter = signature.parameters().get(i);
            load(code, i, parameter);
            ClassDesc type = desc(parameter.javaType());
            if (changed.include(type)) {
                code.invokestatic(INVOKER, "copy", MethodTypeDesc.of(type, type));
            }
        }
        List<ClassDesc> parameters =
                signature.parameters().stream().map(p -> desc(p.javaType())).toList();
        MethodTypeDesc run = MethodTypeDesc.of(desc(signature.result().javaType()), parameters);
        code.invokevirtual(procedure, "run", run);
        switch (signature.result()) {
            case VOID -> code.invokeinterface(SINK, "nothing", ConstantDescs.MTD_void);
            case LONG -> give(code, "integer", ConstantDescs.CD_long);
            case INT -> give(code.i2l(), "integer", ConstantDescs.CD_long);
            case BOOLEAN -> give(code, "bool", ConstantDescs.CD_boolean);
            case DOUBLE -> give(code, "number", ConstantDescs.CD_double);
            case STRING -> give(code, "string", ConstantDescs.CD_String);
            case ROWS -> give(code, "rows", desc(signature.result().javaType()));
            case TABLE -> give(code, "table", desc(signature.result().javaType()));
        }
        code.return_();
    }

    private static void give(CodeBuilder code, String method, ClassDesc type) {
        code.invokeinterface(SINK, method, MethodTypeDesc.of(ConstantDescs.CD_void, type));
    }

    private static void load(CodeBuilder code, int index, ParameterType type) {
        code.aload(ARGUMENTS_SLOT).loadConstant(index);
        switch (type) {
            case BOOLEAN, INT -> word(code).l2i();
            case BYTE -> word(code).l2i().i2b();
            case SHORT -> word(code).l2i().i2s();
            case LONG -> word(code);
            case DOUBLE -> argument(code, "doubleAt", ConstantDescs.CD_double);
            case NULLABLE_BOOLEAN, NULLABLE_BYTE, NULLABLE_SHORT, NULLABLE_INT, NULLABLE_LONG, NULLABLE_DOUBLE ->
                code.invokestatic(
                        INVOKER,
                        "nullable" + type.javaType().getSimpleName(),
                        MethodTypeDesc.of(desc(type.javaType()), ARGUMENTS, ConstantDescs.CD_int));
            case STRING, TEXT, DECIMAL, BYTES, INT_ARRAY, LONG_ARRAY, DOUBLE_ARRAY, STRING_ARRAY ->
                argument(code, "reference", ConstantDescs.CD_Object).checkcast(desc(type.javaType()));
        }
    }

    private static CodeBuilder word(CodeBuilder code) {
        return argument(code, "word", ConstantDescs.CD_long);
    }

    private static CodeBuilder argument(CodeBuilder code, String method, ClassDesc type) {
        return code.invokevirtual(ARGUMENTS, method, MethodTypeDesc.of(type, ConstantDescs.CD_int));
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}
