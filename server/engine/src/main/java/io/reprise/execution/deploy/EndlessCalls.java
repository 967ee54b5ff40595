package io.reprise.execution.deploy;

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
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Calls of the JDK that may run for ever in the JDK's own code, where no check can be woven: each has a method of {@link
 * GuardedCalls} instead, of the same name, with the object as its first parameter, so that the operand stack stays as it
 * is. A reference to such a method becomes one to its replacement.
 */
final class EndlessCalls {
    private static final ClassDesc GUARDED =
            GuardedCalls.class.describeConstable().orElseThrow();
    private static final Map<String, Set<String>> REPLACED = Map.of(
            "java.lang.String", Set.of("matches", "replaceAll", "replaceFirst", "split", "splitWithDelimiters"),
            "java.util.regex.Pattern",
                    Set.of(
                            "matcher",
                            "matches",
                            "split",
                            "splitWithDelimiters",
                            "splitAsStream",
                            "asPredicate",
                            "asMatchPredicate"),
            "java.util.regex.Matcher", Set.of("reset"),
            "java.util.stream.LongStream", Set.of("range", "rangeClosed"),
            "java.util.stream.IntStream", Set.of("range", "rangeClosed"));
    private static final Set<String> REPLACEMENTS = Arrays.stream(GuardedCalls.class.getMethods())
            .map(method -> method.getName()
                    + method.getReturnType()
                            .describeConstable()
                            .map(result -> MethodTypeDesc.of(
                                            result,
                                            Arrays.stream(method.getParameterTypes())
                                                    .map(p -> p.describeConstable()
                                                            .orElseThrow())
                                                    .toList())
                                    .descriptorString())
                            .orElseThrow())
            .collect(Collectors.toUnmodifiableSet());

    private EndlessCalls() {}

    /** Emits what is to be called instead; false where the call may stay as it is. */
    static boolean replace(CodeBuilder builder, InvokeInstruction call) {
        Optional<MethodTypeDesc> replacement = replacement(
                call.owner().asSymbol(),
                call.name().stringValue(),
                call.typeSymbol(),
                call.opcode() == Opcode.INVOKESTATIC);
        replacement.ifPresent(type -> builder.invokestatic(GUARDED, call.name().stringValue(), type));
        return replacement.isPresent();
    }

    /** The same for a reference to a method; false where none of them is to be replaced. */
    static boolean replace(CodeBuilder builder, InvokeDynamicInstruction dynamic) {
        ConstantDesc[] arguments = dynamic.bootstrapArgs().toArray(ConstantDesc[]::new);
        boolean replaced = false;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof DirectMethodHandleDesc handle) {
                Optional<ConstantDesc> other = replacement(handle);
                replaced |= other.isPresent();
                arguments[i] = other.orElse(handle);
            }
        }
        if (replaced) {
            builder.invokedynamic(DynamicCallSiteDesc.of(
                    dynamic.bootstrapMethod(), dynamic.name().stringValue(), dynamic.typeSymbol(), arguments));
        }
        return replaced;
    }

    private static Optional<ConstantDesc> replacement(DirectMethodHandleDesc handle) {
        if (!handle.lookupDescriptor().startsWith("(")) {
            return Optional.empty();
        }
        boolean isStatic = handle.refKind() == java.lang.invoke.MethodHandleInfo.REF_invokeStatic;
        return replacement(
                        handle.owner(),
                        handle.methodName(),
                        MethodTypeDesc.ofDescriptor(handle.lookupDescriptor()),
                        isStatic)
                .map(type -> MethodHandleDesc.ofMethod(
                        DirectMethodHandleDesc.Kind.STATIC, GUARDED, handle.methodName(), type));
    }

    private static Optional<MethodTypeDesc> replacement(
            ClassDesc owner, String name, MethodTypeDesc type, boolean isStatic) {
        if (!owner.isClassOrInterface()
                || !REPLACED.getOrDefault(MethodScanner.binaryName(owner), Set.of())
                        .contains(name)) {
            return Optional.empty();
        }
        MethodTypeDesc guarded = isStatic ? type : type.insertParameterTypes(0, owner);
        return REPLACEMENTS.contains(name + guarded.descriptorString()) ? Optional.of(guarded) : Optional.empty();
    }
}
