package io.reprise.sql.compile.emit;

import static java.lang.classfile.TypeKind.DOUBLE;
import static java.lang.classfile.TypeKind.INT;
import static java.lang.classfile.TypeKind.LONG;
import static java.lang.classfile.TypeKind.REFERENCE;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.bind.PlanningLimit;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.Errors;
import io.reprise.storage.PartitionStore;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * One generated method while it is written: the code builder with the idioms that all emitters use. Between emitters the
 * operand stack is empty; results for each other are in locals, described by {@link Value}s.
 */
public final class Code {
    private static final ClassDesc PROCEDURE_EXCEPTION = descriptor(ProcedureException.class);

    private final ClassEmitter owner;
    private final CodeBuilder builder;
    private final Deque<Region> regions = new ArrayDeque<>();
    private int memory;

    public Code(ClassEmitter owner, CodeBuilder builder) {
        this.owner = owner;
        this.builder = builder;
        regions.push(new Region());
    }

    /** Emits what each method begins with. */
    public void begin() {
        memory = newReference();
        baseField("memory", Memory.class);
        storeReference(memory);
    }

    /** Pushes the partition's memory. */
    public void memory() {
        loadReference(memory);
    }

    public ClassEmitter owner() {
        return owner;
    }

    public CodeBuilder raw() {
        return builder;
    }

    // Regions

    public Region region() {
        return regions.peek();
    }

    /** Emits code that may be skipped, by a jump that the caller emits around it. */
    public void conditionally(Runnable emit) {
        Region region = new Region();
        regions.push(region);
        emit.run();
        regions.pop();
        region.close();
    }

    /**
     * Emits code that computes something; an error of the computation says what. Costs nothing unless it fails: a handler
     * stands behind the code.
     */
    public void naming(String what, Runnable emit) {
        replacing(emit, () -> {
            push(what);
            call(Errors.class, "in");
        });
    }

    /** Emits code, and a handler that makes another exception of one that ends it; this one is on the stack. */
    public void replacing(Runnable emit, Runnable replace) {
        Label start = newLabel();
        Label end = newLabel();
        Label handler = newLabel();
        Label after = newLabel();
        bind(start);
        // A constant needs no code, and a class file must not have a handler for nothing.
        builder.nop();
        emit.run();
        bind(end);
        jump(after);
        bind(handler);
        replace.run();
        builder.athrow();
        bind(after);
        builder.exceptionCatch(start, end, handler, PROCEDURE_EXCEPTION);
    }

    // Locals

    public int newLong() {
        return builder.allocateLocal(LONG);
    }

    public int newInt() {
        return builder.allocateLocal(INT);
    }

    public int newReference() {
        return builder.allocateLocal(REFERENCE);
    }

    /** A local that fits values of the type. */
    public int newLocal(SqlType type) {
        return builder.allocateLocal(kind(type));
    }

    private static TypeKind kind(SqlType type) {
        return type.kind() == SqlType.Kind.DOUBLE ? DOUBLE : LONG;
    }

    public void storeLong(int slot) {
        builder.lstore(slot);
    }

    public void loadLong(int slot) {
        builder.lload(slot);
    }

    public void storeInt(int slot) {
        builder.istore(slot);
    }

    public void loadInt(int slot) {
        builder.iload(slot);
    }

    public void storeReference(int slot) {
        builder.astore(slot);
    }

    public void loadReference(int slot) {
        builder.aload(slot);
    }

    public void setInt(int slot, int value) {
        builder.loadConstant(value).istore(slot);
    }

    public void setLong(int slot, long value) {
        builder.loadConstant(value).lstore(slot);
    }

    /** Pops a value of the type into the local. */
    public void store(SqlType type, int slot) {
        builder.storeLocal(kind(type), slot);
    }

    /** Sets a local of the type to zero. */
    public void clear(SqlType type, int slot) {
        if (kind(type) == DOUBLE) {
            builder.dconst_0().dstore(slot);
        } else {
            builder.lconst_0().lstore(slot);
        }
    }

    /** Emits a call of a new private method without parameters, whose code is emitted later. */
    public void callNew(String name, MethodTypeDesc type, Consumer<Code> emit) {
        String method = owner.unique(name);
        owner.method(method, type, ClassFile.ACC_PRIVATE, emit);
        builder.aload(0).invokevirtual(owner.self(), method, type);
    }

