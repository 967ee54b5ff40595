package io.reprise.command;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The command line as a process of its own, with this JVM and its classes. */
final class CommandProcess {
    private CommandProcess() {}

    /** The program and its arguments that run the command. */
    static List<String> line(String... arguments) {
        return java(RepriseCommand.class, arguments);
    }

    /** Another program among the classes of this JVM. */
    static List<String> java(Class<?> main, String... arguments) {
        return Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                main.getName()),
                        Stream.of(arguments))
                .toList();
    }
}
