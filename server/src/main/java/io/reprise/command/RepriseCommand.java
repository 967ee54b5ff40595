package io.reprise.command;

import io.reprise.node.RepriseTool;
import java.io.OutputStream;
import java.util.ServiceLoader;
import picocli.CommandLine;

/** The program {@code reprise}. */
public final class RepriseCommand {
    /** Exit code: there is no node at work there. */
    static final int NOT_RUNNING = 4;

    /** Exit code: there is one, but it takes no calls now. */
    static final int NOT_READY = 5;

    private static final String LOG_CONFIGURATION = "logback.configurationFile";

    private RepriseCommand() {}

    /** Runs a command and ends the program with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(System.out, System.err, arguments));
    }

    /** Runs a command; returns its exit code. */
    static int run(OutputStream out, OutputStream err, String... arguments) {
        logBy("io/reprise/logging/commands.xml");
        return RepriseTool.run(out, err, RepriseCommand::add, arguments);
    }

    private static void add(CommandLine line) {
        line.addSubcommand(new StartCommand());
        line.addSubcommand(new StopCommand());
        line.addSubcommand(new StatusCommand());
        line.addSubcommand(new SnapshotCommand());
        line.addSubcommand(new SqlCommand());
        line.addSubcommand(new CallCommand());
        line.addSubcommand(new LoadCommand());
        line.addSubcommand(new DeployCommand());
        line.addSubcommand(new UserCommands());
        line.addSubcommand(new ClasspathCommand());
        ServiceLoader.load(CommandOfModule.class).forEach(line::addSubcommand);
    }

    /** Chooses how the program's log is written; before the first line of it, and unless somebody has chosen. */
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
