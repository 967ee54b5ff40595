package io.reprise.command;

import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says where the classes are that procedures and clients are compiled against. */
@Command(
        name = "classpath",
        mixinStandardHelpOptions = true,
        description = "Prints the class path with the procedure API and the client, for javac and java.",
        footer = {
            "",
            "Examples:",
            "  javac -cp \"$(reprise classpath)\" -d classes Transfer.java",
            "  java --enable-native-access=ALL-UNNAMED -cp \"$(reprise classpath)\" Pay.java"
        })
final class ClasspathCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        String path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        spec.commandLine().getOut().println(path);
        return 0;
    }
}
