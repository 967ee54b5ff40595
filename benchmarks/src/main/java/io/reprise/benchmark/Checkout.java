package io.reprise.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A worktree of another commit under {@code benchmarks/target/against}, built by its own scripts. It stays for the next comparison
 * with this commit until {@code target} is removed.
 */
final class Checkout {
    private final Path folder;
    private final String commit;

    private Checkout(Path folder, String commit) {
        this.folder = folder;
        this.commit = commit;
    }

    /** Finds or makes the worktree. */
    static Checkout of(Path project, String name) {
        Git git = new Git(project);
        String commit = git.output("rev-parse", "--verify", "--quiet", "--short=12", name + "^{commit}")
                .orElseThrow(() -> new UsageException("--against needs a commit; git knows no '" + name + "'"));
        Path folder = project.toAbsolutePath()
                .normalize()
                .resolve("benchmarks/target/against")
                .resolve(commit);
        git.output("worktree", "prune");
        if (!Files.exists(folder.resolve(".git"))) {
            if (git.output("worktree", "add", "--detach", folder.toString(), commit)
                    .isEmpty()) {
                throw new IllegalStateException("git can't add a worktree in " + folder
                        + "; 'git worktree list' shows whether it knows one there, 'git worktree remove' removes it");
            }
        }
        return new Checkout(folder, commit);
    }

    String commit() {
        return commit;
    }

    /** Builds it by listing its benchmarks. Fails if the benchmark is not among them. */
    void build(String benchmark) throws IOException, InterruptedException {
        String list = new BenchmarkProcess("commit " + commit, command(List.of())).output();
        if (list.lines().noneMatch(line -> line.startsWith(benchmark + " "))) {
            throw new UsageException(String.format(Locale.ROOT, "commit %s has no benchmark '%s'", commit, benchmark));
        }
    }

    /** The command line of its {@code scripts/bench}. */
    List<String> command(List<String> arguments) {
        return BenchmarkProcess.joined(List.of(folder.resolve("scripts/bench").toString()), arguments);
    }
}
