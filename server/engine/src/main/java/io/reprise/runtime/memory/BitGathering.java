package io.reprise.runtime.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Whether {@link Long#compress} and {@link Long#expand} take the processor a few cycles. They are one instruction of BMI2, which AMD's
 * processors before family 25 have but take hundreds of cycles for; without it the JVM makes dozens of them.
 */
final class BitGathering {
    static final boolean FAST = isFast(processor());

    private static final String AMD = "AuthenticAMD";
    private static final int FIRST_FAST_FAMILY_OF_AMD = 25;

    private BitGathering() {}

    private static List<String> processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo"));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Reads the system's list of processors; false if it says nothing that is known. */
    static boolean isFast(List<String> processorInfo) {
        boolean has = List.of(value(processorInfo, "flags").split(" ")).contains("bmi2");
        return has
                && (!value(processorInfo, "vendor_id").equals(AMD)
                        || family(value(processorInfo, "cpu family")) >= FIRST_FAST_FAMILY_OF_AMD);
    }

    private static String value(List<String> processorInfo, String name) {
        return processorInfo.stream()
                .map(line -> line.split("\\s*:\\s*", 2))
                .filter(parts -> parts.length == 2 && parts[0].equals(name))
                .map(parts -> parts[1])
                .findFirst()
                .orElse("");
    }

    private static int family(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
