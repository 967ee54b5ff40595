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
import java.util.stream.Stream;

/** Does what a document says, by a shell in an empty folder, and compares what is printed. Closing it kills nodes that are left. */
final class Walkthrough implements AutoCloseable {
    static final String USUAL_PORT = "21212";

    private static final Pattern BLOCK =
            Pattern.compile("(?:Put this into `([A-Za-z.]+)`:\n\n)?```([a-z]+)\n(.*?)```", Pattern.DOTALL);
    private static final long WAIT_SECONDS = 300;
    private static final int DEPTH_OF_DATA = 3;

    private final Path folder;
    private final int port = freePort();

    private record Step(String command, List<String> expected) {}

    Walkthrough(Path folder) throws IOException {
        this.folder = folder;
        makeCommand();
    }

    /** The port that stands for the usual one. */
    int port() {
        return port;
    }

    /** The text of a document of those for the start. */
    static String document(String name) throws IOException {
        return Files.readString(Path.of("..", "..", "docs", "start", name));
    }

    /** Writes the files and runs the commands. Returns the number of commands. */
    int follow(String text) throws IOException, InterruptedException {
        int commands = 0;
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
        return commands;
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

    private void makeCommand() throws IOException {
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
        if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError(command + " has not ended; it has printed: " + Files.readString(printed));
        }
        return Files.readString(printed, StandardCharsets.UTF_8)
                .replace("\r\n", "\n")
                .lines()
                .toList();
    }

    @Override
    public void close() throws IOException {
        List<RunFile> nodes;
        try (Stream<Path> folders = Files.walk(folder, DEPTH_OF_DATA)) {
            nodes = folders.filter(Files::isDirectory)
                    .flatMap(data -> RunFile.read(data).stream())
                    .toList();
        }
        nodes.stream().flatMap(each -> each.process().stream()).forEach(process -> {
            process.destroyForcibly();
            process.onExit().join();
        });
    }
}
