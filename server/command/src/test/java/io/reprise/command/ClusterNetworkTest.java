package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes as processes behind real network faults, in namespaces that the test makes itself. */
final class ClusterNetworkTest {
    /** A world with its own users, network, mounts and processes; all of them end with its first process. */
    private static final List<String> WORLD = List.of(
            "unshare",
            "--user",
            "--map-root-user",
            "--net",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc");

    @TempDir
    private Path temporary;

    @Test
    void shouldCountEachCallOnceWhileANodeIsMute() throws IOException, InterruptedException {
        run(true);
    }

    @Test
    @Tag("long")
    void shouldCountEachCallOnceWhileTheNetworkIsCutAndADiskIsFull() throws IOException, InterruptedException {
        run(false);
    }

    private void run(boolean isShort) throws IOException, InterruptedException {
        assumeThat(canMakeWorlds())
                .as("namespaces of users, networks and mounts, a bridge and a tmpfs, all of which a machine may forbid")
                .isTrue();
        List<String> command = new ArrayList<>(WORLD);
        command.addAll(CommandProcess.java(CutNetworkScenario.class, temporary.toString(), Boolean.toString(isShort)));
        Path output = temporary.resolve("scenario.log");

        Process scenario = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(scenario.waitFor(5, TimeUnit.MINUTES))
                    .as("%s", said(output))
                    .isTrue();
            assertThat(scenario.exitValue()).as("%s", said(output)).isZero();
        } finally {
            scenario.destroyForcibly();
        }
    }

    private String said(Path output) throws IOException {
        StringBuilder all = new StringBuilder(Files.readString(output));
        for (int node = 0; node < 3; node++) {
            Path log = temporary.resolve("node-" + node + ".log");
            if (Files.exists(log)) {
                all.append("\nnode ").append(node).append(":\n").append(Files.readString(log));
            }
        }
        return all.toString();
    }

    private boolean canMakeWorlds() throws InterruptedException {
        List<String> command = new ArrayList<>(WORLD);
        command.addAll(List.of(
                "sh",
                "-c",
                "ip link add hub type bridge && ip link add one type veth peer name two"
                        + " && echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet && nsenter --version"
                        + " && mount -t tmpfs tmpfs " + temporary));
        try {
            Process trial = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return trial.waitFor(30, TimeUnit.SECONDS) && trial.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }
}
