package io.reprise.sql.compile.emit;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.ParameterValues;
import io.reprise.sql.compile.runtime.StatementDefinition;
import io.reprise.storage.PartitionStore;
import java.lang.classfile.ClassFile;
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
 * switch over the number; with a constant at the call and an inlined setter nothing but a store remains.
 */
public final class Parameters {
    private static final ClassDesc STATEMENT = Code.descriptor(Statement.class);
    private static final MethodTypeDesc PUT =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_long);
    private static final MethodTypeDesc SET_LONG =
            MethodTypeDesc.of(STATEMENT, ConstantDescs.CD_int, ConstantDescs.CD_long);

    /** Parameters that have a field each. */
    private static final int MOST_FIELDS = 256;

    private final ClassEmitter owner;
    private final List<SqlType> types;

    public Parameters(ClassEmitter owner, List<SqlType> types) {
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

    /** Whether there are so many that they are in arrays, which the superclass has. */
    public static boolean areMany(List<SqlType> types) {
        return types.size() > MOST_FIELDS;
    }

    /** Emits the load of one of many parameters. */
    private static Value loadOfMany(Code code, int parameter, SqlType type) {
        int slot = code.newLocal(type);
        int nullSlot = code.newInt();
        code.raw().aload(0);
        code.push(parameter);
        code.callOwn("parameterWord");
        if (type.kind() == SqlType.Kind.DOUBLE) {
            code.call(Double.class, "longBitsToDouble");
        }
        code.store(type, slot);
        code.raw().aload(0);
        code.push(parameter);
        code.callOwn("isParameterNull");
        code.storeInt(nullSlot);
        return Value.nullable(type, slot, nullSlot);
    }

    /** Emits the load of a parameter. */
    public static Value load(Code code, int parameter, SqlType type, boolean many) {
        if (many) {
            return loadOfMany(code, parameter, type);
        }
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
    public void emitCheck(Code code) {
        if (types.isEmpty()) {
            return;
        }
        Label missing = code.newLabel();
        Label complete = code.newLabel();
        if (areMany(types)) {
            code.raw().aload(0);
            code.callOwn("areParametersSet");
            code.raw().ifne(complete);
            code.raw().aload(0);
            code.callOwn("unsetParameter");
            code.raw().athrow();
            code.bind(complete);
            return;
        }
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
    public void emitMembers() {
        if (areMany(types)) {
            return;
        }
        for (int i = 0; i < types.size(); i++) {
            owner.declare(word(i), long.class);
            owner.declare(nulls(i), long.class);
            owner.declare(given(i), long.class);
        }
        MethodTypeDesc putNull = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
        owner.method("put", PUT, ClassFile.ACC_PROTECTED, code -> {
            Setter setter = new Setter(code);
            setter.byParameter(i -> setter.store(i, () -> code.raw().lload(2)));
            setter.end(false, () -> code.raw().return_());
        });
        owner.method("putNull", putNull, ClassFile.ACC_PROTECTED, code -> {
            Setter setter = new Setter(code);
            setter.byParameter(i -> setter.store(i, () -> code.push(0L)));
            setter.end(true, () -> code.raw().return_());
        });
        MethodTypeDesc isSet = MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_int);
        owner.method("isSet", isSet, ClassFile.ACC_PROTECTED, code -> {
            for (int first = 0; first < types.size(); first += Long.SIZE) {
                Label next = code.newLabel();
                code.raw().iload(1);
                code.push(first + Long.SIZE);
                code.raw().if_icmpge(next);
                code.raw().aload(0).getfield(owner.self(), given(first), ConstantDescs.CD_long);
                code.raw().iload(1).lushr();
                code.push(1L);
                code.raw().land().l2i().ireturn();
                code.bind(next);
            }
            code.push(0);
            code.raw().ireturn();
        });
        setLong();
        setUnscaled();
        forward("ofString", String.class);
        forward("ofText", Text.class);
    }

    private void setLong() {
        owner.method("set", SET_LONG, ClassFile.ACC_PUBLIC, code -> {
            Setter setter = new Setter(code);
            setter.byParameter(i -> setter.storeChecked(i, types.get(i)));
            setter.refuse("outOfRange");
            setter.end(false, () -> code.raw().aload(0).areturn());
        });
    }

    private void setUnscaled() {
        owner.method("setUnscaled", SET_LONG, ClassFile.ACC_PUBLIC, code -> {
            Setter setter = new Setter(code);
            setter.byParameter(i -> {
                if (types.get(i).isWide()) {
                    setter.store(i, () -> setter.pushWide(i, "ofUnscaled"));
                } else if (types.get(i).kind() == SqlType.Kind.DECIMAL) {
                    setter.checkDigits(types.get(i).precision());
                    setter.store(i, () -> code.raw().lload(2));
                } else {
                    code.jump(setter.refused);
                }
            });
            setter.refuse("unscaledRefused");
            setter.end(false, () -> code.raw().aload(0).areturn());
        });
    }

    /** The superclass's setter once more, so that its call of {@code put} has one receiver type. */
    private void forward(String conversion, Class<?> given) {
        MethodTypeDesc set = MethodTypeDesc.of(STATEMENT, ConstantDescs.CD_int, Code.descriptor(given));
        owner.method("set", set, ClassFile.ACC_PUBLIC, code -> {
            Label isNull = code.newLabel();
            code.raw().aload(2).ifnull(isNull);
            code.raw().aload(0).iload(1);
            pushDefinition(code);
            code.raw().iload(1).aload(2);
            code.store();
            code.call(ParameterValues.class, conversion);
            code.raw().invokevirtual(owner.self(), "put", PUT);
            code.raw().aload(0).areturn();
            code.bind(isNull);
            code.raw().aload(0).iload(1);
            code.callOwn("setNull");
            code.raw().areturn();
        });
    }

    private static void pushDefinition(Code code) {
        code.raw().aload(0);
        code.callOwn("definition");
    }

    /**
     * A setter while it is emitted: {@code (int parameter, long value)} or {@code (int parameter)}. The difference between
     * parameters is in a switch, as little as possible, because a setter that is small enough is inlined.
     */
    private final class Setter {
        private final Code code;
        private final Label refused;
        private final List<Label> stored = new ArrayList<>();

        Setter(Code code) {
            this.code = code;
            refused = code.newLabel();
            for (int first = 0; first < types.size(); first += Long.SIZE) {
                stored.add(code.newLabel());
            }
            stamp();
        }

        /** In a new transaction all parameters are unset. */
        private void stamp() {
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

        /** Switches over the parameter's number; throws for one that does not exist. */
        void byParameter(IntConsumer emit) {
            Label none = code.newLabel();
            List<SwitchCase> cases = new ArrayList<>();
            for (int i = 0; i < types.size(); i++) {
                cases.add(SwitchCase.of(i, code.newLabel()));
            }
            if (!cases.isEmpty()) {
                code.raw().iload(1).tableswitch(0, types.size() - 1, none, cases);
            }
            for (SwitchCase switchCase : cases) {
                code.bind(switchCase.target());
                emit.accept(switchCase.caseValue());
            }
            code.bind(none);
            pushDefinition(code);
            code.raw().iload(1);
            code.call(ParameterValues.class, "noParameter");
            code.raw().athrow();
        }

        void store(int parameter, Runnable pushWord) {
            code.raw().aload(0);
            pushWord.run();
            code.raw().putfield(owner.self(), word(parameter), ConstantDescs.CD_long);
            code.jump(stored.get(parameter >>> 6));
        }

        /** Checks the range of a number and stores it as the type's word. */
        void storeChecked(int parameter, SqlType type) {
            switch (type.kind()) {
                case INTEGER, DATE -> checkNarrowed(() -> code.raw().l2i());
                case SMALLINT -> checkNarrowed(() -> code.raw().l2i().i2s());
                case TINYINT -> checkNarrowed(() -> code.raw().l2i().i2b());
                case DECIMAL -> checkDigits(type.precision() - type.scale());
                default -> {}
            }
            store(parameter, () -> pushWord(parameter, type));
        }

        /** Pushes the reference to the number that a long is. */
        void pushWide(int parameter, String conversion) {
            pushDefinition(code);
            code.push(parameter);
            code.raw().lload(2);
            code.store();
            code.call(
                    ParameterValues.class,
                    conversion,
                    StatementDefinition.class,
                    int.class,
                    long.class,
                    PartitionStore.class);
        }

        private void pushWord(int parameter, SqlType type) {
            if (type.isWide()) {
                pushWide(parameter, "ofLong");
                return;
            }
            switch (type.kind()) {
                case DOUBLE -> {
                    code.raw().lload(2).l2d();
                    code.call(Double.class, "doubleToRawLongBits");
                }
                case DECIMAL -> {
                    code.raw().lload(2);
                    code.push(Decimals.power(type.scale()));
                    code.raw().lmul();
                }
                case BOOLEAN, VARCHAR, VARBINARY, TIME -> {
                    pushDefinition(code);
                    code.push(parameter);
                    code.raw().lload(2);
                    code.call(ParameterValues.class, "ofLong", StatementDefinition.class, int.class, long.class);
                }
                default -> code.raw().lload(2);
            }
        }

        /** Refuses a value that is another one when it is narrowed. */
        private void checkNarrowed(Runnable narrow) {
            code.raw().lload(2);
            narrow.run();
            code.raw().i2l().lload(2).lcmp().ifne(refused);
        }

        /** Refuses a value of more than that many digits. */
        void checkDigits(int digits) {
            code.raw().lload(2);
            code.push(Decimals.power(digits));
            code.raw().lcmp().ifge(refused).lload(2);
            code.push(-Decimals.power(digits));
            code.raw().lcmp().ifle(refused);
        }

        /** Emits where refused values end. */
        void refuse(String refusal) {
            code.bind(refused);
            pushDefinition(code);
            code.raw().iload(1).lload(2);
            code.call(ParameterValues.class, refusal);
            code.raw().athrow();
        }

        /** Emits where stored values end: the parameter is set, and NULL or not. */
        void end(boolean isNull, Runnable returns) {
            for (int i = 0; i < stored.size(); i++) {
                int first = i * Long.SIZE;
                code.bind(stored.get(i));
                code.raw().aload(0).dup().getfield(owner.self(), given(first), ConstantDescs.CD_long);
                code.raw().lconst_1().iload(1).lshl().lor();
                code.raw().putfield(owner.self(), given(first), ConstantDescs.CD_long);
                code.raw().aload(0).dup().getfield(owner.self(), nulls(first), ConstantDescs.CD_long);
                code.raw().lconst_1().iload(1).lshl();
                if (isNull) {
                    code.raw().lor();
                } else {
                    code.push(-1L);
                    code.raw().lxor().land();
                }
                code.raw().putfield(owner.self(), nulls(first), ConstantDescs.CD_long);
                returns.run();
            }
        }
    }
}
