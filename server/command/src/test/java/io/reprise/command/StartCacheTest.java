package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class StartCacheTest {
    /** More than a rehearsal may take on a machine that does much else. */
    private static final int MOST_MINUTES = 16;

    @TempDir
    private Path folder;

    private Path jar;
    private StartCache cache;

    @BeforeEach
    void install() throws IOException {
        jar = Files.writeString(folder.resolve("reprise.jar"), "classes");
        cache = new StartCache(folder.resolve("start.aot"), jar.toString());
    }

    @Test
    void shouldBeMadeWhenThereIsNone() {
        assertThat(cache.isWanted()).isTrue();
    }

    @Test
    void shouldNotBeTriedAgainWhenItCouldNotBeMade() throws Exception {
        // The class path has no program.
        assertThatThrownBy(() -> cache.make())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nodes start as before");

        assertThat(cache.isWanted()).isFalse();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("reprise.jar", "start.aot.lock", "start.aot.of");
        }
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldBeTriedAgainWhenTheAttemptWasEndedBySomebody() throws Exception {
        StartCache real = new StartCache(folder.resolve("real.aot"), System.getProperty("java.class.path"));
        Thread somebody = Thread.ofPlatform().daemon().start(() -> {
            while (rehearsals().filter(ProcessHandle::destroy).findAny().isEmpty()) {
                LockSupport.parkNanos(1_000_000);
            }
        });

        assertThatThrownBy(real::make).hasMessageContaining("the next start tries again");

        somebody.join();
        assertThat(real.isWanted()).isTrue();
    }

    /** By a flag that stands before the class path: the system keeps the first few thousand characters of a command only. */
    private static Stream<ProcessHandle> rehearsals() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains("-XX:AOTCacheOutput="));
    }

    @Test
    void shouldRemoveWhatAnAttemptHasLeftThatWasKilled() throws Exception {
        Files.createFile(folder.resolve("start.aot.lock"));
        Files.writeString(folder.resolve("start.aot.new"), "half");
        Files.writeString(folder.resolve("start.aot.new.config"), "what was seen");
        Files.writeString(
                Files.createDirectory(folder.resolve("start.aot.data")).resolve("said"), "a line");

        assertThatThrownBy(() -> cache.make()).hasMessageContaining("a rehearsed start failed");

        assertThat(folder.resolve("start.aot.new")).doesNotExist();
        assertThat(folder.resolve("start.aot.new.config")).doesNotExist();
        assertThat(folder.resolve("start.aot.data")).doesNotExist();
    }

    @Test
    void shouldBeMadeAgainWhenAJarHasChanged() throws Exception {
        assertThatThrownBy(() -> cache.make()).isInstanceOf(IllegalStateException.class);

        Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000));

        assertThat(cache.isWanted()).isTrue();
    }

    @Test
    void shouldNotBeMadeWhereNothingCanBeWritten() {
        StartCache elsewhere = new StartCache(folder.resolve("missing/start.aot"), jar.toString());

        assertThat(elsewhere.isWanted()).isFalse();
    }

    @Test
    void shouldSayThatAnotherProcessMakesItAndLeaveItsDraft() throws Exception {
        Path lock = folder.resolve("start.aot.lock");
        Path draft = Files.writeString(folder.resolve("start.aot.new"), "half");
        try (FileChannel other = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = other.lock()) {
            assertThat(held.isValid()).isTrue();

            assertThatThrownBy(cache::make).hasMessageContaining("another process is making");
            assertThat(draft).hasContent("half");
        }
    }

    /** The whole way, with the classes under test in a jar, as the launch scripts have them. */
    @Test
    @Tag("long")
    void shouldStartFromACacheThatWasPrepared() throws Exception {
        String classPath = jars();
        Path made = folder.resolve("real.aot");

        run(classPath, "-D" + StartCache.PROPERTY + "=" + made, RepriseCommand.class.getName(), "prepare");
        String loaded =
                run(classPath, "-XX:AOTCache=" + made, "-Xlog:class+load", RepriseCommand.class.getName(), "--version");

        assertThat(loaded).containsPattern("io.reprise.command.RepriseCommand source: shared objects file");
    }

    private String jars() throws IOException {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (entry.isEmpty()) {
                continue;
            }
            if (Files.isDirectory(Path.of(entry))) {
                String packed = folder.resolve(entries.size() + ".jar").toString();
                assertThat(ToolProvider.findFirst("jar")
                                .orElseThrow()
                                .run(System.out, System.err, "--create", "--file", packed, "-C", entry, "."))
                        .isZero();
                entries.add(packed);
            } else {
                entries.add(entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private String run(String classPath, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", classPath));
        command.addAll(List.of(arguments));
        // Into a file: reading from a process that hangs would never end.
        Path output = folder.resolve("said");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(MOST_MINUTES, TimeUnit.MINUTES);
            String said = Files.readString(output);
            assertThat(ended).as("ended; it said: " + said).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
