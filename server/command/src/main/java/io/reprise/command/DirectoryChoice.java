package io.reprise.command;

import io.reprise.engine.DataDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The data directory of a command: DIR, or --data as with the commands that have other arguments. */
public final class DirectoryChoice {
    private static final Path USUAL = Path.of("data");

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "The data directory; without it the folder data.")
    private Path positional;

    @Option(
            names = {"-d", "--data"},
            paramLabel = "DIR",
            description = "The same, as other commands have it.")
    private Path option;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    DataDirectory directory() {
        return DataDirectory.at(path());
    }

    Path path() {
        Path given = only(command, positional, option);
        return given == null ? USUAL : given;
    }

    /** The directory that is named in one way or the other, or null; refuses two different ones, and a question for help. */
    public static Path only(CommandSpec command, Path positional, Path option) {
        if (positional != null && positional.toString().equals("help")) {
            throw new ParameterException(
                    command.commandLine(), "help is no data directory; for a directory of that name write ./help");
        }
        if (positional != null && option != null && !positional.equals(option)) {
            throw new ParameterException(
                    command.commandLine(),
                    "two data directories are named, " + positional + " and, by --data, " + option + "; name one");
        }
        return positional == null ? option : positional;
    }
}
