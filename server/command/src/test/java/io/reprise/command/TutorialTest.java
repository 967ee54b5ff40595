package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.node.process.RunFile;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Does what the tutorial says, by a shell in an empty folder, and compares what is printed. */
final class TutorialTest {
    private static final Pattern BLOCK =
            Pattern.compile("(?:Put this into `([A-Za-z.]+)`:\n\n)?```([a-z]+)\n(.*?)```", Pattern.DOTALL);
    private static final String USUAL_PORT = "21212";
    private static final long WAIT_SECONDS = 120;

    @TempDir
    Path folder;

    private record Step(String command, List<String> expected) {}

    @AfterEach
    void kill() {
        if (Files.isDirectory(folder.resolve("data"))) {
            RunFile.read(folder.resolve("data")).flatMap(RunFile::process).ifPresent(node -> {
                node.destroyForcibly();
                node.onExit().join();
            });
        }
    }

    @Test
    void shouldPrintWhatTheTutorialSays() throws Exception {
        int port = freePort();
        makeCommand(port);
        int commands = 0;
        // Its first connection a process makes with what it loads just then, which takes long where others want the
        // processor.
        String text = Files.readString(Path.of("..", "..", "docs", "start", "tutorial.md"))
                .replace(USUAL_PORT + ")))", USUAL_PORT + ")).withConnectTimeout(java.time.Duration.ofMinutes(1)))")
                .replace(USUAL_PORT, String.valueOf(port));
        assertThat(text).contains("withConnectTimeout");
        Matcher blocks = BLOCK.matcher(text);
        while (blocks.find()) {
            if (blocks.group(1) != null) {
                Files.writeString(folder.resolve(blocks.group(1)), blocks.group(3));
            } else {
                assertThat(blocks.group(2)).as(blocks.group(3)).isEqualTo("console");
                for (Step step : steps(blocks.group(3))) {
                    commands++;
                    check(step, run(step.command));
                }
            }
        }
        assertThat(commands).isGreaterThan(12);
    }

    private static List<Step> steps(String console) {
        List<Step> steps = new ArrayList<>();
        console.lines().forEach(line -> {
            if (line.startsWith("$ ")) {
                steps.add(new Step(line.substring(2), new ArrayList<>()));
            } else {
                steps.getLast().expected.add(line);
            }
        });
        return steps;
    }

    private static void check(Step step, List<String> printed) {
        String expected = String.join("\n", step.expected);
        String pattern = Pattern.quote(expected).replace("...", "\\E(?s:.*)\\Q");
        assertThat(String.join("\n", printed)).as(step.command).matches(pattern);
    }

    /**
     * The ports of the tutorial may be in use here. This one is not among those that the system gives to connections and to who asks for
     * any, or one of them could have it before the node does.
     */
    private static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(12_000, 28_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // Another one, then.
            }
        }
    }

    private void makeCommand(int port) throws IOException {
        Path command = Files.createDirectory(folder.resolve("bin")).resolve("reprise");
        Files.writeString(
                command, """
                #!/usr/bin/env bash
                [ "$1" != start ] || set -- "$@" --port %d --http-port 0
                exec java --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \\
                    -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '%s' %s "$@"
                """.formatted(port, System.getProperty("java.class.path"), RepriseCommand.class.getName()));
        assertThat(command.toFile().setExecutable(true)).isTrue();
    }

    private List<String> run(String command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(folder.toFile());
        builder.environment()
                .merge(
                        "PATH",
                        folder.resolve("bin")
                                + File.pathSeparator
                                + Path.of(System.getProperty("java.home"), "bin")
                                + File.pathSeparator,
                        (path, first) -> first + path);
        Path printed = folder.resolve("printed");
        // Not a pipe: a node that goes on would keep it open.
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).as(command).isTrue();
        return Files.readString(printed, StandardCharsets.UTF_8)
                .replace("\r\n", "\n")
                .lines()
                .toList();
    }
}
