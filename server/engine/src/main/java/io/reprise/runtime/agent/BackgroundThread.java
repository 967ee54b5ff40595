package io.reprise.runtime.agent;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Scheduling of threads without urgent work by the operating system: idle ones run when no other thread wants the core, lowered ones seldom. */
public final class BackgroundThread {
    /** Linux's SCHED_IDLE. A thread cannot leave this class again without rights. */
    private static final int IDLE = 5;

    /** Linux's nice value of a lowered thread: about a tenth of a usual thread's share. */
    private static final int NICE = 10;

    private static final Linker LINKER = Linker.nativeLinker();

    /** Of the calling thread, though its name speaks of processes. */
    private static final Optional<MethodHandle> SET_SCHEDULER = LINKER.defaultLookup()
            .find("sched_setscheduler")
            .map(symbol -> LINKER.downcallHandle(
                    symbol,
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS)));

    /** Of the calling thread too on Linux, which alone has the function above. */
    private static final Optional<MethodHandle> SET_PRIORITY = SET_SCHEDULER
            .flatMap(linux -> LINKER.defaultLookup().find("setpriority"))
            .map(symbol -> LINKER.downcallHandle(
                    symbol,
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)));

    private BackgroundThread() {}

    /** Puts the calling thread into that class, for good. Returns whether the system did. */
    public static boolean become() {
        if (SET_SCHEDULER.isEmpty()) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment noPriority = arena.allocate(ValueLayout.JAVA_INT);
            int result = (int) SET_SCHEDULER.get().invokeExact(0, IDLE, noPriority);
            return result == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("sched_setscheduler can't be called", e);
        }
    }

    /** Gives the calling thread a small share of a core that others want. Returns whether the system did. */
    public static boolean lower() {
        return setNice(NICE);
    }

    /** Gives a lowered thread its usual share again. Returns whether the system did: without rights it refuses. */
    public static boolean raise() {
        return setNice(0);
    }

    private static boolean setNice(int nice) {
        if (SET_PRIORITY.isEmpty()) {
            return false;
        }
        try {
            int result = (int) SET_PRIORITY.get().invokeExact(0, 0, nice);
            return result == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("setpriority can't be called", e);
        }
    }
}
