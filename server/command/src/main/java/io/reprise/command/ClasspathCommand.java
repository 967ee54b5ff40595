package io.reprise.command;

import io.reprise.client.Client;
import io.reprise.procedure.Procedure;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the class path that procedures and clients are compiled with. */
@Command(
        name = "classpath",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the class path with the procedure API and the client, for javac and java.",
            "With --all it has the engine too, for programs and tests that embed one."
        },
        footer = {
            "",
            "Examples:",
            "  javac -cp \"$(reprise classpath)\" -d classes Transfer.java",
            "  java --enable-native-access=ALL-UNNAMED -cp \"$(reprise classpath)\" Pay.java"
        })
final class ClasspathCommand implements Callable<Integer> {
    /** The client's libraries, by the names of their jars. */
    private static final Pattern LIBRARY = Pattern.compile("(?:netty|protobuf)-.*\\.jar");

    @Option(names = "--all", description = "Everything, with the engine.")
    private boolean all;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Set<Path> own = Set.of(origin(Procedure.class), origin(Client.class));
        String path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath())
                .filter(entry -> all
                        || own.contains(entry)
                        || LIBRARY.matcher(entry.getFileName().toString()).matches())
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        spec.commandLine().getOut().println(path);
        return 0;
    }

    /** The jar or folder of a class. */
    private static Path origin(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
