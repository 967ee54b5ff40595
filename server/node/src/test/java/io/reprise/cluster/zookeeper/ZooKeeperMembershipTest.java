package io.reprise.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.cluster.Levels;
import io.reprise.cluster.Membership;
import io.reprise.cluster.Membership.Change.Outcome;
import io.reprise.cluster.Membership.Session;
import io.reprise.cluster.MembershipContract;
import io.reprise.cluster.PartitionMap;
import io.reprise.id.Buckets;
import io.reprise.id.DatabaseId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real ZooKeeper, of this process. */
final class ZooKeeperMembershipTest extends MembershipContract {
    private static final ClusterConfiguration WISH = new ClusterConfiguration("test", "", 2, 4, 1024, 1, true);
    private static final Duration SESSION = Duration.ofSeconds(2);
    private static final long PATIENCE_NS = 60_000_000_000L;
    private static final long PAUSE_NS = 1_000_000;

    @TempDir
    private Path folder;

    private EmbeddedZooKeeper server;
    private final CuttableProxy[] proxies = new CuttableProxy[3];
    private final List<ZooKeeperMembership> polled = new ArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<String> waits = new ArrayList<>();
    private int port;

    @BeforeEach
    void start() throws IOException {
        startServer(0);
        port = server.clientPort();
        for (int i = 1; i < proxies.length; i++) {
            proxies[i] = new CuttableProxy(port);
        }
    }

    private void startServer(int at) {
        server = EmbeddedZooKeeper.alone(folder, new InetSocketAddress(InetAddress.getLoopbackAddress(), at));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        for (int i = 1; i < proxies.length; i++) {
            proxies[i].close();
        }
        server.close();
    }

    private Coordination coordination(int node) {
        Coordination coordination =
                Coordination.open(new ZooKeeperSettings(proxies[node].address(), SESSION), WISH.cluster(), () -> false);
        opened.addFirst(coordination);
        return coordination;
    }

    @Override
    protected Membership open(int node) {
        Coordination coordination = coordination(node);
        ZooKeeperMembership membership = coordination.membership(
                coordination.configuration(WISH, Optional.empty(), waits::add), node, failures::add);
        polled.add(membership);
        opened.addFirst(membership);
        return membership;
    }

    @Override
    protected void await(BooleanSupplier condition) {
        long beganNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - beganNs > PATIENCE_NS) {
                throw new AssertionError("not within " + PATIENCE_NS + " ns; failures: " + failures);
            }
            long nowNs = System.nanoTime();
            int work = 0;
            for (ZooKeeperMembership membership : polled) {
                work += membership.poll(nowNs);
            }
            if (work == 0) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    @Override
    protected void cut(int node) {
        proxies[node].cut();
    }

    @Override
    protected void heal() {
        for (int i = 1; i < proxies.length; i++) {
            proxies[i].heal();
        }
    }

    @Override
    protected void outage() {
        server.close();
        await(() -> polled.stream().allMatch(each -> each.session() != Session.CONNECTED));
        startServer(port);
    }

