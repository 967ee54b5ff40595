package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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
            ClientSettings settings = ClientSettings.to((InetSocketAddress) listening.getLocalSocketAddress());

            String said = whyThereIsNoConnection(settings.withConnectTimeout(Duration.ofSeconds(1)));
            if (!said.contains("cut off")) {
                // This machine has stood still before it was: it has more time.
                said = whyThereIsNoConnection(settings.withConnectTimeout(Duration.ofSeconds(20)));
            }

            assertThat(said)
                    .contains("the connection ended: it was cut off")
                    .doesNotContain("Exception", "recv", "netty");
        }
    }

    private static String whyThereIsNoConnection(ClientSettings settings) {
        return catchThrowableOfType(CallException.class, () -> Client.connect(settings))
                .getMessage();
    }

    /** Received bytes are unread when the socket ends, so that the other side is sent a reset. */
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
