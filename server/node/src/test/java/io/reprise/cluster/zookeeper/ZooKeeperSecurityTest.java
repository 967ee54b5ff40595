package io.reprise.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.cluster.Membership.Session;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of ZooKeeper that speaks TLS only, and znodes that belong to a login. */
final class ZooKeeperSecurityTest {
    private static final Duration SESSION = Duration.ofSeconds(4);
    private static final long PATIENCE_NS = 60_000_000_000L;

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        SecureStores.clearProperties();
    }

    private <T extends AutoCloseable> T open(T each) {
        opened.addFirst(each);
        return each;
    }

    private static ClusterConfiguration make(Coordination coordination) {
        return coordination.configuration(
                new ClusterConfiguration("shop", "", 1, 1, 1024, 0, true), Optional.empty(), why -> {});
    }

    private static Coordination coordination(String server, ZooKeeperSecurity security) {
        long endNs = System.nanoTime() + PATIENCE_NS;
        return Coordination.open(
                new ZooKeeperSettings(server, SESSION, security), "shop", () -> System.nanoTime() > endNs);
    }

    @Test
    void shouldKeepACluster() throws Exception {
        ZooKeeperSecurity security =
                new ZooKeeperSecurity(Optional.of(SecureStores.in(folder, "own")), Optional.of("shop:secret"));
        EmbeddedZooKeeper server = open(EmbeddedZooKeeper.alone(
                folder.resolve("data"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), security));
        String address = "localhost:" + server.clientPort();

        Coordination coordination = open(coordination(address, security));
        ClusterConfiguration made = make(coordination);
        ZooKeeperMembership membership = open(coordination.membership(made, 0, failure -> {
            throw new AssertionError(failure);
        }));
        membership.announce(new byte[] {1});
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (membership.session() != Session.CONNECTED || !membership.live().containsKey(0)) {
            assertThat(System.nanoTime()).isLessThan(endNs);
            membership.poll(System.nanoTime());
            LockSupport.parkNanos(1_000_000);
        }

        try (Coordination other =
                coordination(address, new ZooKeeperSecurity(security.stores(), Optional.of("other:secret")))) {
            assertThatThrownBy(() -> make(other))
                    .hasMessageContaining("denies access to /reprise/shop")
                    .hasMessageContaining("check the credentials");
        }
        long[] looks = {0};
        assertThatThrownBy(
                        () -> Coordination.open(new ZooKeeperSettings(address, SESSION), "shop", () -> ++looks[0] > 5))
                .hasMessageContaining("told to stop before it was ready");
        looks[0] = 0;
        ZooKeeperSecurity foreign =
                new ZooKeeperSecurity(Optional.of(SecureStores.in(folder, "foreign")), Optional.empty());
        assertThatThrownBy(() -> Coordination.open(
                        new ZooKeeperSettings(address, SESSION, foreign), "shop", () -> ++looks[0] > 5))
                .hasMessageContaining("told to stop before it was ready");
    }
}
