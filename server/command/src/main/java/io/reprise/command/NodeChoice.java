package io.reprise.command;

import io.reprise.configuration.ConfigurationFile;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.node.process.RunFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The node of a command: a configuration's, or the one at work in a data directory. */
final class NodeChoice {
    private static final Path USUAL = Path.of("data");

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "The data directory; without it that of the configuration, or else the folder data.")
    private Path positional;

    @Option(
            names = {"-d", "--data"},
            paramLabel = "DIR",
            description = "The same, as other commands have it.")
    private Path option;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "The node's configuration, in YAML.")
    private Path file;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** The same for a command whose options are its own. */
    static NodeChoice of(Path directory, Path file) {
        NodeChoice choice = new NodeChoice();
        choice.option = directory;
        choice.file = file;
        return choice;
    }

    /** The node's configuration. */
    NodeConfiguration configuration() {
        Path directory = DirectoryChoice.only(command, positional, option);
        if (file == null) {
            return NodeConfiguration.defaults((directory == null ? USUAL : directory).toAbsolutePath());
        }
        NodeConfiguration read = ConfigurationFile.read(file);
        return directory == null ? read : read.in(directory.toAbsolutePath());
    }

    /** Whether the configuration is that of a file. */
    boolean hasFile() {
        return file != null;
    }

    /** The same choice for another process, as its arguments. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        Path directory = DirectoryChoice.only(command, positional, option);
        if (directory != null) {
            arguments.add("--data=" + directory);
        }
        if (file != null) {
            arguments.add("--config=" + file);
        }
        return arguments;
    }

    /** The node that is at work. */
    Optional<RunFile> running() {
        Path data = configuration().data().directory();
        if (!Files.isDirectory(data)) {
            throw new IllegalArgumentException("there is no data directory " + data
                    + "; \"reprise start\" makes one with a node at work in it, and --data names another");
        }
        return RunFile.read(data).filter(run -> run.process().isPresent());
    }

    /** The node that is at work, for commands that need one. */
    RunFile node() {
        return running().orElseThrow(this::notRunning);
    }

    /** The failure of a command that found no node. */
    NotRunningException notRunning() {
        return new NotRunningException(
                "no node is at work in " + where() + "; \"reprise start\" starts one, and --data names another");
    }

    /** For messages. */
    String where() {
        return configuration().data().directory().toString();
    }
}
