package io.reprise.layering;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * No constructor and no static initialiser starts a thread, neither itself nor by a method that it calls. Code in a
 * lambda runs later, and calls of an interface are not followed into its implementations.
 */
final class ThreadStarts extends ArchCondition<JavaClass> {
    private static final Set<String> POOLS = Set.of(
            "java.util.concurrent.Executor",
            "java.util.concurrent.ExecutorService",
            "java.util.concurrent.ScheduledExecutorService",
            "java.util.concurrent.ThreadPoolExecutor",
            "java.util.concurrent.ScheduledThreadPoolExecutor",
            "java.util.concurrent.ForkJoinPool");

    /** The access by which each code unit starts a thread: its own, or a call that leads there. */
    private final Map<JavaCodeUnit, JavaAccess<?>> starts = new HashMap<>();

    ThreadStarts() {
        super("start no thread in a constructor or a static initialiser");
    }

    @Override
    public void init(Collection<JavaClass> classes) {
        starts.clear();
        Deque<JavaCodeUnit> found = new ArrayDeque<>();
        for (JavaClass type : classes) {
            for (JavaCall<?> call : type.getCodeUnitCallsFromSelf()) {
                if (isStart(call) && !call.isDeclaredInLambda()) {
                    add(call, found);
                }
            }
        }
        while (!found.isEmpty()) {
            for (JavaCall<?> call : found.remove().getCallsOfSelf()) {
                if (!call.isDeclaredInLambda()) {
                    add(call, found);
                }
            }
        }
    }

    private void add(JavaCall<?> call, Deque<JavaCodeUnit> found) {
        if (starts.putIfAbsent(call.getOrigin(), call) == null) {
            found.add(call.getOrigin());
        }
    }

    private static boolean isStart(JavaCall<?> call) {
        String owner = call.getTargetOwner().getName();
        String name = call.getName();
        return call.getTargetOwner().isAssignableTo(Thread.class) && name.equals("start")
                || owner.equals("java.lang.Thread") && name.equals("startVirtualThread")
                || owner.startsWith("java.lang.Thread$Builder") && name.equals("start")
                || owner.equals("java.util.Timer")
                || owner.equals("java.util.concurrent.CompletableFuture") && name.endsWith("Async")
                || owner.equals("com.sun.net.httpserver.HttpServer") && name.equals("start")
                || owner.equals("com.sun.net.httpserver.HttpsServer") && name.equals("start")
                || POOLS.contains(owner)
                        && (name.equals("execute")
                                || name.equals("submit")
                                || name.startsWith("invoke")
                                || name.startsWith("schedule")
                                || name.startsWith("prestart"));
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        List<JavaCodeUnit> beginnings = new ArrayList<>(type.getConstructors());
        type.getStaticInitializer().ifPresent(beginnings::add);
        for (JavaCodeUnit beginning : beginnings) {
            JavaAccess<?> start = starts.get(beginning);
            if (start != null) {
                events.add(SimpleConditionEvent.violated(type, start.getDescription()));
            }
        }
    }
}
