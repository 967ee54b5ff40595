package io.reprise.benchmark.tcp;

import io.netty.util.internal.PlatformDependent;
import io.reprise.engine.Stats;
import io.reprise.node.Server;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory of a server, in bytes.
 *
 * @param heap of Java objects
 * @param direct of buffers outside of the heap
 * @param tables of rows and indexes
 * @param resident the process's share of the machine's memory: all of these, code, stacks, and the free part of the
 *     heap
 */
record ServerMemory(long heap, long direct, long tables, long resident) {
    private static final long KIB = 1024;

    /** This process's. */
    static ServerMemory read(Server server) throws IOException {
        long tables = 0;
        for (Stats.PartitionStats partition : server.engine().stats().partitions()) {
            tables += partition.memoryUsed();
        }
        long buffers = 0;
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            if (pool.getName().equals("direct")) {
                buffers = pool.getMemoryUsed();
            }
        }
        return new ServerMemory(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                Math.max(buffers, PlatformDependent.usedDirectMemory()),
                tables,
                residentBytes());
    }

    private static long residentBytes() throws IOException {
        long kib = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            // Reserved huge pages are not in the first.
            if (line.startsWith("VmRSS:") || line.startsWith("HugetlbPages:")) {
                kib += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        if (kib == 0) {
            throw new IOException("/proc/self/status doesn't say how much memory the process has");
        }
        return kib * KIB;
    }

    /** Everything but rows: this should not grow with time. */
    long besideTables() {
        return resident - tables;
    }

    String line() {
        return heap + " " + direct + " " + tables + " " + resident;
    }

    static ServerMemory of(String line) {
        String[] words = line.split(" ");
        return new ServerMemory(
                Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
    }
}