    @Override
    protected void crash(int node) {
        proxies[node].cut();
        polled.remove(node - 1);
        try {
            proxies[node] = new CuttableProxy(port);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String newCluster(String name) {
        try (Coordination coordination =
                Coordination.open(new ZooKeeperSettings(proxies[1].address(), SESSION), name, () -> false)) {
            return coordination
                    .configuration(
                            new ClusterConfiguration(name, "", 2, 4, 1024, 1, true), Optional.empty(), waits::add)
                    .id();
        }
    }

    @Test
    void shouldGiveAllNodesTheSameDatabase() {
        String first = newCluster("other");
        String second = newCluster("other");

        assertThat(second).isEqualTo(first).hasSize(32);
        assertThat(Long.parseUnsignedLong(second.substring(16), 16) & 0xFF).isEqualTo(10);
        assertThat(DatabaseId.of(0, 0, new Buckets(1024)).buckets().count()).isEqualTo(1024);
    }

    @Test
    void shouldRejectDataOfAnotherCluster() {
        Coordination coordination = coordination(1);
        String id =
                coordination.configuration(WISH, Optional.empty(), waits::add).id();

        assertThatThrownBy(() -> coordination.configuration(WISH, Optional.of("0123"), waits::add))
                .hasMessageContaining("data belong to another cluster named 'test', with id 0123")
                .hasMessageContaining(id)
                .hasMessageContaining("check cluster.zookeeper".substring(1));
    }

    @Test
    void shouldNotMakeAClusterAnewForDataThatBelongToOne() {
        int[] looks = new int[1];
        Coordination coordination = Coordination.open(
                new ZooKeeperSettings(proxies[1].address(), SESSION), WISH.cluster(), () -> ++looks[0] > 4);
        opened.addFirst(coordination);

        assertThatThrownBy(() -> coordination.configuration(WISH, Optional.of("0123"), waits::add))
                .hasMessageContaining("told to stop");
        assertThat(waits)
                .singleElement()
                .asString()
                .contains("does not hold cluster 'test' with id 0123", "run \"reprise cluster recover\"");
        assertThat(newCluster("test")).isNotEmpty();
    }

    @Test
    void shouldMakeALostClusterAnewForNodesThatWait() {
        ClusterConfiguration lost = WISH.withId("0123");
        Coordination recovery = coordination(1);
        int lostVersion = recovery.beginRecovery(lost);
        assertThat(recovery.beginRecovery(lost)).isEqualTo(lostVersion);
        Coordination node = coordination(2);
        ClusterConfiguration found = node.configuration(WISH, Optional.of("0123"), waits::add);
        assertThat(found).isEqualTo(lost);
        node.requireLevel(Levels.OWN);
        ZooKeeperMembership membership = node.membership(found, 2, failures::add);
        polled.add(membership);
        opened.addFirst(membership);
        membership.announce(new byte[] {7});
        await(() -> membership.map() != null
                && membership.map().version() == 1
                && !recovery.live().isEmpty());
        assertThat(membership.map().content()).isEmpty();
        assertThat(recovery.live().get(2)).containsExactly(7);

        recovery.endRecovery(lostVersion, new byte[] {1, 2}, "in words");
        recovery.endRecovery(lostVersion, new byte[] {1, 2}, "in words");

        await(() -> membership.map().version() == 2);
        assertThat(membership.map().content()).containsExactly(1, 2);
        assertThatThrownBy(() -> recovery.beginRecovery(lost)).hasMessageContaining("there is nothing to recover");
        assertThatThrownBy(() -> recovery.beginRecovery(WISH.withId("0124")))
                .hasMessageContaining("holds another cluster named 'test', with id 0123 instead of 0124")
                .hasMessageContaining("delete /reprise/test in ZooKeeper");
    }

    @Test
    void shouldNotReplaceAMapThatWasMadeSinceItsRecoveryBegan() {
        ClusterConfiguration lost = WISH.withId("0123");
        Coordination early = coordination(1);
        Coordination late = coordination(2);
        int lostVersion = early.beginRecovery(lost);
        assertThat(late.beginRecovery(lost)).isEqualTo(lostVersion);
        early.endRecovery(lostVersion, new byte[] {1}, "in words");
        int version = early.map().version();

        assertThatThrownBy(() -> late.endRecovery(lostVersion, new byte[] {2}, "in words"))
                .hasMessageContaining("holds another map of cluster 'test', which was made since this recovery began")
                .hasMessageContaining("cluster status");
        assertThatThrownBy(() -> late.endRecovery(version, new byte[] {2}, "in words"))
                .hasMessageContaining("holds another map of cluster 'test'");

        assertThat(late.map().content()).containsExactly(1);
        assertThat(late.map().version()).isEqualTo(version);
    }

    @Test
    void shouldFailWhenAServerHoldsTheClusterAnew() throws IOException {
        Membership one = open(1);
        one.announce(new byte[] {1});
        await(() -> one.session() == Session.CONNECTED && one.live().containsKey(1));
        String id = coordination(2)
                .configuration(WISH, Optional.empty(), waits::add)
                .id();
        proxies[1].cut();
        await(() -> one.session() == Session.SUSPENDED);
        server.close();
        server = EmbeddedZooKeeper.alone(
                folder.resolve("empty"), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Coordination recovery = coordination(2);
        recovery.beginRecovery(WISH.withId(id));

        proxies[1].heal();

        await(() -> !failures.isEmpty());
        assertThat(failures.getFirst())
                .contains("has lost its data, and holds cluster 'test' anew; start the node again");
        assertThat(one.session()).isNotEqualTo(Session.CONNECTED);
    }

    @Test
    void shouldNameTheSettingThatContradictsTheCluster() {
        Coordination coordination = coordination(1);
        coordination.configuration(WISH, Optional.empty(), waits::add);

        assertThatThrownBy(() -> coordination.configuration(
                        new ClusterConfiguration("test", "", 2, 4, 1024, 0, true), Optional.empty(), waits::add))
                .hasMessage("cluster 'test' was created with cluster.kSafety: 1, and this node's configuration has 0;"
                        + " set cluster.kSafety: 1, or give cluster.name another name to create another cluster");
        assertThatThrownBy(() -> coordination.configuration(
                        new ClusterConfiguration("test", "", 2, 8, 1024, 1, true), Optional.empty(), waits::add))
                .hasMessageContaining("cluster.partitions: 4");
        assertThatThrownBy(() -> coordination.configuration(
                        new ClusterConfiguration("test", "", 2, 4, 1024, 1, false), Optional.empty(), waits::add))
                .hasMessageContaining("cluster.acknowledge: forced");
    }

    @Test
    void shouldRejectASecondNodeOfANumberWhileTheFirstRuns() {
        Coordination first = coordination(1);
        ClusterConfiguration configuration = first.configuration(WISH, Optional.empty(), waits::add);
        first.register(new Registration(1, "one", "", "10.0.0.1:21213", "", "", "0.1.0", "aa"));
        ZooKeeperMembership running = first.membership(configuration, 1, failures::add);
        polled.add(running);
        opened.addFirst(running);
        running.announce(new byte[] {1});
        await(() -> running.live().containsKey(1));
        Coordination second = coordination(2);

        second.register(new Registration(1, "one", "", "10.0.0.1:21213", "", "", "0.1.0", "aa"));
        assertThatThrownBy(
                        () -> second.register(new Registration(1, "two", "", "10.0.0.2:21213", "", "", "0.1.0", "bb")))
                .hasMessage(
                        "node 1 of cluster 'test' is running already, with another data directory, at 10.0.0.1:21213;"
                                + " give this node its own cluster.node, or stop the other one");
    }

    @Test
    void shouldRefuseToStartANodeThatDoesNotSpeakTheLevelOfTheCluster() {
        Membership one = open(1);
        await(() -> one.session() == Session.CONNECTED && one.map() != null);
        Coordination second = coordination(2);
        second.requireLevel(Levels.OWN);
        byte[] map = new PartitionMap(3, List.of(1), List.of(), List.of(), List.of()).encode();
        Membership.Change change = one.replace(0, map);
        await(() -> change.outcome() == Outcome.DONE);

        assertThatThrownBy(() -> second.requireLevel(new Levels(1, 2)))
                .hasMessage(
                        "the cluster works at level 3, and this version of Reprise speaks levels 1 to 2; start the node"
                                + " with the version that the other nodes run");
        second.requireLevel(new Levels(3, 3));
    }

    @Test
    void shouldReplaceARegistrationWhoseNodeHasGone() {
        Coordination coordination = coordination(1);
        coordination.configuration(WISH, Optional.empty(), waits::add);
        coordination.register(new Registration(1, "one", "a", "10.0.0.1:21213", "", "", "0.1.0", "aa"));

        coordination.register(new Registration(1, "new", "b", "10.0.0.2:21213", "h:1", "http://h:2", "0.1.0", "bb"));

        assertThat(coordination.registrations())
                .containsExactly(java.util.Map.entry(
                        1, new Registration(1, "new", "b", "10.0.0.2:21213", "h:1", "http://h:2", "0.1.0", "bb")));
    }

    @Test
    void shouldFailWhenAnotherProcessAnnouncesItsNumber() {
        Membership one = open(1);
        one.announce(new byte[] {1});
        await(() -> one.live().containsKey(1) && one.session() == Session.CONNECTED);
        Coordination copy = coordination(2);
        ZooKeeperMembership second =
                copy.membership(copy.configuration(WISH, Optional.empty(), waits::add), 1, failure -> {
                    throw new AssertionError(failure);
                });
        polled.add(second);
        opened.addFirst(second);

        second.announce(new byte[] {2});

        await(() -> !failures.isEmpty());
        assertThat(failures.getFirst()).startsWith("another process has announced itself as node 1 of cluster 'test'");
        assertThat(one.session()).isEqualTo(Session.SUSPENDED);
        assertThat(second.session()).isEqualTo(Session.CONNECTED);
    }

    @Test
    void shouldFailWhenAServerComesBackWithoutTheCluster() throws IOException {
        Membership one = open(1);
        one.announce(new byte[] {1});
        await(() -> one.session() == Session.CONNECTED && one.live().containsKey(1));
        server.close();
        await(() -> one.session() == Session.SUSPENDED);

        server = EmbeddedZooKeeper.alone(
                folder.resolve("empty"), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));

        await(() -> !failures.isEmpty());
        assertThat(failures.getFirst()).contains("does not hold cluster 'test' any more");
    }

    @Test
    void shouldEndItsEntryAtOnceWhenClosed() throws Exception {
        ZooKeeperMembership one = (ZooKeeperMembership) open(1);
        Membership two = open(2);
        one.announce(new byte[] {1});
        two.announce(new byte[] {2});
        await(() -> two.live().size() == 2);

        polled.remove(one);
        one.close();

        long beganNs = System.nanoTime();
        await(() -> !two.live().containsKey(1));
        assertThat(System.nanoTime() - beganNs).isLessThan(SESSION.toNanos());
    }

    @Test
    void shouldHoldAMapOfManyPartitions() {
        Membership one = open(1);
        one.announce(new byte[] {1});
        await(() -> one.session() == Session.CONNECTED && one.map() != null);
        byte[] large = new byte[3 << 20];
        large[large.length - 1] = 1;

        Membership.Change change = one.replace(0, large);

        await(() -> change.outcome() != Outcome.PENDING);
        assertThat(change.outcome()).isEqualTo(Outcome.DONE);
        assertThat(one.map().content()).hasSize(3 << 20);
    }

    @Test
    void shouldStopWaitingForContactWhenTold() {
        proxies[1].cut();
        int[] looks = new int[1];

        assertThatThrownBy(() -> Coordination.open(
                        new ZooKeeperSettings(proxies[1].address(), SESSION), "test", () -> ++looks[0] > 2))
                .hasMessageContaining("told to stop");
    }
}
