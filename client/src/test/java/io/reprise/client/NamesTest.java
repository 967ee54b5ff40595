package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes are found by their names, however long that takes, and whichever of a name's addresses it is that takes connections. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NamesTest {
    private static final String SLOW = "slow.example";

    private final CountDownLatch nameServer = new CountDownLatch(1);
    private final Names names = new Names(this::addresses);

    private InetAddress[] addresses(String name) throws UnknownHostException {
        if (name.equals(SLOW)) {
            try {
                nameServer.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return new InetAddress[] {InetAddress.getByName("127.0.0.2"), InetAddress.getLoopbackAddress()};
    }

    @AfterEach
    void answer() {
        nameServer.countDown();
    }

    private Client connect(InetSocketAddress... nodes) {
        return Client.connect(ClientSettings.to(nodes).withConnectTimeout(Duration.ofSeconds(20)), names);
    }

    @Test
    void shouldMoveOtherNodesCallsWhileANameIsLookedUp() throws IOException {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(InetSocketAddress.createUnresolved(SLOW, 1), server.address())) {
            assertThat(client.call("Deposit").longValue()).isEqualTo(17);
        }
    }

    @Test
    void shouldSayThatANameIsLookedUpWhenThatTakesLongerThanConnectingMay() {
        ClientSettings settings = ClientSettings.to(InetSocketAddress.createUnresolved(SLOW, 1))
                .withConnectTimeout(Duration.ofSeconds(1));

        assertThatThrownBy(() -> Client.connect(settings, names))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("slow.example:1: its name is being looked up still");
    }

    /** It is looked up before each attempt, and whoever asks just then wants to know what came of the last one. */
    @Test
    void shouldSayWhyThereIsNoConnectionAlsoWhileTheNameIsLookedUpAgain() throws Exception {
        CountDownLatch again = new CountDownLatch(2);
        Names once = new Names(name -> {
            again.countDown();
            return again.getCount() > 0 ? new InetAddress[] {InetAddress.getLoopbackAddress()} : addresses(SLOW);
        });
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.LOST);
                Client client = Client.connect(
                        ClientSettings.to(InetSocketAddress.createUnresolved(
                                        "again.example", server.address().getPort()))
                                .withCallTimeout(Duration.ofMillis(200))
                                .withReconnect(Duration.ofMillis(1), Duration.ofMillis(1)),
                        once)) {
            while (again.getCount() > 0) {
                client.callAsync("Deposit");
                LockSupport.parkNanos(1_000_000);
            }

            assertThatThrownBy(() -> client.sql("SELECT 1"))
                    .hasMessageContaining(": the connection ended")
                    .hasMessageNotContaining("looked up");
        }
    }

    @Test
    void shouldConnectToAnotherAddressOfTheNameWhenTheFirstTakesNoConnections() throws IOException {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(InetSocketAddress.createUnresolved(
                        "two.example", server.address().getPort()))) {
            assertThat(client.call("Deposit").longValue()).isEqualTo(17);
        }
    }
}
