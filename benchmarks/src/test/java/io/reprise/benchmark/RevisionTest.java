package io.reprise.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RevisionTest {
    @TempDir
    Path project;

    @BeforeEach
    void makeProject() throws Exception {
        git("init", "-q");
        Files.writeString(project.resolve("program"), "first");
        commit();
    }

    @Test
    void shouldKnowTheCommitAndWhetherThereIsMore() throws Exception {
        Revision clean = Revision.of(project);
        Files.writeString(project.resolve("program"), "second");

        Revision changed = Revision.of(project);

        assertThat(clean.toString()).matches("[0-9a-f]{12}");
        assertThat(changed).hasToString(clean + " with uncommitted changes");
        assertThat(clean.change(Revision.of(project))).contains("was at " + changed);
        assertThat(changed.change(Revision.of(project))).isEmpty();
    }

    @Test
    void shouldNoticeThatWhatIsNotCommittedHasBecomeOtherThings() throws IOException {
        Files.writeString(project.resolve("program"), "second");
        Revision before = Revision.of(project);

        Files.writeString(project.resolve("program"), "third");

        assertThat(before.change(Revision.of(project))).isNotEmpty();
    }

    @Test
    void shouldNoticeChangesOfFilesThatGitDoesNotKnow() throws IOException {
        Path unknown = Files.writeString(
                Files.createDirectories(project.resolve("more")).resolve("unknown"), "first");
        Revision before = Revision.of(project);
        Files.writeString(unknown, "second");
        Revision changed = Revision.of(project);

        Files.writeString(project.resolve("more/another"), "x");

        assertThat(before.change(changed)).isNotEmpty();
        assertThat(changed.change(Revision.of(project))).isNotEmpty();
    }

    @Test
    void shouldNotCountResults() throws IOException {
        Revision before = Revision.of(project);

        Files.writeString(
                Files.createDirectories(project.resolve("benchmarks/results")).resolve("sample.md"), "x");

        assertThat(before.change(Revision.of(project))).isEmpty();
    }

    @Test
    void shouldObjectToUncommittedChangesAndToACommitBesideMain() throws Exception {
        git("branch", "-M", "main");
        assertThat(Revision.of(project).objection(project)).isEmpty();

        Files.writeString(project.resolve("program"), "second");
        assertThat(Revision.of(project).objection(project)).isEqualTo("the folder has uncommitted changes");

        git("checkout", "-q", "-b", "aside");
        commit();
        Revision aside = Revision.of(project);
        assertThat(aside.objection(project)).isEqualTo("commit " + aside + " is not on main");
    }

    @Test
    void shouldNotKnowACommitWhereThereIsNoProject() {
        assertThat(Revision.of(project.getRoot())).hasToString("unknown");
    }

    private void commit() throws Exception {
        git("add", ".");
        git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--no-verify", "-m", "x");
    }

    private void git(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = "git";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        assertThat(new ProcessBuilder(command)
                        .directory(project.toFile())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }
}
