package io.reprise.command;

import java.io.IOException;
import java.nio.file.Path;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;

/**
 * The shell at a terminal. It reads statements over several lines until a semicolon, with history and completion, and runs each.
 * Ctrl-C while one runs stops waiting for it; the server may still end it.
 */
final class SqlShell {
    private final Terminal terminal;
    private final SqlSession session;
    private final SchemaWords schema;
    private final ShellCommands commands;
    private final LineReader reader;

    SqlShell(Terminal terminal, SqlSession session, SchemaWords schema, Path history) {
        this.terminal = terminal;
        this.session = session;
        this.schema = schema;
        commands = new ShellCommands(session, schema, terminal.writer());
        reader = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("reprise")
                .parser(new ShellParser())
                .completer(new SqlCompleter(schema))
                .variable(LineReader.HISTORY_FILE, history)
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, "      -> ")
                .option(LineReader.Option.CASE_INSENSITIVE, true)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .build();
    }

    void run() throws IOException {
        terminal.writer().println("Connected. \\help tells what can be typed.");
        Thread shell = Thread.currentThread();
        // Here and not only while a statement runs: pressed between the line's end and the call's beginning, Ctrl-C
        // counts too.
        Terminal.SignalHandler before = terminal.handle(Terminal.Signal.INT, signal -> shell.interrupt());
        try {
            boolean more = true;
            while (more) {
                more = readAndRun();
                terminal.flush();
            }
        } finally {
            terminal.handle(Terminal.Signal.INT, before);
        }
    }

    private boolean readAndRun() throws IOException {
        try {
            String typed = reader.readLine("reprise> ");
            return typed.isBlank() || run(typed.strip());
        } catch (UserInterruptException e) {
            // The typed text is dropped.
            return true;
        } catch (EndOfFileException e) {
            return false;
        }
    }

    /** Runs what was typed; whether the shell goes on. */
    private boolean run(String typed) throws IOException {
        try {
            boolean more = true;
            if (ShellParser.isCommand(typed)) {
                more = commands.run(typed);
            } else {
                session.run(typed);
            }
            if (session.takeSchemaChange()) {
                schema.read();
            }
            return more;
        } catch (InterruptedException e) {
            terminal.writer().println("No longer waited for; the server may still run it to its end.");
        } finally {
            // One that came too late is not for the next statement.
            Thread.interrupted();
        }
        return true;
    }
}
