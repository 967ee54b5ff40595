package io.reprise.runtime.agent;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** The JVM's count of the heap bytes that a thread has allocated, garbage included. Any thread; reading it takes less than a microsecond. */
public final class ThreadAllocations {
    private static final ThreadMXBean THREADS =
            ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean && bean.isThreadAllocatedMemorySupported()
                    ? bean
                    : null;

    private ThreadAllocations() {}

    /** The bytes that the thread has allocated since it began; 0 where this JVM does not count. */
    public static long of(Thread thread) {
        return THREADS == null ? 0 : Math.max(0, THREADS.getThreadAllocatedBytes(thread.threadId()));
    }
}
