package io.reprise.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says where the JDK is that this program has found, because the one on the PATH may be older and can't compile procedures then. */
@Command(
        name = "jdk",
        mixinStandardHelpOptions = true,
        description =
                "Prints the folder of the JDK that this program runs with: its javac, jar and java are new enough for procedures.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it is printed", "3:this program runs with a Java that has no compiler"},
        footer = {
            "",
            "Examples:",
            "  export PATH=\"$(reprise jdk)/bin:$PATH\"",
            "  \"$(reprise jdk)/bin/javac\" -version"
        })
final class JdkCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().println(withCompiler(Path.of(System.getProperty("java.home"))));
        return 0;
    }

    static Path withCompiler(Path home) {
        if (!Files.isExecutable(home.resolve("bin").resolve("javac"))) {
            throw new IllegalStateException(
                    "the Java in " + home + ", with which this runs, has no compiler; install a JDK "
                            + Runtime.version().feature() + ", or name one by JAVA_HOME");
        }
        return home;
    }
}
