package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Typed characters arrive as they are, or are refused. */
final class LocaleTest {
    private static final Path SCRIPTS = Path.of("../../scripts");

    @TempDir
    private Path home;

    /** Runs a distribution whose JDK only tells which locale it was given; returns that. */
    private String run(String... locale) throws Exception {
        Path program = distribution("echo \"${LC_ALL:-}|${LANG:-}\"");
        return run(List.of("bash", program.toString(), "sql"), locale);
    }

    /** Makes one whose JDK does this. */
    private Path distribution(String java) throws IOException {
        Path bin = Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("lib"));
        Files.copy(SCRIPTS.resolve("packaging/reprise"), bin.resolve("reprise"));
        Files.copy(SCRIPTS.resolve("find-jdk"), bin.resolve("find-jdk"));
        program(bin.resolve("jvm-flags"), "echo -Dnothing=true");
        Path jdk = Files.createDirectories(home.resolve("jdk/bin")).getParent();
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
        program(jdk.resolve("bin/java"), java);
        return bin.resolve("reprise");
    }

    private String run(List<String> command, String... locale) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
        builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        for (int i = 0; i < locale.length; i += 2) {
            builder.environment().put(locale[i], locale[i + 1]);
        }
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().reduce((first, last) -> last).orElseThrow();
    }

    private static void program(Path file, String line) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @ParameterizedTest
    @CsvSource({"LC_ALL, C", "LC_ALL, ''", "LC_CTYPE, POSIX", "LANG, C"})
    void shouldReadArgumentsAsUtf8WhenNoLocaleSaysWhatTheyAre(String variable, String value) throws Exception {
        assertThat(run(variable, value)).startsWith("C.UTF-8|");
    }

    @Test
    void shouldLeaveALocaleAsItIsWhenThereIsOne() throws Exception {
        assertThat(run("LANG", "de_DE.UTF-8")).isEqualTo("|de_DE.UTF-8");
    }

    /** The process that waits for the node would take the port that is meant for it. */
    @Test
    void shouldKeepChosenFlagsForTheNodeWhenAStartDetaches() throws Exception {
        assertThat(flags("start", "data")).contains("-Xmx1g", "-Done=2");
        assertThat(flags("sql", "--detach")).contains("-Xmx1g", "-Done=2");
        assertThat(flags("start", "data", "--detach"))
                .contains("-Dreprise.node.flags=-Xmx1g -Done=2")
                .doesNotContain("-Xmx1g", "-Done=2");
    }

    @Test
    void shouldStartCommandsThatAskANodeWithASmallJvmAndOthersWithAFastOne() throws IOException {
        assertThat(flags("status")).contains("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
        assertThat(flags("call", "P")).isEqualTo(flags("stop"));
        for (String command : List.of("start", "load", "bench", "verify", "restore", "--version")) {
            assertThat(flags(command))
                    .as(command)
                    .contains("-XX:+UseParallelGC")
                    .doesNotContain("-XX:TieredStopAtLevel=1");
        }
    }

    private static List<String> flags(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("bash", SCRIPTS.resolve("jvm-flags").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("REPRISE_JVM_FLAGS", "-Xmx1g -Done=2");
        Process process = builder.redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    /** Java opens files of its own first, and the first one would have the number of standard input. */
    @Test
    void shouldReadNothingWhenStandardInputIsClosed() throws Exception {
        Path program = distribution("ls -l /proc/$$/fd/0");

        assertThat(run(List.of("bash", "-c", "exec <&-; exec bash \"$0\" sql", program.toString())))
                .endsWith(" -> /dev/null");
    }

    @Test
    void shouldRefuseArgumentsWhenJavaCouldNotReadThem() {
        String[] read = {"sql", "-e", "INSERT INTO a VALUES ('Zo\uFFFD\uFFFD')"};

        assertThat(RepriseCommand.lostCharacters("ANSI_X3.4-1968", read))
                .hasValueSatisfying(message -> assertThat(message).contains("LC_ALL=C.UTF-8"));
        assertThat(RepriseCommand.lostCharacters("UTF-8", read)).isEmpty();
        assertThat(RepriseCommand.lostCharacters("ANSI_X3.4-1968", "sql", "-e", "SELECT 1"))
                .isEmpty();
    }
}
