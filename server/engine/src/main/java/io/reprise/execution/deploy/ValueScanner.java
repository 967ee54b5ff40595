package io.reprise.execution.deploy;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Scans one method for results that depend on a value's origin, by following the values on the operand stack and in
 * local variables: writes to the content of a static field, and objects made into strings or hash codes whose class
 * defines none.
 *
 * <p>It goes over the code once, in order, so it knows a variable by its last assignment in the text. It misses some
 * cases, but rejects no code that did not assign the value.
 */
final class ValueScanner {
    /**
     * The known facts about a value.
     *
     * @param staticField the static field it was read from, perhaps through other objects; or null
     * @param type its static type, or null
     * @param ownField the field of this object that it was read from; "this" for the object itself; or null
     */
    record Known(String staticField, ClassDesc type, String ownField) {
        Known(String staticField, ClassDesc type) {
            this(staticField, type, null);
        }
    }

    private static final String THIS = "this";

    /** An element read from a collection is a part of it, and so is the iterator that reads it. */
    private static final Set<String> ELEMENT_READERS = Set.of(
            "entrySet",
            "get",
            "getFirst",
            "getKey",
            "getLast",
            "getOrDefault",
            "getValue",
            "iterator",
            "keySet",
            "next",
            "peek",
            "subList",
            "values");

    private static final Set<String> STRING_MAKERS = Set.of(
            "java.lang.String.valueOf",
            "java.lang.StringBuilder.append",
            "java.lang.StringBuffer.append",
            "java.util.Objects.toString");

    /** Methods that make a hash code of their argument, or of its elements. */
    private static final Set<String> HASH_MAKERS = Set.of(
            "java.util.Objects.hashCode",
            "java.util.Objects.hash",
            "java.util.Arrays.hashCode",
            "java.util.Arrays.deepHashCode");

    private final DeterminismScanner scanner;
    private final String className;
    private final Consumer<String> findings;
    private final IntConsumer lines;
    private final Map<Integer, Known> locals = new HashMap<>();
    private final Map<Label, OperandStack> stacks = new HashMap<>();
    private OperandStack stack = new OperandStack();

    /** Elements put into arrays whose hash code tells their place in memory. */
    private final IdentityHashMap<Known, Set<ClassDesc>> elements = new IdentityHashMap<>();

    /** Classes of lambdas, and which type these had that were asked for them. */
    private final IdentityHashMap<Known, ClassDesc> lambdaClasses = new IdentityHashMap<>();

    /** A hash code may depend on where its object lies: it takes a call from outside to tell of it. */
    private boolean inHashCode;

    ValueScanner(DeterminismScanner scanner, String className, Consumer<String> findings, IntConsumer lines) {
        this.scanner = scanner;
        this.className = className;
        this.findings = findings;
        this.lines = lines;
    }

    void scan(MethodModel method, CodeModel code) {
        boolean isStatic = method.flags().has(AccessFlag.STATIC);
        inHashCode = method.methodName().equalsString("hashCode");
        // A constructor makes the object's content; readers see it complete.
        if (!isStatic && !method.methodName().equalsString("<init>")) {
            locals.put(0, new Known(null, ClassDesc.of(className), THIS));
        }
        int slot = isStatic ? 0 : 1;
        for (ClassDesc parameter : method.methodTypeSymbol().parameterList()) {
            locals.put(slot, new Known(null, parameter));
            slot += TypeKind.from(parameter).slotSize();
        }
        for (ExceptionCatch handler : code.exceptionHandlers()) {
            OperandStack thrown = new OperandStack();
            thrown.push(TypeKind.REFERENCE, null);
            stacks.put(handler.handler(), thrown);
        }
        code.forEach(this::step);
    }

