package io.reprise.runtime.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
final class TcpTableTest {
    private static TcpTable.Connection connection(Socket accepted) {
        return TcpTable.connection((InetSocketAddress) accepted.getLocalSocketAddress(), (InetSocketAddress)
                accepted.getRemoteSocketAddress());
    }

    private static void awaitGone(TcpTable.Connection connection) {
        while (!connection.isGone()) {
            LockSupport.parkNanos(100_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void shouldTellThatThePeerHasClosed(String address) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            Socket peer = new Socket(server.getInetAddress(), server.getLocalPort());
            try (Socket accepted = server.accept()) {
                TcpTable.Connection connection = connection(accepted);
                assertThat(connection.isGone()).isFalse();

                peer.close();

                awaitGone(connection);
            }
        }
    }

    /** A reset connection is in no table any more. */
    @ParameterizedTest
    @ValueSource(strings = "127.0.0.1")
    void shouldTellThatThePeerHasBrokenTheConnection(String address) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            Socket peer = new Socket(server.getInetAddress(), server.getLocalPort());
            try (Socket accepted = server.accept()) {
                TcpTable.Connection connection = connection(accepted);
                assertThat(connection.isGone()).isFalse();

                peer.setSoLinger(true, 0);
                peer.close();

                awaitGone(connection);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void shouldNotTakeAnUnknownConnectionForAClosedOne(String address) throws Exception {
        InetSocketAddress none = new InetSocketAddress(InetAddress.getByName(address), 9);
        TcpTable.Connection connection = TcpTable.connection(none, none);

        for (int i = 0; i < 5; i++) {
            assertThat(connection.isGone()).isFalse();
        }
    }
}
