package io.reprise.sql.compile;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.storage.PartitionStore;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * A statement's parameters: a field for each, and bit fields that say which ones are set and which are NULL. The setters
 * switch over the number; where it is a constant at the call and the setter is inlined, nothing but a store remains.
 */
final class Parameters {
    private static final ClassDesc STATEMENT = Code.descriptor(Statement.class);

    private final ClassEmitter owner;
    private final List<SqlType> types;

    Parameters(ClassEmitter owner, List<SqlType> types) {
        this.owner = owner;
        this.types = types;
    }

    private static String word(int parameter) {
        return "parameter" + parameter;
    }

    private static String nulls(int parameter) {
        return "nulls" + (parameter >>> 6);
    }

    private static String given(int parameter) {
        return "given" + (parameter >>> 6);
    }

    /** Emits the load of a parameter. */
    static Value load(Code code, int parameter, SqlType type) {
        int slot = code.newLocal(type);
        ClassDesc self = code.owner().self();
        code.raw().aload(0).getfield(self, word(parameter), ConstantDescs.CD_long);
        if (type.kind() == SqlType.Kind.DOUBLE) {
            code.call(Double.class, "longBitsToDouble");
        }
        code.store(type, slot);
        int nullSlot = code.newInt();
        code.raw().aload(0).getfield(self, nulls(parameter), ConstantDescs.CD_long);
        code.push(parameter & 63);
        code.raw().lushr();
        code.push(1L);
        code.raw().land().l2i();
        code.storeInt(nullSlot);
        return Value.nullable(type, slot, nullSlot);
    }

    /** Emits what an execution begins with: all parameters must have been set in this transaction. */
    void emitCheck(Code code) {
        if (types.isEmpty()) {
            return;
        }
        Label missing = code.newLabel();
        Label complete = code.newLabel();
        code.baseField("parametersOf", long.class);
        code.store();
        code.call(PartitionStore.class, "transactionId");
        code.raw().lcmp().ifne(missing);
        for (int first = 0; first < types.size(); first += Long.SIZE) {
            code.raw().aload(0).getfield(owner.self(), given(first), ConstantDescs.CD_long);
            int count = Math.min(Long.SIZE, types.size() - first);
            code.push(-1L >>> (Long.SIZE - count));
            code.raw().lcmp().ifne(missing);
        }
        code.jump(complete);
        code.bind(missing);
        code.raw().aload(0);
        code.callOwn("unsetParameter");
        code.raw().athrow();
        code.bind(complete);
    }

