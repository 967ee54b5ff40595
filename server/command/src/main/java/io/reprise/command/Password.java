package io.reprise.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * The source of a password: a file, the environment, or a terminal that does not show it. Never an argument, because
 * all users of the machine can read those.
 */
final class Password {
    private static final String VARIABLE = "REPRISE_PASSWORD";

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "The password is the first line of this file. Without it, it is the environment variable "
                    + VARIABLE + ", or is asked for.")
    private Path file;

    /** Whether the option names a file. */
    boolean hasFile() {
        return file != null;
    }

    /** The password of a user, from the file or typed. */
    String of(String user) throws IOException {
        String given = given();
        return given == null ? typed("Password of " + user + ": ") : given;
    }

    /** A new password, typed twice. */
    String ofNew(String user) throws IOException {
        String given = given();
        if (given != null) {
            return given;
        }
        String first = typed("New password of " + user + ": ");
        if (!first.equals(typed("Once more: "))) {
            throw new IllegalArgumentException("the two were not the same; nothing has changed");
        }
        return first;
    }

    private String given() throws IOException {
        if (file == null) {
            return System.getenv(VARIABLE);
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || lines.getFirst().isEmpty()) {
            throw new IllegalArgumentException(file + " has no password in its first line");
        }
        return lines.getFirst();
    }

    private static String typed(String prompt) {
        if (!ProgressBar.atTerminal()) {
            throw new IllegalArgumentException("there is no terminal to ask for the password at: name a file by"
                    + " --password-file, or set " + VARIABLE);
        }
        char[] password = System.console().readPassword("%s", prompt);
        if (password == null) {
            throw new IllegalArgumentException("no password was given");
        }
        return new String(password);
    }
}