    private void step(CodeElement element) {
        switch (element) {
            case LineNumber number -> lines.accept(number.line());
            case LabelTarget target -> stack = stacks.getOrDefault(target.label(), stack);
            case LoadInstruction load -> stack.push(load.typeKind(), locals.get(load.slot()));
            case StoreInstruction store -> locals.put(store.slot(), stack.pop(store.typeKind()));
            case ArrayLoadInstruction load -> {
                stack.pop(TypeKind.INT);
                stack.push(load.typeKind(), element(stack.pop(TypeKind.REFERENCE)));
            }
            case ArrayStoreInstruction store -> {
                Known stored = stack.pop(store.typeKind());
                stack.pop(TypeKind.INT);
                Known array = stack.pop(TypeKind.REFERENCE);
                holds(array, stored);
                changed(array, "an element of the array");
            }
            case FieldInstruction field -> field(field);
            case InvokeInstruction call -> call(call);
            case InvokeDynamicInstruction dynamic
            when joinsStrings(dynamic) -> {
                dynamic.typeSymbol().parameterList().reversed().forEach(p -> {
                    named(stack.pop(TypeKind.from(p)));
                    madeString(new Known(null, p));
                });
                stack.push(TypeKind.REFERENCE, null);
            }
            case BranchInstruction branch -> branch(branch);
            case TableSwitchInstruction table -> {
                stack.pop(TypeKind.INT);
                table.cases().forEach(c -> reaches(c.target()));
                reaches(table.defaultTarget());
                stack = new OperandStack();
            }
            case LookupSwitchInstruction lookup -> {
                stack.pop(TypeKind.INT);
                lookup.cases().forEach(c -> reaches(c.target()));
                reaches(lookup.defaultTarget());
                stack = new OperandStack();
            }
            case ReturnInstruction _ -> stack = new OperandStack();
            case ThrowInstruction _ -> stack = new OperandStack();
            default -> stack.apply(element);
        }
    }

    private static boolean joinsStrings(InvokeDynamicInstruction dynamic) {
        return MethodScanner.binaryName(dynamic.bootstrapMethod().owner())
                .equals("java.lang.invoke.StringConcatFactory");
    }

    private static Known element(Known array) {
        if (array == null) {
            return null;
        }
        boolean typed = array.type() != null && array.type().isArray();
        return new Known(array.staticField(), typed ? array.type().componentType() : null, array.ownField());
    }

    private void field(FieldInstruction field) {
        ClassDesc type = field.typeSymbol();
        TypeKind kind = TypeKind.from(type);
        String owner = MethodScanner.binaryName(field.owner().asSymbol());
        String name = field.name().stringValue();
        switch (field.opcode()) {
            case GETSTATIC -> stack.push(kind, new Known(owner + "." + name, type));
            case PUTSTATIC -> stack.pop(kind);
            case GETFIELD -> {
                Known object = stack.pop(TypeKind.REFERENCE);
                stack.push(kind, object == null ? new Known(null, type) : partOf(object, name, type));
            }
            default -> {
                stack.pop(kind);
                changed(stack.pop(TypeKind.REFERENCE), "the field " + name + " of the object");
            }
        }
    }

    private void call(InvokeInstruction call) {
        String owner = MethodScanner.binaryName(call.owner().asSymbol());
        String name = call.name().stringValue();
        MethodTypeDesc type = call.typeSymbol();
        int changed = call.opcode() == Opcode.INVOKESTATIC ? StaticState.changedArgument(owner, name) : -1;
        for (int i = type.parameterCount() - 1; i >= 0; i--) {
            ClassDesc parameter = type.parameterType(i);
            Known argument = stack.pop(TypeKind.from(parameter));
            if (i == changed) {
                changed(argument, "by " + name + " the object");
            }
            if (parameter.equals(ConstantDescs.CD_Object) && STRING_MAKERS.contains(owner + "." + name)) {
                madeString(argument);
                named(argument);
            }
            if (HASH_MAKERS.contains(owner + "." + name)) {
                madeHash(argument, owner + "." + name);
            }
        }
        Known result = new Known(null, type.returnType());
        if (call.opcode() != Opcode.INVOKESTATIC) {
            Known receiver = stack.pop(TypeKind.REFERENCE);
            if (type.parameterCount() == 0) {
                askedFor(name, receiver, owner, result);
            }
            if (receiver != null && givesPart(owner, name, type)) {
                result = partOf(receiver, name, type.returnType());
            }
            String foreign = scanner.isOwn(owner) ? scanner.foreignSuperclass(owner) : owner;
            if (StaticState.isMutator(foreign, name)) {
                changed(receiver, "by " + name + " the object");
            }
        }
        stack.push(TypeKind.from(type.returnType()), result);
    }

