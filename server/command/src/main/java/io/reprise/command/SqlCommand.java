package io.reprise.command;

import io.reprise.client.Client;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs SQL at a node: typed, from a script, or from the command line. */
@Command(
        name = "sql",
        mixinStandardHelpOptions = true,
        description = {
            "Runs SQL. Without statements or a file it reads them from standard input: at a terminal with history (arrow keys)"
                    + " and completion (Tab), each ended by a semicolon; otherwise as a script.",
            "Each statement is a transaction of its own; EXPLAIN shows a plan. A script ends at the first statement that"
                    + " fails. DDL needs access to the data directory."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all statements were run", "3:one failed, or there is no node; the message says why"},
        footer = {
            "",
            "Examples:",
            "  reprise sql",
            "  reprise sql /var/lib/reprise",
            "  reprise sql -e \"SELECT * FROM account\"",
            "  reprise sql --server db1:21212 --format csv -e \"SELECT * FROM account\" > account.csv",
            "  reprise sql --file schema.sql"
        })
final class SqlCommand implements Callable<Integer> {
    private static final int FAILED = 3;

    @Mixin
    private ServerChoice server;

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "The same as --data DIR.")
    private Path directory;

    @Option(
            names = {"-e", "--execute"},
            paramLabel = "SQL",
            description = "Runs this; can be given more than once.")
    private List<String> statements = List.of();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Runs the statements of this file.")
    private Path file;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "Form of printed rows: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private RowsPrinter.Format format;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (directory != null && directory.toString().indexOf(' ') > 0 && !Files.isDirectory(directory)) {
            throw new IllegalArgumentException(
                    "there is no data directory " + directory + "; if it is a statement, say -e before it");
        }
        server.in(directory);
        try (Client client = server.connect()) {
            if (statements.isEmpty() && file == null && ProgressBar.atTerminal()) {
                shell(client);
                return 0;
            }
            SqlSession session = new SqlSession(client, server, format, false, out, err);
            boolean good = true;
            for (String statement : statements) {
                good = good && session.run(statement);
            }
            if (file != null) {
                good = good && session.run(GivenFile.text(file));
            } else if (statements.isEmpty()) {
                good = session.run(standardInput());
            }
            return good ? 0 : FAILED;
        }
    }

    private void shell(Client client) throws IOException {
        // Its signals, so that Ctrl-C ends a statement and not the program.
        try (Terminal terminal =
                TerminalBuilder.builder().system(true).nativeSignals(true).build()) {
            SqlSession session = new SqlSession(client, server, format, true, terminal.writer(), terminal.writer());
            // A terminal that does not say its width has 0 columns.
            session.width(() -> terminal.getSize().getColumns() == 0
                    ? RowsPrinter.UNLIMITED
                    : terminal.getSize().getColumns());
            Path history = Path.of(System.getProperty("user.home"), ".reprise_history");
            new SqlShell(terminal, session, new SchemaWords(server), history).run();
        }
    }

    private static String standardInput() throws IOException {
        return GivenFile.text(System.in.readAllBytes(), "standard input");
    }
}
