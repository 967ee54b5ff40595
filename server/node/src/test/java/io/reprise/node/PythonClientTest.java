package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import io.reprise.wire.ArgumentWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests of the client for Python, at a server. Skipped without Python. */
final class PythonClientTest {
    private static final long LIMIT_S = 300;
    private static final int LONGEST = 200;

    @TempDir
    Path folder;

    /** Hashes of binary values of all lengths, as the server computes them. */
    private static String hashes() {
        StringJoiner hashes = new StringJoiner(" ");
        for (int length = 0; length < LONGEST; length++) {
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) i;
            }
            hashes.add(Long.toUnsignedString(new ArgumentWriter().add(bytes).partitioningValue(0)));
        }
        return hashes.toString();
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    @Test
    void shouldServeTheClientForPython() throws Exception {
        assumeTrue(hasPython(), "python3 from 3.9 on is not installed");
        Path client =
                Path.of("").toAbsolutePath().resolve("../../client/python").normalize();
        Path output = folder.resolve("output");
        PortSettings port = PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (Server server = Server.open(Options.create().partitions(2), port)) {
            ProcessBuilder builder = new ProcessBuilder(
                            List.of("python3", "-B", "-m", "unittest", "discover", "-s", "tests", "-v"))
                    .directory(client.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment()
                    .put("REPRISE_PORT", Integer.toString(server.address().getPort()));
            builder.environment().put("REPRISE_HASHES", hashes());
            Process process = builder.start();
            boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
            process.destroyForcibly();

            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended).as(text).isTrue();
            assertThat(process.waitFor()).as(text).isZero();
            assertThat(text).contains("OK").doesNotContain("skipped");
        }
    }
}
