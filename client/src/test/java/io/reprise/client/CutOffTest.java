package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A server that goes without a word, as one that is killed does. */
final class CutOffTest {
    @Test
    void shouldSayInWordsThatAConnectionWasCutOff() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> cutOff(listening), "cutting-server");
            server.setDaemon(true);
            server.start();
            ClientSettings settings = ClientSettings.to((InetSocketAddress) listening.getLocalSocketAddress())
                    .withConnectTimeout(Duration.ofSeconds(2));

            assertThatThrownBy(() -> Client.connect(settings))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("the connection ended: it was cut off")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("Exception", "recv", "netty"));
        }
    }

    /** What has come is not read when the socket ends, so that the other side is sent a reset. */
    private static void cutOff(ServerSocket listening) {
        while (!listening.isClosed()) {
            try (Socket socket = listening.accept()) {
                socket.setSoLinger(true, 0);
                if (socket.getInputStream().read() < 0) {
                    return;
                }
            } catch (IOException over) {
                if (!listening.isClosed()) {
                    throw new UncheckedIOException(over);
                }
            }
        }
    }
}