    private static Known partOf(Known object, String name, ClassDesc type) {
        return new Known(object.staticField(), type, THIS.equals(object.ownField()) ? name : object.ownField());
    }

    /** Whether a method gives out what the object holds, rather than something new. */
    private boolean givesPart(String owner, String name, MethodTypeDesc type) {
        return owner.startsWith("java.util.") && ELEMENT_READERS.contains(name)
                || scanner.isGetter(owner, name, type.descriptorString());
    }

    private void madeString(Known value) {
        if (value == null || value.type() == null || value.type().isPrimitive()) {
            return;
        }
        String type = value.type().isArray() ? "" : MethodScanner.binaryName(value.type());
        boolean known = (scanner.isOwn(type) || ProcedureClasses.isApi(type)) && !scanner.overridesToString(type);
        if (value.type().isArray() || known || Identities.hasNoText(value.type())) {
            findings.accept(
                    "makes a string of an object of type " + value.type().displayName()
                            + ": its class has no toString, so the result depends on where it happens to lie in memory; "
                            + (value.type().isArray() ? "use Arrays.toString" : "override toString"));
        }
    }

    private void holds(Known array, Known stored) {
        if (array != null && stored != null && stored.type() != null && scanner.hashesByIdentity(stored.type())) {
            elements.computeIfAbsent(array, _ -> new LinkedHashSet<>()).add(stored.type());
        }
    }

    /** An object, or if it is not that itself, the elements of an array: those that were put into it, or all. */
    private void madeHash(Known of, String maker) {
        if (of == null || of.type() == null) {
            return;
        }
        if (maker.equals("java.util.Objects.hashCode")) {
            hashed(of.type());
        } else if (of.type().isArray()) {
            // Of arrays among the elements, their elements.
            boolean deep = maker.endsWith(".deepHashCode");
            for (ClassDesc each : elements.getOrDefault(of, Set.of(of.type().componentType()))) {
                hashed(deep ? innermost(each) : each);
            }
        }
    }

    private static ClassDesc innermost(ClassDesc type) {
        ClassDesc element = type;
        while (element.isArray()) {
            element = element.componentType();
        }
        return element;
    }

    private void hashed(ClassDesc type) {
        if (!inHashCode && scanner.hashesByIdentity(type)) {
            findings.accept(
                    "makes a hash code of an object of type " + type.displayName()
                            + ", which depends on where that happens to lie in memory; make it of what it holds, or of its name");
        }
    }

    private void askedFor(String name, Known of, String owner, Known answer) {
        ClassDesc asked = of == null || of.type() == null ? null : of.type();
        if (name.equals("getClass") && asked != null && Identities.isFunction(asked)) {
            lambdaClasses.put(answer, asked);
        }
        if (owner.equals("java.lang.Class")) {
            named(of);
        }
        if (name.equals("hashCode") && scanner.isRecord(owner)) {
            hashed(ClassDesc.of(owner));
        }
    }

    /** A class may be compared with another, but the name of a lambda's must not be used. */
    private void named(Known type) {
        ClassDesc asked = lambdaClasses.get(type);
        if (asked != null) {
            findings.accept("asks an object of type " + asked.displayName()
                    + " for its class: that of a lambda is named anew by each process; use the class's name itself");
        }
    }

    private void branch(BranchInstruction branch) {
        switch (branch.opcode()) {
            case GOTO, GOTO_W -> {
                reaches(branch.target());
                stack = new OperandStack();
                return;
            }
            case IFEQ, IFNE, IFLT, IFGE, IFGT, IFLE, IFNULL, IFNONNULL -> stack.pop(TypeKind.INT);
            default -> {
                stack.pop(TypeKind.INT);
                stack.pop(TypeKind.INT);
            }
        }
        reaches(branch.target());
    }

    private void reaches(Label target) {
        stacks.putIfAbsent(target, stack.copy());
    }

    private void changed(Known value, String what) {
        if (value != null && value.ownField() != null && !value.ownField().equals(THIS)) {
            scanner.reachStateChange(className, value.ownField());
        }
        if (value != null && value.staticField() != null) {
            String field = value.staticField();
            findings.accept("changes " + what + " that the static field "
                    + (field.startsWith(className + ".") ? field.substring(className.length() + 1) : field)
                    + " refers to: all partitions' threads share it; make it a field of the instance");
        }
    }
}
