package io.reprise.benchmark;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The commit and the uncommitted changes of a project's folder at a moment. A run measures the program of its beginning, whatever
 * changes until its end. Files of results are no part of the program.
 *
 * @param commit in short; "unknown" without a commit or without git
 * @param changes uncommitted changes as git lists them; empty if there are none
 */
record Revision(String commit, String changes) {
    static Revision of(Path project) {
        Git git = new Git(project);
        return git.output("rev-parse", "--short=12", "HEAD")
                .map(commit -> new Revision(
                        commit,
                        inProgram(git, "status", "--porcelain") + inProgram(git, "diff", "HEAD") + untracked(git)))
                .orElseGet(() -> new Revision(Machine.UNKNOWN, ""));
    }

    /** Names and hashes of untracked files, because git only lists these. */
    private static String untracked(Git git) {
        String names = inProgram(git, "ls-files", "--others", "--exclude-standard");
        List<String> hash =
                Stream.concat(Stream.of("hash-object", "--"), names.lines()).toList();
        return names.isEmpty() ? names : names + git.output(hash).orElse(Machine.UNKNOWN);
    }

    private static String inProgram(Git git, String... command) {
        return git.output(Stream.concat(Stream.of(command), Stream.of("--", ".", ":!benchmarks/results"))
                        .toList())
                .orElse(Machine.UNKNOWN);
    }

    @Override
    public String toString() {
        return changes.isEmpty() ? commit : commit + " with uncommitted changes";
    }

    /**
     * The reason why a result of this program may not be published; empty if it may be. A commit beside main can vanish when its
     * branch is rebased.
     */
    String objection(Path project) {
        Git git = new Git(project);
        if (!changes.isEmpty()) {
            return "the folder has uncommitted changes";
        }
        boolean aside = git.output("rev-parse", "--verify", "--quiet", "main").isPresent()
                && git.output("merge-base", "--is-ancestor", commit, "main").isEmpty();
        return aside ? "commit " + commit + " is not on main" : "";
    }

    /** A sentence about changes during the run; empty if there were none. */
    String change(Revision atEnd) {
        return equals(atEnd)
                ? ""
                : "the folder was changed during the run, and was at " + atEnd
                        + " when it ended: measured is the program of the beginning";
    }
}
