package io.reprise.node.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.List;

/** The JVM's and the process's own metrics, under the names that are usual for them. */
final class JvmMetrics {
    private static final double SECOND_MS = 1e3;
    private static final double SECOND_NS = 1e9;

    private JvmMetrics() {}

    static void write(PrometheusText text) {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        text.counter("jvm_gc_collections_total", "Collections of the JVM's heap, by collector.");
        collectors.forEach(gc -> text.sample(gc.getCollectionCount(), "gc", gc.getName()));
        text.counter("jvm_gc_seconds_total", "Duration of all of them.");
        collectors.forEach(gc -> text.sample(gc.getCollectionTime() / SECOND_MS, "gc", gc.getName()));
        memory(text);
        text.gauge("jvm_threads", "Threads of the JVM.")
                .sample(ManagementFactory.getThreadMXBean().getThreadCount());
        text.gauge("process_start_time_seconds", "When the process began, since 1970.")
                .sample(ManagementFactory.getRuntimeMXBean().getStartTime() / SECOND_MS);
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            text.counter("process_cpu_seconds_total", "Processor time of the process.")
                    .sample(system.getProcessCpuTime() / SECOND_NS);
            text.gauge("process_open_fds", "Open files.").sample(system.getOpenFileDescriptorCount());
            text.gauge("process_max_fds", "Limit of their number.").sample(system.getMaxFileDescriptorCount());
        }
    }

    private static void memory(PrometheusText text) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        MemoryUsage heap = memory.getHeapMemoryUsage();
        text.gauge("jvm_memory_used_bytes", "Memory of the JVM in use, tables not included.")
                .sample(heap.getUsed(), "area", "heap")
                .sample(memory.getNonHeapMemoryUsage().getUsed(), "area", "nonheap");
        text.gauge("jvm_memory_max_bytes", "Limit of it.").sample(heap.getMax(), "area", "heap");
        text.gauge("jvm_buffer_used_bytes", "Memory of direct buffers and mapped files.");
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            text.sample(pool.getMemoryUsed(), "pool", pool.getName());
        }
    }
}
