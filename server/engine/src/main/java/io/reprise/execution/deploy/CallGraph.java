package io.reprise.execution.deploy;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The procedures' own methods that may be called with any amount of stack in use already, and call the engine from
 * there: those that may come to call themselves, those that the JDK may call (lambdas, and overrides of a method of
 * the JDK's), and their callees.
 *
 * <p>It errs on the safe side: a virtual call may reach every own method of that name and type. It knows the classes
 * that it was told of, which are all that the procedures deployed so far reach.
 */
final class CallGraph {
    /** Methods that change the engine's state when they are called, and must not be left half way. */
    private static final Set<String> ENGINE = Set.of(
            Statement.class.getName(), Rows.class.getName(), ResultTable.class.getName(), Procedure.class.getName());

    private record Method(String className, String name, String descriptor) {
        Signature signature() {
            return new Signature(name, descriptor);
        }
    }

    private record Signature(String name, String descriptor) {}

    private final ProcedureClasses classes;
    private final Set<String> read = new HashSet<>();
    private final Map<Method, List<InvokeInstruction>> calls = new HashMap<>();
    private final Map<Signature, List<Method>> bySignature = new HashMap<>();
    private final Set<Signature> calledBack = new HashSet<>();
    private final Set<Method> callingEngine = new HashSet<>();
    private Set<Method> recursive = Set.of();
    private Set<Method> deep = Set.of();

    CallGraph(ProcedureClasses classes) {
        this.classes = classes;
    }

    /** Whether the method has to make sure of stack before it goes on. */
    boolean needsStack(ClassModel type, MethodModel method) {
        Method asked = method(type, method);
        know(List.of(asked.className));
        return recursive.contains(asked) || (deep.contains(asked) && callingEngine.contains(asked));
    }

    /** Whether the JDK may call the method, as often as it likes. */
    boolean mayBeCalledBack(ClassModel type, MethodModel method) {
        Method asked = method(type, method);
        know(List.of(asked.className));
        return calledBack.contains(asked.signature());
    }

    /** Takes classes in, which the answers are about from now on. */
    void know(Collection<String> classNames) {
        boolean grown = false;
        for (String name : classNames) {
            if (read.add(name)) {
                classes.model(name).ifPresent(this::read);
                grown = true;
            }
        }
        if (grown) {
            judge();
        }
    }

    private void judge() {
        Map<Method, Set<Method>> callees = new HashMap<>();
        calls.forEach((caller, instructions) -> {
            Set<Method> called = new HashSet<>();
            instructions.forEach(call -> called.addAll(targets(call)));
            callees.put(caller, called);
        });
        recursive = cycles(callees);
        deep = reachable(callees);
    }

    private void read(ClassModel model) {
        Set<String> callbacks = JdkSupertypes.of(model, classes);
        for (MethodModel each : model.methods()) {
            Method method = method(model, each);
            if (each.code().isEmpty()) {
                continue;
            }
            bySignature
                    .computeIfAbsent(method.signature(), s -> new ArrayList<>())
                    .add(method);
            if (!each.flags().has(AccessFlag.STATIC) && callbacks.contains(method.name)) {
                calledBack.add(method.signature());
            }
            List<InvokeInstruction> called = new ArrayList<>();
            for (CodeElement element : each.code().get()) {
                if (element instanceof InvokeInstruction call
                        && !call.owner().asSymbol().isArray()) {
                    called.add(call);
                    if (ENGINE.contains(binaryName(call.owner().asSymbol()))) {
                        callingEngine.add(method);
                    }
                } else if (element instanceof InvokeDynamicInstruction dynamic) {
                    dynamic.bootstrapArgs().forEach(this::addHandle);
                }
            }
            calls.put(method, called);
        }
    }

    private void addHandle(ConstantDesc argument) {
        if (argument instanceof DirectMethodHandleDesc handle) {
            calledBack.add(new Signature(handle.methodName(), handle.lookupDescriptor()));
        }
    }

    private List<Method> targets(InvokeInstruction call) {
        String owner = binaryName(call.owner().asSymbol());
        if (!read.contains(owner)) {
            return List.of();
        }
        Method named = new Method(owner, call.name().stringValue(), call.type().stringValue());
        boolean exact = call.opcode() == Opcode.INVOKESTATIC || call.opcode() == Opcode.INVOKESPECIAL;
        // An inherited static method, or one of a superclass, is named by a class that hasn't got it.
        return exact && calls.containsKey(named)
                ? List.of(named)
                : bySignature.getOrDefault(named.signature(), List.of());
    }

    /**
     * The methods that lie on a circle of calls, or between two. All methods are taken away, again and again, that
     * call none of the rest, or that none of the rest calls; these remain.
     */
    private static Set<Method> cycles(Map<Method, Set<Method>> callees) {
        Map<Method, Set<Method>> callers = new HashMap<>();
        callees.keySet().forEach(method -> callers.put(method, new HashSet<>()));
        callees.forEach((caller, called) -> called.forEach(c -> callers.get(c).add(caller)));
        Set<Method> left = new HashSet<>(callees.keySet());
        strip(left, callees, callers);
        strip(left, callers, callees);
        return left;
    }

    /** Takes away what has nothing left ahead of it. */
    private static void strip(Set<Method> left, Map<Method, Set<Method>> ahead, Map<Method, Set<Method>> behind) {
        Map<Method, Integer> open = new HashMap<>();
        Deque<Method> ends = new ArrayDeque<>();
        for (Method method : left) {
            int count = (int) ahead.get(method).stream().filter(left::contains).count();
            open.put(method, count);
            if (count == 0) {
                ends.add(method);
            }
        }
        while (!ends.isEmpty()) {
            Method end = ends.pop();
            left.remove(end);
            for (Method method : behind.get(end)) {
                if (left.contains(method) && open.merge(method, -1, Integer::sum) == 0) {
                    ends.add(method);
                }
            }
        }
    }

    private Set<Method> reachable(Map<Method, Set<Method>> callees) {
        Set<Method> seen = new HashSet<>();
        Deque<Method> next = new ArrayDeque<>(recursive);
        for (Signature signature : calledBack) {
            next.addAll(bySignature.getOrDefault(signature, List.of()));
        }
        while (!next.isEmpty()) {
            Method method = next.pop();
            if (seen.add(method)) {
                next.addAll(callees.getOrDefault(method, Set.of()));
            }
        }
        return seen;
    }

    private static Method method(ClassModel type, MethodModel method) {
        return new Method(
                binaryName(type.thisClass().asSymbol()),
                method.methodName().stringValue(),
                method.methodType().stringValue());
    }

    private static String binaryName(ClassDesc type) {
        String descriptor = type.descriptorString();
        return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
    }
}