    /** Emits fields and setters. */
    void emitMembers() {
        for (int i = 0; i < types.size(); i++) {
            owner.declare(word(i), long.class);
            owner.declare(nulls(i), long.class);
            owner.declare(given(i), long.class);
        }
        MethodTypeDesc put = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_long);
        owner.method("put", put, ClassFile.ACC_PROTECTED, code -> {
            stamp(code);
            byParameter(code, i -> store(code, i, () -> code.raw().lload(2), false));
            code.raw().return_();
        });
        MethodTypeDesc putNull = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
        owner.method("putNull", putNull, ClassFile.ACC_PROTECTED, code -> {
            stamp(code);
            byParameter(code, i -> storeNull(code, i));
            code.raw().return_();
        });
        MethodTypeDesc isSet = MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_int);
        owner.method("isSet", isSet, ClassFile.ACC_PROTECTED, code -> {
            byParameter(code, i -> {
                code.raw().aload(0).getfield(owner.self(), given(i), ConstantDescs.CD_long);
                code.push(i & 63);
                code.raw().lushr();
                code.push(1L);
                code.raw().land().l2i().ireturn();
            });
            code.push(0);
            code.raw().ireturn();
        });
        setLong();
        setUnscaled();
        forward("ofString", String.class);
        forward("ofText", Text.class);
    }

    private void setLong() {
        MethodTypeDesc set = MethodTypeDesc.of(STATEMENT, ConstantDescs.CD_int, ConstantDescs.CD_long);
        owner.method("set", set, ClassFile.ACC_PUBLIC, code -> {
            stamp(code);
            byParameter(code, i -> store(code, i, () -> pushChecked(code, i), true));
            refuseNumber(code);
        });
    }

    /** Throws for a number that is no parameter's. */
    private static void refuseNumber(Code code) {
        pushFactory(code);
        code.raw().iload(1);
        code.call(ParameterValues.class, "check");
        code.raw().pop().aload(0).areturn();
    }

    private void pushChecked(Code code, int parameter) {
        SqlType type = types.get(parameter);
        switch (type.kind()) {
            case BIGINT, TIMESTAMP -> code.raw().lload(2);
            case DOUBLE -> {
                code.raw().lload(2).l2d();
                code.call(Double.class, "doubleToRawLongBits");
            }
            case INTEGER, DATE -> pushNarrowed(code, parameter, code.raw()::l2i);
            case SMALLINT -> pushNarrowed(code, parameter, () -> code.raw().l2i().i2s());
            case TINYINT -> pushNarrowed(code, parameter, () -> code.raw().l2i().i2b());
            case DECIMAL -> {
                pushLimited(code, parameter, type.precision() - type.scale(), "outOfRange");
                code.push(Decimals.power(type.scale()));
                code.raw().lmul();
            }
            default -> {
                pushFactory(code);
                code.push(parameter);
                code.raw().lload(2);
                code.call(ParameterValues.class, "ofLong");
            }
        }
    }

    /** Pushes the argument if it is the same when it is narrowed. */
    private static void pushNarrowed(Code code, int parameter, Runnable narrow) {
        Label fits = code.newLabel();
        code.raw().lload(2);
        narrow.run();
        code.raw().i2l().lload(2).lcmp().ifeq(fits);
        refuse(code, parameter, "outOfRange");
        code.bind(fits);
        code.raw().lload(2);
    }

    /** Pushes the argument if it has no more than that many digits. */
    private static void pushLimited(Code code, int parameter, int digits, String refusal) {
        Label refused = code.newLabel();
        Label fits = code.newLabel();
        code.raw().lload(2);
        code.push(Decimals.power(digits));
        code.raw().lcmp().ifge(refused).lload(2);
        code.push(-Decimals.power(digits));
        code.raw().lcmp().ifgt(fits);
        code.bind(refused);
        refuse(code, parameter, refusal);
        code.bind(fits);
        code.raw().lload(2);
    }

    private static void refuse(Code code, int parameter, String refusal) {
        pushFactory(code);
        code.push(parameter);
        code.raw().lload(2);
        code.call(ParameterValues.class, refusal);
        code.raw().athrow();
    }

    private void setUnscaled() {
        MethodTypeDesc set = MethodTypeDesc.of(STATEMENT, ConstantDescs.CD_int, ConstantDescs.CD_long);
        owner.method("setUnscaled", set, ClassFile.ACC_PUBLIC, code -> {
            stamp(code);
            byParameter(code, i -> {
                if (types.get(i).kind() == SqlType.Kind.DECIMAL) {
                    int precision = types.get(i).precision();
                    store(code, i, () -> pushLimited(code, i, precision, "unscaledOutOfRange"), true);
                } else {
                    refuse(code, i, "notDecimal");
                }
            });
            refuseNumber(code);
        });
    }

    /** The superclass's setter once more, so that its call of {@code put} has one receiver type. */
    private void forward(String conversion, Class<?> given) {
        MethodTypeDesc set = MethodTypeDesc.of(STATEMENT, ConstantDescs.CD_int, Code.descriptor(given));
        owner.method("set", set, ClassFile.ACC_PUBLIC, code -> {
            Label isNull = code.newLabel();
            code.raw().aload(2).ifnull(isNull);
            code.raw().aload(0).iload(1);
            pushFactory(code);
            code.raw().iload(1).aload(2);
            code.store();
            code.call(ParameterValues.class, conversion);
            code.raw().invokevirtual(
                    owner.self(),
                    "put",
                    MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_long));
            code.raw().aload(0).areturn();
            code.bind(isNull);
            code.raw().aload(0).iload(1);
            code.callOwn("setNull");
            code.raw().areturn();
        });
    }

    private static void pushFactory(Code code) {
        code.raw().aload(0);
        code.callOwn("factory");
    }

    /** In a new transaction all parameters are unset. */
    private void stamp(Code code) {
        Label current = code.newLabel();
        int transaction = code.newLong();
        code.store();
        code.call(PartitionStore.class, "transactionId");
        code.storeLong(transaction);
        code.loadLong(transaction);
        code.baseField("parametersOf", long.class);
        code.raw().lcmp().ifeq(current);
        code.raw().aload(0).lload(transaction).putfield(owner.self(), "parametersOf", ConstantDescs.CD_long);
        for (int first = 0; first < types.size(); first += Long.SIZE) {
            code.raw().aload(0).lconst_0().putfield(owner.self(), given(first), ConstantDescs.CD_long);
            code.raw().aload(0).lconst_0().putfield(owner.self(), nulls(first), ConstantDescs.CD_long);
        }
        code.bind(current);
    }

    /** Switches over the parameter number in local 1; falls out at the end for a number that does not exist. */
    private void byParameter(Code code, IntConsumer emit) {
        if (types.isEmpty()) {
            return;
        }
        Label none = code.newLabel();
        List<SwitchCase> cases = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            cases.add(SwitchCase.of(i, code.newLabel()));
        }
        code.raw().iload(1).tableswitch(0, types.size() - 1, none, cases);
        for (SwitchCase switchCase : cases) {
            code.bind(switchCase.target());
            emit.accept(switchCase.caseValue());
        }
        code.bind(none);
    }

    private void store(Code code, int parameter, Runnable pushWord, boolean returnThis) {
        ClassDesc self = owner.self();
        code.raw().aload(0);
        pushWord.run();
        code.raw().putfield(self, word(parameter), ConstantDescs.CD_long);
        setBit(code, given(parameter), parameter, true);
        setBit(code, nulls(parameter), parameter, false);
        if (returnThis) {
            code.raw().aload(0).areturn();
        } else {
            code.raw().return_();
        }
    }

    private void storeNull(Code code, int parameter) {
        code.raw().aload(0).lconst_0().putfield(owner.self(), word(parameter), ConstantDescs.CD_long);
        setBit(code, given(parameter), parameter, true);
        setBit(code, nulls(parameter), parameter, true);
        code.raw().return_();
    }

    private void setBit(Code code, String field, int parameter, boolean value) {
        CodeBuilder builder = code.raw();
        long bit = 1L << parameter;
        builder.aload(0).dup().getfield(owner.self(), field, ConstantDescs.CD_long);
        if (value) {
            builder.loadConstant(bit).lor();
        } else {
            builder.loadConstant(~bit).land();
        }
        builder.putfield(owner.self(), field, ConstantDescs.CD_long);
    }
}
