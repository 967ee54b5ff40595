package io.reprise.sql.compile;

import static java.lang.classfile.TypeKind.DOUBLE;
import static java.lang.classfile.TypeKind.INT;
import static java.lang.classfile.TypeKind.LONG;
import static java.lang.classfile.TypeKind.REFERENCE;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.bind.PlanningLimit;
import io.reprise.sql.compile.runtime.Errors;
import io.reprise.storage.PartitionStore;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * One generated method while it is written: the code builder with the idioms that all emitters use. Between emitters the
 * operand stack is empty; what one computes for another is in locals, described by {@link Value}s.
 */
final class Code {
    private static final ClassDesc PROCEDURE_EXCEPTION = descriptor(ProcedureException.class);

    private final ClassEmitter owner;
    private final CodeBuilder builder;
    private final Deque<Region> regions = new ArrayDeque<>();
    private int memory;

    Code(ClassEmitter owner, CodeBuilder builder) {
        this.owner = owner;
        this.builder = builder;
        regions.push(new Region());
    }

    /** Emits what each method begins with. */
    void begin() {
        memory = newReference();
        baseField("memory", Memory.class);
        storeReference(memory);
    }

    /** Pushes the partition's memory. */
    void memory() {
        loadReference(memory);
    }

    ClassEmitter owner() {
        return owner;
    }

    CodeBuilder raw() {
        return builder;
    }

    // Regions

    Region region() {
        return regions.peek();
    }

    /** Emits code that may be skipped, by a jump that the caller emits around it. */
    void conditionally(Runnable emit) {
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
    void naming(String what, Runnable emit) {
        replacing(emit, () -> {
            push(what);
            call(Errors.class, "in");
        });
    }

    /** Emits code, and what makes another exception of one that it ends with; that is on the stack. */
    void replacing(Runnable emit, Runnable replace) {
        Label start = newLabel();
        Label end = newLabel();
        Label handler = newLabel();
        Label after = newLabel();
        bind(start);
        // What is computed while compiling needs no code, and a class file must not have a handler for nothing.
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

    int newLong() {
        return builder.allocateLocal(LONG);
    }

    int newInt() {
        return builder.allocateLocal(INT);
    }

    int newReference() {
        return builder.allocateLocal(REFERENCE);
    }

    /** A local that fits values of the type. */
    int newLocal(SqlType type) {
        return builder.allocateLocal(kind(type));
    }

    private static TypeKind kind(SqlType type) {
        return type.kind() == SqlType.Kind.DOUBLE ? DOUBLE : LONG;
    }

    void storeLong(int slot) {
        builder.lstore(slot);
    }

    void loadLong(int slot) {
        builder.lload(slot);
    }

    void storeInt(int slot) {
        builder.istore(slot);
    }

    void loadInt(int slot) {
        builder.iload(slot);
    }

    void storeReference(int slot) {
        builder.astore(slot);
    }

    void loadReference(int slot) {
        builder.aload(slot);
    }

    void setInt(int slot, int value) {
        builder.loadConstant(value).istore(slot);
    }

    void setLong(int slot, long value) {
        builder.loadConstant(value).lstore(slot);
    }

    /** Pops a value of the type into the local. */
    void store(SqlType type, int slot) {
        builder.storeLocal(kind(type), slot);
    }

    /** Sets a local of the type to zero. */
    void clear(SqlType type, int slot) {
        if (kind(type) == DOUBLE) {
            builder.dconst_0().dstore(slot);
        } else {
            builder.lconst_0().lstore(slot);
        }
    }

    // Constants

    void push(int value) {
        builder.loadConstant(value);
    }

    void push(long value) {
        builder.loadConstant(value);
    }

    void push(double value) {
        builder.loadConstant(value);
    }

    void push(String value) {
        builder.loadConstant(value);
    }

    // Values

    /** Pushes the value: a double for DOUBLE, a long otherwise; zero for NULL. */
    void push(Value value) {
        if (!value.isConstant()) {
            builder.loadLocal(kind(value.type), value.slot);
        } else if (value.isDouble()) {
            builder.loadConstant(Double.longBitsToDouble(value.constant));
        } else {
            builder.loadConstant(value.constant);
        }
    }

    /** Pushes the value as the word that buffers hold. */
    void pushWord(Value value) {
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
    void pushNullFlag(Value value) {
        if (value.hasNullFlag()) {
            builder.iload(value.nullSlot);
        } else {
            builder.loadConstant(value.isNull ? 1 : 0);
        }
    }

    void jumpIfNull(Value value, Label target) {
        if (value.isNull) {
            builder.goto_(target);
        } else if (value.hasNullFlag()) {
            builder.iload(value.nullSlot).ifne(target);
        }
    }

    void jumpUnlessNull(Value value, Label target) {
        if (value.hasNullFlag()) {
            builder.iload(value.nullSlot).ifeq(target);
        } else if (!value.isNull) {
            builder.goto_(target);
        }
    }

    // Jumps

    Label newLabel() {
        PlanningLimit.check();
        return builder.newLabel();
    }

    void bind(Label label) {
        builder.labelBinding(label);
    }

    void jump(Label label) {
        builder.goto_(label);
    }

    // Fields of the statement

    /** Pushes the content of a field of the generated class. */
    void field(StatementField field) {
        builder.aload(0).getfield(owner.self(), field.name(), field.descriptor());
    }

    /** Pushes a field that the superclass {@link CompiledStatement} declares. */
    void baseField(String name, Class<?> type) {
        builder.aload(0).getfield(owner.self(), name, descriptor(type));
    }

    void store() {
        baseField("store", PartitionStore.class);
    }

    // Calls

    /** Calls the method of that name; parameter types are needed only where there is more than one. */
    void call(Class<?> type, String name, Class<?>... parameters) {
        ClassEmitter.Callee callee = owner.callee(type, name, parameters);
        if (callee.isStatic()) {
            builder.invokestatic(descriptor(type), name, callee.descriptor());
        } else {
            builder.invokevirtual(descriptor(type), name, callee.descriptor());
        }
    }

    /** Calls a method that {@link CompiledStatement} has for generated code. */
    void callOwn(String name) {
        builder.invokevirtual(
                owner.self(), name, owner.callee(CompiledStatement.class, name).descriptor());
    }

    static MethodTypeDesc descriptor(Method method) {
        return MethodTypeDesc.of(
                descriptor(method.getReturnType()),
                Arrays.stream(method.getParameterTypes()).map(Code::descriptor).toList());
    }

    /** The method of that name; parameter types are needed only where there is more than one. */
    static Method method(Class<?> type, String name, Class<?>... parameters) {
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

    static ClassDesc descriptor(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}
