package io.reprise.execution.deploy;

import io.reprise.procedure.BoundedCollections;
import io.reprise.procedure.BoundedDecimals;
import io.reprise.procedure.BoundedIntegers;
import io.reprise.procedure.BoundedTexts;
import io.reprise.procedure.GuardedCalls;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Calls of the JDK that may run for long in the JDK's own code, where no check can be woven, or that make something as
 * large as a number says: each has a stand-in of the same name in {@link GuardedCalls} or one of its neighbours, with the
 * object as its first parameter, so that the operand stack stays as it is. A reference to such a method becomes one to
 * its stand-in. {@link CheckedArguments} does the same for constructors.
 */
final class EndlessCalls {
    /** Static methods that are replaced, by class: their stand-ins have the same parameters, which don't name the class. */
    private static final Map<String, Set<String>> STATIC = Map.of(
            "java.lang.String", Set.of("format"),
            "java.util.Collections", Set.of("nCopies", "disjoint", "indexOfSubList", "lastIndexOfSubList"),
            "java.util.regex.Pattern", Set.of("matches"),
            "java.util.stream.LongStream", Set.of("range", "rangeClosed"),
            "java.util.stream.IntStream", Set.of("range", "rangeClosed"));

    /** The class of each stand-in, by its name and descriptor. */
    private static final Map<String, ClassDesc> STAND_INS = standIns();

    private EndlessCalls() {}

    private static Map<String, ClassDesc> standIns() {
        Map<String, ClassDesc> found = new HashMap<>();
        for (Class<?> home :
                List.of(GuardedCalls.class, BoundedIntegers.class, BoundedDecimals.class, BoundedTexts.class)) {
            add(found, home, name -> true);
        }
        // The others depend on the receiver's class: see CollectionCalls.
        add(found, BoundedCollections.class, STATIC.get("java.util.Collections")::contains);
        return Map.copyOf(found);
    }

    private static void add(Map<String, ClassDesc> found, Class<?> home, Predicate<String> names) {
        for (Method method : home.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && names.test(method.getName())) {
                String type = MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                        .descriptorString();
                found.put(method.getName() + type, home.describeConstable().orElseThrow());
            }
        }
    }

    /** Emits what is to be called instead; false where the call may stay as it is. */
    static boolean replace(CodeBuilder builder, InvokeInstruction call, ProcedureClasses classes) {
        ClassDesc owner = call.owner().asSymbol();
        String name = call.name().stringValue();
        // A call of super stays: its stand-in would call the method of the subclass again.
        if (call.opcode() == Opcode.INVOKESPECIAL) {
            CollectionCalls.ofSuper(owner, name, call.typeSymbol(), classes)
                    .ifPresent(
                            guard -> builder.invokestatic(guard.owner(), guard.methodName(), guard.invocationType()));
            return false;
        }
        boolean isStatic = call.opcode() == Opcode.INVOKESTATIC;
        Optional<DirectMethodHandleDesc> standIn = standIn(owner, name, call.typeSymbol(), isStatic)
                .or(() ->
                        isStatic ? Optional.empty() : CollectionCalls.ofCall(owner, name, call.typeSymbol(), classes));
        standIn.ifPresent(method -> builder.invokestatic(method.owner(), method.methodName(), method.invocationType()));
        return standIn.isPresent();
    }

    /** The same for a reference to a method; false where none of them is to be replaced. */
    static boolean replace(CodeBuilder builder, InvokeDynamicInstruction dynamic, ProcedureClasses classes) {
        ConstantDesc[] arguments = dynamic.bootstrapArgs().toArray(ConstantDesc[]::new);
        MethodTypeDesc type = dynamic.typeSymbol();
        boolean replaced = false;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof DirectMethodHandleDesc handle) {
                DirectMethodHandleDesc other =
                        standIn(handle).or(() -> ofCollections(handle, classes)).orElse(handle);
                if (other != handle) {
                    replaced = true;
                    arguments[i] = other;
                    type = capturing(type, handle, other);
                }
            }
        }
        if (replaced) {
            builder.invokedynamic(DynamicCallSiteDesc.of(
                    dynamic.bootstrapMethod(), dynamic.name().stringValue(), type, arguments));
        }
        return replaced;
    }

    private static Optional<DirectMethodHandleDesc> ofCollections(
            DirectMethodHandleDesc handle, ProcedureClasses classes) {
        return handle.refKind() == MethodHandleInfo.REF_invokeVirtual
                        || handle.refKind() == MethodHandleInfo.REF_invokeInterface
                ? CollectionCalls.ofReference(
                        handle.owner(),
                        handle.methodName(),
                        MethodTypeDesc.ofDescriptor(handle.lookupDescriptor()),
                        classes)
                : Optional.empty();
    }

    /** The type of a call site that captures the receiver: it has to be the stand-in's first parameter. */
    private static MethodTypeDesc capturing(
            MethodTypeDesc site, DirectMethodHandleDesc original, DirectMethodHandleDesc standIn) {
        boolean captures = original.refKind() != MethodHandleInfo.REF_invokeStatic
                && original.kind() != DirectMethodHandleDesc.Kind.CONSTRUCTOR
                && site.parameterCount() > 0;
        return captures ? site.changeParameterType(0, standIn.invocationType().parameterType(0)) : site;
    }

    private static Optional<DirectMethodHandleDesc> standIn(DirectMethodHandleDesc handle) {
        if (!handle.lookupDescriptor().startsWith("(") || handle.refKind() == MethodHandleInfo.REF_invokeSpecial) {
            return Optional.empty();
        }
        return handle.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR
                ? CheckedArguments.standIn(handle)
                : standIn(
                        handle.owner(),
                        handle.methodName(),
                        MethodTypeDesc.ofDescriptor(handle.lookupDescriptor()),
                        handle.refKind() == MethodHandleInfo.REF_invokeStatic);
    }

    private static Optional<DirectMethodHandleDesc> standIn(
            ClassDesc owner, String name, MethodTypeDesc type, boolean isStatic) {
        if (isStatic
                && !STATIC.getOrDefault(MethodScanner.binaryName(owner), Set.of())
                        .contains(name)) {
            return Optional.empty();
        }
        MethodTypeDesc wanted = isStatic ? type : type.insertParameterTypes(0, owner);
        return Optional.ofNullable(STAND_INS.get(name + wanted.descriptorString()))
                .map(home -> MethodHandleDesc.ofMethod(DirectMethodHandleDesc.Kind.STATIC, home, name, wanted));
    }
}
