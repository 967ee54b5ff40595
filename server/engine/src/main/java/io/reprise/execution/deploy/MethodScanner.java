package io.reprise.execution.deploy;

import io.reprise.procedure.Binding;
import io.reprise.procedure.BoundedDecimals;
import io.reprise.procedure.BoundedIntegers;
import io.reprise.procedure.BoundedTexts;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.GuardedCalls;
import io.reprise.procedure.LoopGuard;
import io.reprise.procedure.Text;
import io.reprise.procedure.UndeterminedFailure;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Scans one method for {@link DeterminismScanner}. */
final class MethodScanner {
    private static final Set<String> BOOTSTRAPS = Set.of(
            "java.lang.invoke.LambdaMetafactory",
            "java.lang.invoke.StringConcatFactory",
            "java.lang.invoke.ConstantBootstraps",
            "java.lang.runtime.ObjectMethods",
            "java.lang.runtime.SwitchBootstraps");
    private static final Set<String> ENGINE_API = Set.of(
            Binding.class.getName(),
            LoopGuard.class.getName(),
            GuardedCalls.class.getName(),
            BoundedIntegers.class.getName(),
            BoundedDecimals.class.getName(),
            BoundedTexts.class.getName(),
            UndeterminedFailure.class.getName());
    private static final Pattern TIME_FORMAT = Pattern.compile("(?<!%)(?:%%)*%(?:\\d+\\$|<)?-?\\d*[tT][a-zA-Z]");
    private static final String LOCK =
            "a procedure runs alone on its partition's thread, and a lock could make partitions wait for each other; leave"
                    + " synchronized out";

    private final DeterminismScanner scanner;
    private final ClassModel model;
    private final String className;
    private final MethodModel method;
    private int line;
    private int formatLine = -1;
    private boolean formatsTimes;

    MethodScanner(DeterminismScanner scanner, ClassModel model, String className, MethodModel method) {
        this.scanner = scanner;
        this.model = model;
        this.className = className;
        this.method = method;
    }

