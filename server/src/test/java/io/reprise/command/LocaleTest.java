package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What somebody types is what arrives, or is refused. */
final class LocaleTest {
    private static final Path SCRIPTS = Path.of("../scripts");

    @TempDir
    private Path home;

    /** A distribution whose JDK only tells which locale it was given. */
    private String run(String... locale) throws Exception {
        Path bin = Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("lib"));
        Files.copy(SCRIPTS.resolve("packaging/reprise"), bin.resolve("reprise"));
        Files.copy(SCRIPTS.resolve("find-jdk"), bin.resolve("find-jdk"));
        program(bin.resolve("jvm-flags"), "echo -Dnothing=true");
        Path jdk = Files.createDirectories(home.resolve("jdk/bin")).getParent();
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
        program(jdk.resolve("bin/java"), "echo \"${LC_ALL:-}|${LANG:-}\"");
        ProcessBuilder builder =
                new ProcessBuilder("bash", bin.resolve("reprise").toString(), "sql");
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
        builder.environment().put("JAVA_HOME", jdk.toString());
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
