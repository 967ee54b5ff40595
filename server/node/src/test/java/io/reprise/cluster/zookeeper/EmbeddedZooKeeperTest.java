package io.reprise.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.cluster.Membership.Change;
import io.reprise.cluster.Membership.Change.Outcome;
import io.reprise.cluster.Membership.Session;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of ZooKeeper in this process. */
final class EmbeddedZooKeeperTest {
    private static final long PATIENCE_NS = 40_000_000_000L;
    private static final Duration SESSION = Duration.ofSeconds(4);

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T open(T each) {
        opened.addFirst(each);
        return each;
    }

    /** The first of so many free ports in a row. */
    private static int freePorts(int count) throws IOException {
        for (int attempt = 0; attempt < 50; attempt++) {
            int first;
            try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                first = probe.getLocalPort();
            }
            boolean free = first + count < 0xFFFF;
            for (int port = first; free && port < first + count; port++) {
                try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                    free = probe.isBound();
                } catch (IOException taken) {
                    free = false;
                }
            }
            if (free) {
                return first;
            }
        }
        throw new AssertionError("no ports in a row are free");
    }

    private static void await(ZooKeeperMembership membership, BooleanSupplier condition) {
        long beganNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - beganNs).isLessThan(PATIENCE_NS);
            if (membership.poll(System.nanoTime()) == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            if (membership.session() == Session.LOST) {
                membership.announce(new byte[] {1});
            }
        }
    }

    private static Outcome replace(ZooKeeperMembership membership, int version) {
        Change change = membership.replace(version, new byte[] {(byte) version});
        await(membership, () -> change.outcome() != Outcome.PENDING);
        return change.outcome();
    }

    @Test
    void shouldServeWithTwoServersOfThree() throws IOException {
        serveWithTwoServersOfThree(ZooKeeperSecurity.NONE);
    }

    /** Servers speak TLS to each other and to clients, and reject a client without a certificate of theirs. */
    @Test
    void shouldServeWithTwoServersOfThreeByTlsOnly() throws Exception {
        ZooKeeperSecurity security =
                new ZooKeeperSecurity(Optional.of(SecureStores.in(folder, "own")), Optional.of("three:secret"));
        try {
            serveWithTwoServersOfThree(security);
        } finally {
            close();
            opened.clear();
            SecureStores.clearProperties();
        }
    }

    private void serveWithTwoServersOfThree(ZooKeeperSecurity security) throws IOException {
        List<EmbeddedZooKeeper.Server> ensemble = new ArrayList<>();
        List<InetSocketAddress> addresses = new ArrayList<>();
        int first = freePorts(9);
        for (int i = 1; i <= 3; i++) {
            int port = first + 3 * (i - 1);
            addresses.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            ensemble.add(new EmbeddedZooKeeper.Server(i, "127.0.0.1", port + 1, port + 2));
        }
        List<EmbeddedZooKeeper> servers = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            servers.add(open(EmbeddedZooKeeper.of(
                    folder.resolve(String.valueOf(i)), i, addresses.get(i - 1), ensemble, security)));
        }
        String all = addresses.stream().map(at -> "127.0.0.1:" + at.getPort()).collect(Collectors.joining(","));
        Coordination coordination =
                open(Coordination.open(new ZooKeeperSettings(all, SESSION, security), "three", () -> false));
        ClusterConfiguration configuration = coordination.configuration(
                new ClusterConfiguration("three", "", 1, 1, 1024, 0, true), Optional.empty(), why -> {});
        ZooKeeperMembership membership = open(coordination.membership(configuration, 0, failure -> {
            throw new AssertionError(failure);
        }));
        membership.announce(new byte[] {1});
        await(
                membership,
                () -> membership.session() == Session.CONNECTED
                        && membership.live().containsKey(0));
        assertThat(replace(membership, 0)).isEqualTo(Outcome.DONE);
        if (security.stores().isPresent()) {
            int[] looks = {0};
            assertThatThrownBy(
                            () -> Coordination.open(new ZooKeeperSettings(all, SESSION), "three", () -> ++looks[0] > 3))
                    .hasMessageContaining("told to stop before it was ready");
        }

        // The last one leads the ensemble, as all logs are equally long.
        servers.get(2).close();

        // A change that was under way is unknown; then a new one is done.
        await(
                membership,
                () -> membership.session() == Session.CONNECTED
                        && replace(membership, membership.map().version()) == Outcome.DONE);
        assertThat(membership.map().version()).isGreaterThanOrEqualTo(2);
        servers.get(1).close();
        await(membership, () -> membership.session() == Session.SUSPENDED);
        opened.removeIf(each -> each == servers.get(1) || each == servers.get(2));
    }

    @Test
    void shouldNameATakenPort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());

            assertThatThrownBy(() -> EmbeddedZooKeeper.alone(folder, address))
                    .hasMessageContaining("the ZooKeeper server can't listen on localhost:" + taken.getLocalPort())
                    .hasMessageContaining("another process may use the port");
        }
    }

    @Test
    void shouldRegisterNoBeans() throws Exception {
        open(EmbeddedZooKeeper.alone(folder, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));

        assertThat(ManagementFactory.getPlatformMBeanServer()
                        .queryNames(new ObjectName("org.apache.ZooKeeperService:*"), null))
                .isEmpty();
    }
}
