package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages about a node that does not answer. */
@Timeout(60)
final class NodeClientTest {
    private static RunFile at(ServerSocket server) {
        return new RunFile(4711, 0, "", "http://127.0.0.1:" + server.getLocalPort(), "", "", "token");
    }

    /** As one that is killed between logging a change and saying so. */
    @Test
    void shouldSayThatNobodyKnowsWhenTheNodeHasTheRequestAndDoesNotAnswer() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                NodeClient client = new NodeClient(at(server))) {
            Thread node = Thread.ofPlatform().daemon().start(() -> readAndEnd(server));

            assertThatThrownBy(() -> client.post("/ddl", "DROP TABLE t"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("process 4711, does not answer")
                    .hasMessageEndingWith("; whether it was done is not known");
            node.join();
        }
    }

    @Test
    void shouldWaitNoLongerThanItIsTold() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String said = whatIsSaidAfter(Duration.ofMillis(500), server);
            if (!said.contains("not known")) {
                // This machine has stood still before the request was sent.
                said = whatIsSaidAfter(Duration.ofSeconds(15), server);
            }

            assertThat(said).contains("timed out; whether it was done is not known");
        }
    }

    private static String whatIsSaidAfter(Duration patience, ServerSocket silent) {
        try (NodeClient client = new NodeClient(at(silent)).waitingAtMost(patience)) {
            return catchThrowableOfType(IllegalStateException.class, () -> client.post("/ddl", "DROP TABLE t"))
                    .getMessage();
        }
    }

    private static void readAndEnd(ServerSocket server) {
        try (Socket connection = server.accept()) {
            StringBuilder read = new StringBuilder();
            while (read.indexOf("DROP TABLE t") < 0) {
                read.append((char) connection.getInputStream().read());
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldNotSayThatWhenTheRequestWasNotSent() throws IOException {
        RunFile gone;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            gone = at(server);
        }
        try (NodeClient client = new NodeClient(gone)) {
            assertThatThrownBy(() -> client.post("/ddl", "DROP TABLE t"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("does not answer")
                    .hasMessageNotContaining("not known");
        }
    }
}
