package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reprise.cluster.Levels;
import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.cluster.Member;
import io.reprise.cluster.Membership;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The links of a node whose peers come and go. */
final class ClusterAgentTest {
    private static final long INTERVAL_NS = 100;

    private final List<OpenLink> opened = new ArrayList<>();
    private final Deque<Link> arrived = new ArrayDeque<>();
    private final SortedMap<Integer, byte[]> live = new TreeMap<>();
    private Membership.VersionedMap map = new Membership.VersionedMap(0, new byte[0]);
    private final ClusterAgent agent = new ClusterAgent(
            new Member(0, 1),
            1,
            new Placement(0, 3, 2),
            new OpenLinks(),
            node -> "",
            new LiveNodes(),
            new NodeEntry(1, 0, "n0", "", List.of()),
            () -> true);

    @Test
    void shouldOpenAnotherLinkWhenAPeerRunsAnew() {
        live.put(1, new NodeEntry(2, 0, "n1", "", List.of()).encode());
        agent.doWork(1);
        agent.links().send(1, new byte[] {1});
        assertThat(agent.links().send(1, new byte[] {1})).isTrue();
        assertThat(opened).hasSize(1);

        live.put(1, new NodeEntry(3, 0, "n1", "", List.of()).encode());
        agent.doWork(2);
        agent.links().send(1, new byte[] {1});

        assertThat(opened).hasSize(2);
        assertThat(opened.getFirst().state()).isEqualTo(Link.State.CLOSED);
        assertThat(agent.links().send(1, new byte[] {1})).isTrue();
    }

    @Test
    void shouldKeepTheLinkWhenThePeersSessionEndsAndComesBack() {
        byte[] entry = new NodeEntry(2, 0, "n1", "", List.of()).encode();
        live.put(1, entry);
        agent.doWork(1);
        agent.links().send(1, new byte[] {1});

        live.remove(1);
        agent.doWork(2);
        live.put(1, entry);
        agent.doWork(3);

        assertThat(agent.links().send(1, new byte[] {1})).isTrue();
        assertThat(opened).hasSize(1);
    }

