package io.reprise.runtime;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A program of the tests as a process of its own, that starts fast and needs little: this JVM, with its classes. */
public final class SmallJvm {
    private SmallJvm() {}

    /** A process that runs a class's main method. */
    public static ProcessBuilder of(Class<?> program, String... arguments) {
        List<String> line = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx32m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        Collections.addAll(line, arguments);
        return new ProcessBuilder(line);
    }
}
