package io.reprise.command;

import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The program {@code reprise}. */
public final class RepriseCommand {
    /** Exit code: the command is wrong. */
    private static final int WRONG = 2;

    /** Exit code: there is no node at work there. */
    static final int NOT_RUNNING = 4;

    /** Exit code: there is one, but it takes no calls now. */
    static final int NOT_READY = 5;

    private static final String LOG_CONFIGURATION = "logback.configurationFile";

    private static volatile boolean program;

    private RepriseCommand() {}

    /** Runs a command and ends the program with its exit code. */
    public static void main(String[] arguments) {
        program = true;
        Optional<String> lost = lostCharacters(System.getProperty("sun.jnu.encoding", ""), arguments);
        lost.ifPresent(message -> System.err.println("reprise: " + message));
        System.exit(lost.isPresent() ? WRONG : run(System.out, System.err, arguments));
    }

    /** Whether this JVM is the program and nothing else, so that its standard output is the program's to arrange. */
    static boolean isProgram() {
        return program;
    }

    /**
     * The message about an argument that Java could not read. Java puts other characters into it, which would be stored.
     *
     * @param encoding by which arguments were read
     */
    static Optional<String> lostCharacters(String encoding, String... arguments) {
        if (encoding.equals("UTF-8") || Stream.of(arguments).noneMatch(each -> each.indexOf('\uFFFD') >= 0)) {
            return Optional.empty();
        }
        return Optional.of("an argument has characters that there are none of in " + encoding
                + ", the encoding of this locale; set another one, as by LC_ALL=C.UTF-8");
    }

    /** Runs a command; returns its exit code. */
    static int run(OutputStream out, OutputStream err, String... arguments) {
        logBy("io/reprise/logging/commands.xml");
        return RepriseTool.run(out, err, commands(), RepriseCommand::addThoseOfModules, arguments);
    }

    /** A command line with all commands. */
    static CommandLine line() {
        CommandLine line = new CommandLine(new RepriseTool(OutputStream.nullOutputStream()));
        RepriseTool.addAll(line, commands(), RepriseCommand::addThoseOfModules);
        return line.setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** In the order in which they are listed. */
    private static Map<String, Supplier<?>> commands() {
        Map<String, Supplier<?>> commands = new LinkedHashMap<>();
        commands.put("start", StartCommand::new);
        commands.put("stop", StopCommand::new);
        commands.put("status", StatusCommand::new);
        commands.put("top", TopCommand::new);
        commands.put("sessions", SessionsCommand::new);
        commands.put("cluster", ClusterCommands::new);
        commands.put("arbiter", ArbiterCommand::new);
        commands.put("page", PageCommand::new);
        commands.put("reload", ReloadCommand::new);
        commands.put("snapshot", SnapshotCommand::new);
        commands.put("rebuild", RebuildCommand::new);
        commands.put("repair", RepairCommand::new);
        commands.put("sql", SqlCommand::new);
        commands.put("call", CallCommand::new);
        commands.put("load", LoadCommand::new);
        commands.put("deploy", DeployCommand::new);
        commands.put("recover", RecoverCommand::new);
        commands.put("changes", ChangesCommand::new);
        commands.put("user", UserCommands::new);
        commands.put("migrate", MigrateCommand::new);
        commands.put("new", NewCommand::new);
        commands.put("classpath", ClasspathCommand::new);
        commands.put("jdk", JdkCommand::new);
        commands.put("prepare", PrepareCommand::new);
        return commands;
    }

    private static void addThoseOfModules(CommandLine line) {
        ServiceLoader.load(CommandOfModule.class).forEach(line::addSubcommand);
    }

    /** Chooses the configuration of the program's log, unless the user has. Called before the first line is logged. */
    static void logBy(String resource) {
        if (System.getProperty(LOG_CONFIGURATION) == null) {
            System.setProperty(LOG_CONFIGURATION, resource);
        }
    }

    /** Chooses again, for a command that knows better than the rest. */
    static void logInsteadBy(String resource) {
        if (System.getProperty(LOG_CONFIGURATION, "").startsWith("io/reprise/logging/")) {
            System.setProperty(LOG_CONFIGURATION, resource);
        }
    }
}