    /** Emits the keeping of a local in a field, and gives what emits the load into a local of another method. */
    public ToIntFunction<Code> carry(Class<?> type, int slot) {
        String field = owner.variable("carried", type);
        TypeKind kind = TypeKind.from(type);
        builder.aload(0).loadLocal(kind, slot).putfield(owner.self(), field, descriptor(type));
        return callee -> {
            int local = callee.builder.allocateLocal(kind);
            callee.builder
                    .aload(0)
                    .getfield(owner.self(), field, descriptor(type))
                    .storeLocal(kind, local);
            return local;
        };
    }

    // Constants

    public void push(int value) {
        builder.loadConstant(value);
    }

    public void push(long value) {
        builder.loadConstant(value);
    }

    public void push(double value) {
        builder.loadConstant(value);
    }

    public void push(String value) {
        builder.loadConstant(value);
    }

    // Values

    /** Pushes the value: a double for DOUBLE, a long otherwise; zero for NULL. */
    public void push(Value value) {
        if (!value.isConstant()) {
            builder.loadLocal(kind(value.type), value.slot);
        } else if (value.isDouble()) {
            builder.loadConstant(Double.longBitsToDouble(value.constant));
        } else {
            builder.loadConstant(value.constant);
        }
    }

    /** Pushes the value as the word that buffers hold. */
    public void pushWord(Value value) {
        if (value.isConstant()) {
            builder.loadConstant(value.constant);
            return;
        }
        push(value);
        if (value.isDouble()) {
            call(Double.class, "doubleToRawLongBits", double.class);
        }
    }

    /** Pushes 1 for NULL and 0 otherwise, as an int. */
    public void pushNullFlag(Value value) {
        if (value.hasNullFlag()) {
            builder.iload(value.nullSlot);
        } else {
            builder.loadConstant(value.isNull ? 1 : 0);
        }
    }

    public void jumpIfNull(Value value, Label target) {
        if (value.isNull) {
            builder.goto_(target);
        } else if (value.hasNullFlag()) {
            builder.iload(value.nullSlot).ifne(target);
        }
    }

    public void jumpUnlessNull(Value value, Label target) {
        if (value.hasNullFlag()) {
            builder.iload(value.nullSlot).ifeq(target);
        } else if (!value.isNull) {
            builder.goto_(target);
        }
    }

    // Jumps

    public Label newLabel() {
        PlanningLimit.check();
        return builder.newLabel();
    }

    public void bind(Label label) {
        builder.labelBinding(label);
    }

    public void jump(Label label) {
        builder.goto_(label);
    }

    // Fields of the statement

    /** Pushes the content of a field of the generated class. */
    public void field(StatementField field) {
        builder.aload(0).getfield(owner.self(), field.name(), field.descriptor());
    }

    /** Pushes a field that the superclass {@link CompiledStatement} declares. */
    public void baseField(String name, Class<?> type) {
        builder.aload(0).getfield(owner.self(), name, descriptor(type));
    }

    public void store() {
        baseField("store", PartitionStore.class);
    }

    // Calls

    /** Calls the method of that name; parameter types are needed only where there is more than one. */
    public void call(Class<?> type, String name, Class<?>... parameters) {
        ClassEmitter.Callee callee = owner.callee(type, name, parameters);
        if (callee.isStatic()) {
            builder.invokestatic(descriptor(type), name, callee.descriptor());
        } else {
            builder.invokevirtual(descriptor(type), name, callee.descriptor());
        }
    }

    /** Calls a method that {@link CompiledStatement} has for generated code. */
    public void callOwn(String name) {
        builder.invokevirtual(
                owner.self(), name, owner.callee(CompiledStatement.class, name).descriptor());
    }

    public static MethodTypeDesc descriptor(Method method) {
        return MethodTypeDesc.of(
                descriptor(method.getReturnType()),
                Arrays.stream(method.getParameterTypes()).map(Code::descriptor).toList());
    }

    /** The method of that name; parameter types are needed only where there is more than one. */
    public static Method method(Class<?> type, String name, Class<?>... parameters) {
        Method found = null;
        for (Class<?> at = type; at != null && found == null; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                boolean fits = method.getName().equals(name)
                        && !method.isBridge()
                        && (parameters.length == 0 || Arrays.equals(method.getParameterTypes(), parameters));
                if (fits && found != null) {
                    throw new IllegalArgumentException(type.getName() + "." + name + " is ambiguous");
                }
                if (fits) {
                    found = method;
                }
            }
        }
        if (found == null) {
            throw new IllegalArgumentException(
                    "no method " + type.getName() + "." + name + Arrays.toString(parameters));
        }
        return found;
    }

    public static ClassDesc descriptor(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}