    void scan() {
        if (method.flags().has(AccessFlag.NATIVE)) {
            add("is native: what it does can't be known; write it in Java");
        }
        if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
            add("is synchronized: " + LOCK);
        }
        if (method.methodName().equalsString("finalize") && method.methodType().equalsString("()V")) {
            add("is a finalizer, run by the garbage collector at a time of its own; leave it out");
        }
        method.code().ifPresent(code -> {
            code.forEach(this::scan);
            if (formatsTimes && formatLine >= 0) {
                line = formatLine;
                add(JdkAdvice.ZONE);
            }
            if (!method.methodName().equalsString("<clinit>")) {
                new ValueScanner(scanner, className, this::add, l -> line = l).scan(method, code);
            }
        });
    }

    private void scan(CodeElement element) {
        switch (element) {
            case LineNumber number -> line = number.line();
            case MonitorInstruction monitor
            when monitor.opcode() == Opcode.MONITORENTER -> add("locks an object: " + LOCK);
            case ArrayStoreInstruction store -> scanner.reachArrayChange(store.typeKind());
            case InvokeInstruction call ->
                call(call.owner().asSymbol(), call.name().stringValue(), call.typeSymbol());
            case FieldInstruction field -> field(field);
            case NewObjectInstruction created -> {
                type(created.className().asSymbol());
                scanner.reachInstances(binaryName(created.className().asSymbol()));
            }
            case InvokeDynamicInstruction dynamic -> dynamic(dynamic);
            case ConstantInstruction.LoadConstantInstruction constant -> constant(constant.constantValue());
            case DiscontinuedInstruction _ ->
                add("uses an instruction that Java no longer has; compile it with a compiler of this century");
            default -> {}
        }
    }

    private void call(ClassDesc owner, String name, MethodTypeDesc type) {
        if (owner.isArray()) {
            return;
        }
        String ownerName = binaryName(owner);
        if (scanner.isOwn(ownerName)) {
            if (!scanner.reachCall(ownerName, name, type.descriptorString())) {
                foreignCall(scanner.foreignSuperclass(ownerName), name, type);
            }
        } else {
            foreignCall(ownerName, name, type);
        }
    }

    private void foreignCall(String owner, String name, MethodTypeDesc type) {
        if (ProcedureClasses.isApi(owner)) {
            arraysPassed(name, type);
            if (StaticState.isMutator(owner, name)) {
                scanner.reachTextChange();
            }
            apiCall(owner, name);
            return;
        }
        if (!ProcedureClasses.isJdk(owner)) {
            type(ClassDesc.of(owner));
            return;
        }
        arraysPassed(name, type);
        formatLine = owner.equals("java.lang.String") && name.equals("format") ? line : formatLine;
        Optional<String> refusal =
                isPartOfHashCode(name) ? Optional.empty() : JdkRules.refusal(owner, name, parameters(type));
        refusal.ifPresent(reason ->
                add((name.equals("<init>") ? "makes a " + owner : "calls " + owner + "." + name) + ": " + reason));
    }

    /** As a key an object with such a hash code does no harm, and compilers and their plug-ins write it for whole classes. */
    private boolean isPartOfHashCode(String called) {
        return called.equals("hashCode") && method.methodName().equalsString("hashCode");
    }

    /** A method of the JDK's or of the API may change the arrays that it is given; arraycopy takes those of any type. */
    private void arraysPassed(String name, MethodTypeDesc type) {
        for (ClassDesc parameter : type.parameterList()) {
            if (parameter.isArray()) {
                scanner.reachArrayChange(TypeKind.from(parameter.componentType()));
            }
        }
        if (name.equals("arraycopy")) {
            for (TypeKind kind : TypeKind.values()) {
                scanner.reachArrayChange(kind);
            }
        }
    }

    private void apiCall(String owner, String name) {
        boolean identity = name.equals("hashCode") && !isPartOfHashCode(name)
                || name.equals("toString") && !apiOverridesToString(owner);
        if (ENGINE_API.contains(owner)) {
            add("calls " + owner + "." + name + ": it is the engine's own, not for procedures");
        } else if (identity) {
            JdkRules.refusal("java.lang.Object", name, "()")
                    .ifPresent(reason -> add("calls " + owner + "." + name + ": " + reason));
        }
    }

    /** Whether a class of the API says how it is written as a string. */
    static boolean apiOverridesToString(String className) {
        return className.equals(Text.class.getName())
                || className.equals(ErrorCode.class.getName())
                || className.endsWith("Exception");
    }

    private void field(FieldInstruction field) {
        String owner = binaryName(field.owner().asSymbol());
        String name = field.name().stringValue();
        boolean writes = field.opcode() == Opcode.PUTSTATIC;
        boolean initialises = owner.equals(className) && method.methodName().equalsString("<clinit>");
        if (writes && !initialises) {
            add("writes the static field " + owner + "." + name
                    + ": all partitions' threads would share it; make it a field of the instance");
        }
        if (scanner.isOwn(owner)) {
            scanner.reachClass(owner);
        } else if (ProcedureClasses.isJdk(owner)) {
            JdkRules.refusal(owner, name, "").ifPresent(reason -> add("uses " + owner + "." + name + ": " + reason));
        } else {
            type(field.owner().asSymbol());
        }
    }

    private void type(ClassDesc type) {
        ClassDesc element = type;
        while (element.isArray()) {
            element = element.componentType();
        }
        if (element.isPrimitive()) {
            return;
        }
        String name = binaryName(element);
        if (scanner.isOwn(name)) {
            scanner.reachClass(name);
        } else if (!ProcedureClasses.isJdk(name) && !ProcedureClasses.isApi(name)) {
            add("refers to class " + name + ", which is not deployed with it; put it into the same jar");
        }
    }

    private void dynamic(InvokeDynamicInstruction dynamic) {
        bootstrap(dynamic.bootstrapMethod());
        dynamic.bootstrapArgs().forEach(this::constant);
        // A lambda is an instance of its interface, which may have default methods.
        ClassDesc made = dynamic.typeSymbol().returnType();
        if (made.isClassOrInterface()) {
            scanner.reachInstances(binaryName(made));
        }
    }

    private void bootstrap(DirectMethodHandleDesc bootstrap) {
        String owner = binaryName(bootstrap.owner());
        if (!BOOTSTRAPS.contains(owner)) {
            add("is linked by " + owner + "." + bootstrap.methodName()
                    + ": reflection and class loading are closed to procedures");
        }
    }

    private void constant(ConstantDesc constant) {
        switch (constant) {
            case DirectMethodHandleDesc handle -> handle(handle);
            case ClassDesc type -> type(type);
            case DynamicConstantDesc<?> dynamic -> {
                bootstrap(dynamic.bootstrapMethod());
                dynamic.bootstrapArgsList().forEach(this::constant);
            }
            case String text -> formatsTimes |= TIME_FORMAT.matcher(text).find();
            default -> {}
        }
    }

    private void handle(DirectMethodHandleDesc handle) {
        if (handle.lookupDescriptor().startsWith("(")) {
            call(handle.owner(), handle.methodName(), MethodTypeDesc.ofDescriptor(handle.lookupDescriptor()));
            if (handle.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR) {
                scanner.reachInstances(binaryName(handle.owner()));
            }
        } else {
            type(handle.owner());
        }
    }

    private void add(String problem) {
        scanner.add(new Finding(
                className, displayName(method.methodName().stringValue()), sourceFile(model), line, problem));
    }

    private static String displayName(String name) {
        return name.startsWith("lambda$") ? name.substring("lambda$".length(), name.lastIndexOf('$')) : name;
    }

    private static String parameters(MethodTypeDesc type) {
        String descriptor = type.descriptorString();
        return descriptor.substring(0, descriptor.indexOf(')') + 1);
    }

    static String sourceFile(ClassModel model) {
        return model.findAttribute(Attributes.sourceFile())
                .map(a -> a.sourceFile().stringValue())
                .orElse("");
    }

    /** The binary name of a class or interface type. */
    static String binaryName(ClassDesc type) {
        String descriptor = type.descriptorString();
        return descriptor.startsWith("L")
                ? descriptor.substring(1, descriptor.length() - 1).replace('/', '.')
                : descriptor;
    }
}
