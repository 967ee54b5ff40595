package io.reprise.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts that build, in a project whose build is another script. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class BuildingScriptsTest {
    private static final List<String> MODULES = List.of(
            "procedures/api",
            "procedures/workloads",
            "cluster-config",
            "client",
            "server/engine",
            "server/node",
            "server/command",
            "benchmarks");

    @TempDir
    Path folder;

    private Path project;

    @BeforeEach
    void makeProject() throws IOException {
        project = Files.createDirectory(folder.resolve("project"));
        Files.writeString(project.resolve("pom.xml"), "");
        for (String module : MODULES) {
            Files.createDirectories(project.resolve(module).resolve("src/main"));
            Files.writeString(project.resolve(module).resolve("pom.xml"), "");
        }
        Files.createDirectory(project.resolve("scripts"));
        program("scripts/jvm-flags", "");
        for (String script : List.of("class-path", "build-lock", "find-jdk", "package", "torture", "version")) {
            Files.copy(scripts().resolve(script), project.resolve("scripts").resolve(script));
        }
        // Builds when the test lets it.
        program("mvnw", """
                echo built >> "$PROJECT/builds"
                until [ -f "$PROJECT/go" ]; do sleep 0.05; done
                echo ended >> "$PROJECT/builds"
                mkdir -p "$PROJECT/benchmarks/target/quick/classes" "$PROJECT/client/target/quick/classes"
                touch "$PROJECT/client/target/quick/classes/A.class"
                printf '%s' "$PROJECT/client/target/quick/classes" > "$PROJECT/benchmarks/target/quick/classpath.txt"
                """);
    }

    private void program(String name, String body) throws IOException {
        Path file = Files.writeString(project.resolve(name), "#!/usr/bin/env bash\nset -euo pipefail\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static Path scripts() {
        Path beside = Path.of("..", "scripts").toAbsolutePath().normalize();
        return Files.exists(beside) ? beside : Path.of("scripts").toAbsolutePath();
    }

    private Process source() throws IOException {
        return start("project='" + project + "'; . '" + project.resolve("scripts/class-path")
                + "'; echo; cat ${class_path//:/ } | wc -c");
    }

    private Process start(String command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command);
        builder.environment().put("PROJECT", project.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.redirectErrorStream(true).start();
    }

    private void awaitFirstBuild() {
        while (!Files.exists(project.resolve("builds"))) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void assertSucceeds(Process process) throws Exception {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
    }

    @Test
    void shouldBuildOnceWhenTwoProgramsFindSomethingChanged() throws Exception {
        Process first = source();
        awaitFirstBuild();
        Process second = source();

        Files.writeString(project.resolve("go"), "");

        assertSucceeds(first);
        assertSucceeds(second);
        assertThat(Files.readAllLines(project.resolve("builds"))).containsExactly("built", "ended");
        Process third = source();
        assertSucceeds(third);
        assertThat(Files.readAllLines(project.resolve("builds"))).containsExactly("built", "ended");
    }

    @ParameterizedTest
    @CsvSource({"torture,package", "package,torture", "torture,torture", "package,package"})
    void shouldBuildOneAfterTheOtherWhenBothBuild(String first, String second) throws Exception {
        Process one = start("bash " + project.resolve("scripts") + "/" + first);
        awaitFirstBuild();
        Process other = start("bash " + project.resolve("scripts") + "/" + second);
        BufferedReader said = other.inputReader();

        // Either it says that it waits, or it has begun to build.
        assertThat(said.readLine()).contains("waiting until it has ended");

        Files.writeString(project.resolve("go"), "");
        one.waitFor();
        said.readAllAsString();
        other.waitFor();
        assertThat(Files.readAllLines(project.resolve("builds"))).containsExactly("built", "ended", "built", "ended");
    }
}
