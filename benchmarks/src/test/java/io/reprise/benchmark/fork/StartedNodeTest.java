package io.reprise.benchmark.fork;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StartedNodeTest {
    @TempDir
    Path folder;

    @Test
    void shouldEndTheNodeWhenWhoHasStartedItIsKilled() throws Exception {
        List<String> command = new ArrayList<>(PreparedStart.command(List.of()));
        command.set(command.indexOf("io.reprise.command.RepriseCommand"), Starter.class.getName());
        command.add(folder.toString());
        Process starter = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = starter.inputReader()) {
            ProcessHandle node =
                    ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
            assertThat(node.isAlive()).isTrue();

            starter.destroyForcibly();

            node.onExit().get(60, TimeUnit.SECONDS);
        } finally {
            starter.destroyForcibly();
        }
    }

    /** Starts a node, says its pid, and waits. */
    static final class Starter {
        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            Path configuration = Files.writeString(folder.resolve("node.yaml"), """
                    data: {directory: data}
                    engine: {partitions: 1, memoryPerPartition: 64MiB}
                    log: {segment: 16MiB, largestRecord: 1MiB}
                    http: {port: 0}
                    clients: {port: 0}
                    """);
            try (StartedNode node = StartedNode.start(List.of(), configuration, folder.resolve("data"))) {
                node.awaitReady();
                System.out.println(node.pid());
                System.out.flush();
                Thread.sleep(TimeUnit.MINUTES.toMillis(5));
            }
        }
    }
}
