package io.reprise.runtime.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process has of the machine's memory; the JVM adds a little at any time. */
final class ResidentMemory {
    private ResidentMemory() {}

    static long bytes() throws IOException {
        String pages = Files.readString(Path.of("/proc/self/statm")).split(" ")[1];
        return Long.parseLong(pages) * Memory.PAGE;
    }
}
