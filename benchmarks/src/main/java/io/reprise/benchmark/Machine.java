package io.reprise.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The facts without which a number means nothing. A missing fact is "unknown". */
public final class Machine {
    static final String UNKNOWN = "unknown";

    /** The fact of a result that says which program was measured. */
    static final String COMMIT = "Commit";

    private Machine() {}

    /** Of the machine and the JVM. */
    public static Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("CPU", valueIn("/proc/cpuinfo", "model name"));
        facts.put("Cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("Memory", gibibytes(valueIn("/proc/meminfo", "MemTotal")));
        facts.put("Reserved huge pages", gibibytes(valueIn("/proc/meminfo", "Hugetlb")));
        facts.put("Kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("JDK", Runtime.version() + ", " + System.getProperty("java.vendor"));
        facts.put("JVM heap limit", Runtime.getRuntime().maxMemory() / (1024 * 1024) + " MiB");
        return facts;
    }

    private static String gibibytes(String kilobytes) {
        return kilobytes.endsWith(" kB")
                ? Long.parseLong(kilobytes.substring(0, kilobytes.length() - 3)) / (1024 * 1024) + " GiB"
                : UNKNOWN;
    }

    /** The value of the first line {@code name : value} of a file of the proc file system. */
    private static String valueIn(String file, String name) {
        try {
            for (String line : Files.readAllLines(Path.of(file))) {
                if (line.startsWith(name)) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        } catch (IOException e) {
            // Not Linux.
        }
        return UNKNOWN;
    }
}
