package io.reprise.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What a project's folder has at a moment, by git. A run is of the program as it was when the run began, whatever happens in the folder
 * until it ends. Results are no part of the program.
 *
 * @param commit in short; "unknown" where there is none or no git
 * @param changes what is not committed, as git tells it; empty: nothing
 */
record Revision(String commit, String changes) {
    static Revision of(Path project) {
        String commit = output(project, "rev-parse", "--short=12", "HEAD");
        return commit.equals(Machine.UNKNOWN)
                ? new Revision(commit, "")
                : new Revision(
                        commit,
                        inProgram(project, "status", "--porcelain")
                                + inProgram(project, "diff", "HEAD")
                                + unknownFiles(project));
    }

    /** What is in the files that git only lists. */
    private static String unknownFiles(Path project) {
        String names = inProgram(project, "ls-files", "--others", "--exclude-standard");
        return names.isEmpty() || names.equals(Machine.UNKNOWN)
                ? names
                : names
                        + output(
                                project,
                                Stream.concat(Stream.of("hash-object", "--"), names.lines())
                                        .toArray(String[]::new));
    }

    private static String inProgram(Path project, String command, String... options) {
        return output(
                project,
                Stream.of(Stream.of(command), Stream.of(options), Stream.of("--", ".", ":!benchmarks/results"))
                        .flatMap(part -> part)
                        .toArray(String[]::new));
    }

    @Override
    public String toString() {
        return changes.isEmpty() ? commit : commit + " with uncommitted changes";
    }

    /** What is to be said beside {@link #toString} when the run has ended; empty if all is as it was. */
    String change(Revision atEnd) {
        return equals(atEnd)
                ? ""
                : "the folder was changed during the run, and was at " + atEnd
                        + " when it ended: measured is what was there at its beginning";
    }

    private static String output(Path folder, String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = "git";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0 ? output : Machine.UNKNOWN;
        } catch (IOException e) {
            return Machine.UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Machine.UNKNOWN;
        }
    }
}