    @Test
    void shouldSendBehindWaitingMessagesOnlyWhenTheyAreSent() {
        ReplicaExchange exchange = new ReplicaExchange(null, null);
        agent.connect(exchange, 0);
        live.put(1, new NodeEntry(2, 0, "n1", "", List.of()).encode());
        agent.doWork(1);
        agent.links().send(1, new byte[] {1});
        agent.doWork(2);
        OpenLink link = opened.getFirst();

        exchange.send(message(1));
        assertThat(link.epochs).containsExactly(1L);

        link.full = true;
        exchange.send(message(2));
        link.full = false;
        exchange.send(message(3));
        assertThat(link.epochs).containsExactly(1L);

        agent.doWork(3);
        exchange.send(message(4));
        assertThat(link.epochs).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void shouldEndBeforeItAnnouncesItselfWhenTheClusterIsAtALaterLevel() {
        byte[] later = {0, 0, 0, (byte) (Levels.OWN.greatest() + 1), 1, 2, 3};
        map = new Membership.VersionedMap(5, later);

        assertThatThrownBy(() -> agent.doWork(1))
                .hasMessageContaining("the cluster works at level " + (Levels.OWN.greatest() + 1))
                .hasMessageContaining("the version that the other nodes run");
        assertThat(live).isEmpty();
    }

    @Test
    void shouldMakeNoFirstMapWhenNodesSpeakNoCommonLevel() {
        int later = Levels.OWN.greatest() + 1;
        live.put(1, new NodeEntry(2, 0, "n1", "", List.of()).encode());
        live.put(
                2,
                new NodeEntry(3, 0, "n2", "", List.of())
                        .withLevels(new Levels(later, later))
                        .encode());

        assertThatThrownBy(() -> agent.doWork(1))
                .hasMessageContaining("node 2 speaks level " + later)
                .hasMessageContaining("one version of Reprise");
    }

    /** Partition 1 left the node before the map was made anew. Its line stays as old as it is. */
    @Test
    void shouldTellOfLossesOnlyWhileAReplicaOfTheMapIsBehind() {
        long anew = PartitionMap.firstEpoch(7);
        Replicas here = new Replicas(anew + 1, anew, 0, List.of(new Member(0, 1)), List.of(0, 1), List.of(0, 1));
        Replicas elsewhere = new Replicas(anew, anew, 1, List.of(new Member(1, 2)), List.of(1, 2), List.of(1, 2));
        map = new Membership.VersionedMap(
                3,
                new PartitionMap(
                                Levels.OWN.greatest(),
                                List.of(0, 1, 2),
                                List.of(),
                                List.of(here, elsewhere),
                                List.of(),
                                List.of("Partition 0 lost some"))
                        .encode());

        assertThat(lossesToldBy(anew + 1, 12)).isEmpty();
        assertThat(lossesToldBy(anew - 1, 12)).hasSize(1);
        assertThat(lossesToldBy(0, 0)).as("an empty directory").isEmpty();
    }

    /** A node starts whose replicas of two partitions were in sync in these epochs the last time. */
    private List<String> lossesToldBy(long... noted) {
        List<NodeEntry.Log> logs = new ArrayList<>();
        for (int partition = 0; partition < noted.length; partition++) {
            NotedLine line = new NotedLine(1, noted[partition], List.of(), List.of());
            logs.add(new NodeEntry.Log(partition, 1, 1, false, List.of(1L), line, new TreeMap<>()));
        }
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        Logger log = (Logger) LoggerFactory.getLogger(ClusterAgent.class);
        log.addAppender(told);
        try {
            new ClusterAgent(
                            new Member(0, 1),
                            noted.length,
                            new Placement(0, 3, 2),
                            new OpenLinks(),
                            node -> "",
                            new LiveNodes(),
                            new NodeEntry(1, 0, "n0", "", logs),
                            () -> true)
                    .doWork(1);
        } finally {
            log.detachAppender(told);
        }
        return told.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(each -> each.startsWith("An operator accepted the loss of acknowledged transactions. "))
                .toList();
    }

    private static ReplicaExchange.Outgoing message(long epoch) {
        return new ReplicaExchange.Outgoing(new Member(1, 2), 0, new PeerMessage.Busy(epoch));
    }

    @Test
    void shouldLeaveAFrameToTheNetworkWhenItsGroupHasNoRoom() {
        ReplicaExchange exchange = new ReplicaExchange(null, null);
        agent.connect(exchange, 0);
        byte[] frame = new PeerMessage.Envelope(0, 1, 2, 1, new PeerMessage.Busy(1)).encode();

        int taken = 0;
        while (agent.takeNow(frame)) {
            taken++;
        }

        assertThat(exchange.inbound().size()).isEqualTo(taken).isPositive();
        exchange.inbound().poll();
        assertThat(agent.takeNow(frame)).isTrue();
    }

    @Test
    void shouldHearAPeerWhoseSignsWaitBehindAMessageForABusySite() {
        ReplicaExchange exchange = new ReplicaExchange(null, null);
        agent.connect(exchange, 0);
        agent.hear(INTERVAL_NS);
        Hearing peer = new Hearing(new Member(1, 2), INTERVAL_NS);
        live.put(1, new NodeEntry(2, 0, "n1", "", List.of()).encode());
        agent.doWork(0);
        peer.entries(new TreeMap<>(Map.of(0, new NodeEntry(1, 0, "n0", "", List.of()))));
        byte[] message = new PeerMessage.Envelope(0, 1, 2, 1, new PeerMessage.Busy(1)).encode();
        while (agent.takeNow(message)) {
            // The site is busy, and its queue fills.
        }
        OpenLink link = new OpenLink();
        arrived.add(link);
        link.received.add(message);

        long nowNs = hear(peer, link, 0, 100);
        assertThat(unheard()).isEmpty();

        exchange.inbound().poll();
        nowNs = hear(peer, link, nowNs, 100);
        assertThat(unheard()).isEmpty();
        assertThat(link.received).isEmpty();
        hear(peer, new OpenLink(), nowNs, 100);
        assertThat(unheard()).containsExactly(new Member(1, 2));
    }

    /** The peer sends signs of life over a link for so many intervals. Returns the time behind them. */
    private long hear(Hearing peer, OpenLink link, long fromNs, int intervals) {
        long nowNs = fromNs;
        for (int i = 0; i < 4 * intervals; i++) {
            nowNs += INTERVAL_NS / 4;
            peer.step(nowNs, true, (frame, node) -> link.received.add(frame));
            agent.doWork(nowNs);
        }
        return nowNs;
    }

    private List<Member> unheard() {
        return NodeEntry.decode(live.get(0)).unheard();
    }

    /** A network on which no link ends by itself, as with a peer whose machine has lost its power. */
    private final class OpenLinks implements Links {
        @Override
        public Link connect(String address) {
            OpenLink link = new OpenLink();
            opened.add(link);
            return link;
        }

        @Override
        public Link accept() {
            return arrived.poll();
        }
    }

    private static final class OpenLink implements Link {
        private final List<Long> epochs = new ArrayList<>();
        private State state = State.OPEN;
        private final Deque<byte[]> received = new ArrayDeque<>();
        private boolean full;

        @Override
        public State state() {
            return state;
        }

        @Override
        public boolean send(byte[] frame, int offset, int length) {
            if (length > 1
                    && !full
                    && frame[0] != Hearing.KIND
                    && PeerMessage.Envelope.decode(frame).message() instanceof PeerMessage.Busy busy) {
                epochs.add(busy.epoch());
            }
            return state == State.OPEN && !full;
        }

        @Override
        public byte[] receive() {
            return received.poll();
        }

        @Override
        public void close() {
            state = State.CLOSED;
        }
    }

    private final class LiveNodes implements Membership {
        @Override
        public int poll(long nowNs) {
            return 0;
        }

        @Override
        public Session session() {
            return Session.CONNECTED;
        }

        @Override
        public VersionedMap map() {
            return map;
        }

        @Override
        public SortedMap<Integer, byte[]> live() {
            return live;
        }

        @Override
        public void announce(byte[] entry) {
            live.put(0, entry);
        }

        @Override
        public Change replace(int expectedVersion, byte[] content) {
            throw new AssertionError("the first map takes three nodes");
        }
    }
}
