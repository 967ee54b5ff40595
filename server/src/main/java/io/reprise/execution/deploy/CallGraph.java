package io.reprise.execution.deploy;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which of a procedure's own methods call which, as far as the code names them: a call that goes to an override or
 * through an interface of the JDK is not followed.
 */
final class CallGraph {
    private record Method(String className, String name, String descriptor) {}

    private final ProcedureClasses classes;
    private final Map<Method, List<Method>> callees = new HashMap<>();

    CallGraph(ProcedureClasses classes) {
        this.classes = classes;
    }

    /** Whether the method may come to call itself. */
    boolean mayRecur(ClassModel type, MethodModel method) {
        Method start = new Method(
                binaryName(type.thisClass().asSymbol()),
                method.methodName().stringValue(),
                method.methodType().stringValue());
        Set<Method> seen = new HashSet<>();
        Deque<Method> open = new ArrayDeque<>(callees(start));
        while (!open.isEmpty()) {
            Method called = open.pop();
            if (called.equals(start)) {
                return true;
            }
            if (seen.add(called)) {
                open.addAll(callees(called));
            }
        }
        return false;
    }

    private List<Method> callees(Method caller) {
        List<Method> known = callees.get(caller);
        if (known == null) {
            known = classes.model(caller.className).stream()
                    .flatMap(model -> model.methods().stream())
                    .filter(method -> method.methodName().equalsString(caller.name)
                            && method.methodType().equalsString(caller.descriptor))
                    .flatMap(method -> method.code().stream())
                    .flatMap(code -> code.elementList().stream())
                    .flatMap(CallGraph::called)
                    .toList();
            callees.put(caller, known);
        }
        return known;
    }

    private static Stream<Method> called(CodeElement element) {
        if (element instanceof InvokeInstruction call
                && !call.owner().asSymbol().isArray()) {
            return Stream.of(new Method(
                    binaryName(call.owner().asSymbol()),
                    call.name().stringValue(),
                    call.type().stringValue()));
        }
        return Stream.of();
    }

    private static String binaryName(ClassDesc type) {
        String descriptor = type.descriptorString();
        return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
    }
}
