package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.cluster.Member;
import io.reprise.cluster.Replicas;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.SimulatedClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A joiner and its leader, step by step: lost and late answers, and images in several slices. */
final class RejoinTest {
    private static final long HEARTBEAT_NS = 100;
    private static final long FAILURE_NS = 500;
    private static final Member LEADER = new Member(0, 1);
    private static final Member JOINER = new Member(1, 2);
    private static final int LEVEL = 1;
    private static final List<Integer> HOLDERS = List.of(0, 1);

    private final SimulatedClock clock = new SimulatedClock();
    private final Deque<PeerMessage> toJoiner = new ArrayDeque<>();
    private final Deque<PeerMessage> toLeader = new ArrayDeque<>();
    private final List<Replicas> requested = new ArrayList<>();
    private final SimulatedReplicaLog leaderLog = log();
    private final SimulatedReplicaLog joinerLog = log();
    private final ValueList leaderState = new ValueList();
    private final ValueList joinerState = new ValueList();
    private long nowNs = 1_000_000;

    private SimulatedReplicaLog log() {
        return new SimulatedReplicaLog(clock, new SeededRandomness(1), 1);
    }

    private Replica replica(Member self, SimulatedReplicaLog log, ValueList state, Deque<PeerMessage> out) {
        ReplicaSettings settings = new ReplicaSettings(true, HEARTBEAT_NS, FAILURE_NS, 4, 32, Set.of());
        MapRequests requests = new MapRequests() {
            @Override
            public boolean request(int partition, Replicas next) {
                return requested.add(next);
            }

            @Override
            public boolean hasEnded(Member member) {
                return false;
            }

            @Override
            public boolean yieldsTo(Member member) {
                return false;
            }

            @Override
            public boolean isOpen(int partition) {
                return !requested.isEmpty();
            }
        };
        Replica replica = new Replica(self, 0, log, state, settings, (to, message) -> out.add(message), requests);
        replica.enter(new Replicas(1, 1, LEADER.node(), List.of(LEADER), HOLDERS, HOLDERS), LEVEL, nowNs);
        return replica;
    }

    /** A leader whose log begins behind an image of some records, as that of an engine behind its window. */
    private Replica leader(int before) {
        for (int i = 1; i <= before; i++) {
            leaderState.apply(i, ValueList.payload(i));
        }
        leaderLog.beginImage();
        leaderLog.completeImage(before, 0, leaderState.image());
        pass(1_000);
        leaderLog.durableIndex();
        Replica leader = replica(LEADER, leaderLog, leaderState, toJoiner);
        leader.step(nowNs);
        assertThat(leader.role()).isEqualTo(Replica.Role.LEADER);
        for (int i = 0; i < 10; i++) {
            leader.propose(ValueList.payload(100 + i));
        }
        return leader;
    }

    private void pass(long ns) {
        clock.advance(ns);
        nowNs += ns;
    }

    private PeerMessage join(Replica joiner) {
        pass(HEARTBEAT_NS);
        joiner.step(nowNs);
        return toLeader.poll();
    }

    /** Passes messages and time on until the leader asks the map for the joiner. */
    private void converge(Replica leader, Replica joiner) {
        for (int i = 0; i < 1_000 && requested.isEmpty(); i++) {
            pass(10);
            leader.step(nowNs);
            joiner.step(nowNs);
            for (PeerMessage next = toJoiner.poll(); next != null; next = toJoiner.poll()) {
                joiner.receive(LEADER, next, nowNs);
            }
            for (PeerMessage next = toLeader.poll(); next != null; next = toLeader.poll()) {
                leader.receive(JOINER, next, nowNs);
            }
        }
        assertThat(requested).hasSize(1);
        assertThat(requested.getFirst().sync()).containsExactly(LEADER, JOINER);
        assertThat(joinerState.entries()).isEqualTo(leaderState.entries());
    }

    @Test
    void shouldStreamBehindTheJoinersLogWhenTheLinkIsResetBeforeItsFirstAcknowledgement() {
        Replica leader = leader(20);
        joinerLog.beginImage();
        joinerLog.completeImage(20, 0, leaderState.image());
        joinerState.load(new ValueList().image());
        for (int i = 1; i <= 20; i++) {
            joinerState.apply(i, ValueList.payload(i));
        }
        pass(1_000);
        Replica joiner = replica(JOINER, joinerLog, joinerState, toLeader);
        leader.receive(JOINER, join(joiner), nowNs);
        PeerMessage answer = toJoiner.poll();

        leader.linkReset(JOINER.node());
        leader.step(nowNs);

        assertThat(answer).isInstanceOf(PeerMessage.Joined.class);
        assertThat(toJoiner.peek())
                .isInstanceOfSatisfying(
                        PeerMessage.Batch.class,
                        batch -> assertThat(batch.from()).isEqualTo(21));
        joiner.receive(LEADER, answer, nowNs);
        converge(leader, joiner);
    }

    @Test
    void shouldLoadAnImageWhoseMakingTakesLongerThanAHeartbeat() {
        Replica leader = leader(20);
        Replica joiner = replica(JOINER, joinerLog, joinerState, toLeader);
        PeerMessage first = join(joiner);
        PeerMessage second = join(joiner);

        leader.receive(JOINER, first, nowNs);
        leader.step(nowNs);
        joiner.receive(LEADER, toJoiner.poll(), nowNs);

        assertThat(joiner.role()).isEqualTo(Replica.Role.LOADING);
        leader.receive(JOINER, second, nowNs);
        converge(leader, joiner);
    }

    @Test
    void shouldSendSlicesOfAnImageAgainWhenTheyWereLost() {
        Replica leader = leader(40);
        Replica joiner = replica(JOINER, joinerLog, joinerState, toLeader);
        leader.receive(JOINER, join(joiner), nowNs);
        leader.step(nowNs);
        joiner.receive(LEADER, toJoiner.poll(), nowNs);
        assertThat(toJoiner).hasSizeGreaterThan(2);
        toJoiner.poll();

        converge(leader, joiner);
    }

    @Test
    void shouldBeginAnewWhenTheLeaderStopsWithinAnImage() {
        Replica leader = leader(40);
        Replica joiner = replica(JOINER, joinerLog, joinerState, toLeader);
        leader.receive(JOINER, join(joiner), nowNs);
        leader.step(nowNs);
        joiner.receive(LEADER, toJoiner.poll(), nowNs);
        assertThat(joiner.role()).isEqualTo(Replica.Role.LOADING);
        toJoiner.clear();
        toLeader.clear();

        pass(FAILURE_NS + 1);
        joiner.step(nowNs);

        assertThat(joiner.role()).isEqualTo(Replica.Role.OUT);
        assertThat(joinerLog.isLoading())
                .as("nothing counts until an image is whole")
                .isTrue();
        assertThat(joinerState.entries()).isEmpty();
        converge(leader, joiner);
    }

    @Test
    void shouldEndWhenTheMapHasTwoLinesOfOneEpoch() {
        Replica replica = replica(JOINER, joinerLog, joinerState, toLeader);
        replica.enter(new Replicas(1, 1, LEADER.node(), List.of(LEADER), HOLDERS, List.of(1, 0)), LEVEL, nowNs);
        assertThat(replica.map().goal()).containsExactly(1, 0);

        assertThatThrownBy(() -> replica.enter(
                        new Replicas(1, 1, JOINER.node(), List.of(JOINER), HOLDERS, HOLDERS), LEVEL, nowNs))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("partition 0 has two lines of one epoch in the map");
        assertThat(replica.map().leader()).isEqualTo(LEADER.node());
    }

    @Test
    void shouldWriteDownARaisedLevelBesideTheJoiner() {
        Replica leader = leader(0);
        leader.noteAdding(JOINER);
        NotedLine before = leaderLog.noted();
        assertThat(before.level()).isEqualTo(LEVEL);
        assertThat(before.members()).containsExactly(LEADER, JOINER);

        leader.enter(leader.map(), LEVEL + 1, nowNs);

        assertThat(leaderLog.noted()).isEqualTo(before.withLevel(LEVEL + 1));
        leader.noteMembers();
        assertThat(leaderLog.noted()).isEqualTo(NotedLine.of(LEVEL + 1, leader.map()));
    }

    /** The leader has asked for the joiner already when its rows turn out to differ. */
    @Test
    void shouldBeTakenOutWhenItDivergesJustBeforeItIsInSync() {
        Replica leader = leader(20);
        Replica joiner = replica(JOINER, joinerLog, joinerState, toLeader);
        leader.receive(JOINER, join(joiner), nowNs);
        converge(leader, joiner);
        Replicas withJoiner = requested.getFirst();
        joinerState.differ();
        leader.propose(ValueList.payload(999));
        leader.step(nowNs);
        for (PeerMessage next = toJoiner.poll(); next != null; next = toJoiner.poll()) {
            joiner.receive(LEADER, next, nowNs);
        }
        assertThat(joiner.role()).isEqualTo(Replica.Role.OUT);
        toLeader.clear();
        requested.clear();

        joiner.enter(withJoiner, LEVEL, nowNs);
        leader.enter(withJoiner, LEVEL, nowNs);
        PeerMessage told = join(joiner);

        assertThat(told).isInstanceOf(PeerMessage.Diverged.class);
        assertThat(joiner.role()).isEqualTo(Replica.Role.OUT);
        leader.receive(JOINER, told, nowNs);
        assertThat(requested)
                .singleElement()
                .satisfies(next -> assertThat(next.sync()).containsExactly(LEADER));
        Replicas without = requested.removeFirst();
        leader.enter(without, LEVEL, nowNs);
        joiner.enter(without, LEVEL, nowNs);
        converge(leader, joiner);
    }

    /** Images have room, and the first record behind each has none. */
    @Test
    void shouldAskLaterAndLaterWhenRecordsHaveNoRoom() {
        leaderState.apply(1, ValueList.payload(1));
        leaderState.apply(2, ValueList.payload(2));
        Replica joiner = replica(JOINER, joinerLog, joinerState, toLeader);
        joinerState.full(true);

        for (int timeouts : new int[] {0, 1, 2, 4, 8}) {
            requireAsked(joiner, timeouts);
            assertThat(joinerLog.isLoading()).isFalse();
            streamThird(joiner);
            assertThat(joiner.role()).isEqualTo(Replica.Role.OUT);
            assertThat(joinerLog.isLoading()).as("nothing counts").isTrue();
        }

        joinerState.full(false);
        requireAsked(joiner, 16);
        streamThird(joiner);
        List<Member> both = List.of(LEADER, JOINER);
        joiner.enter(new Replicas(2, 1, LEADER.node(), both, HOLDERS, HOLDERS), LEVEL, nowNs);
        assertThat(joiner.role()).isEqualTo(Replica.Role.FOLLOWER);
        joinerState.full(true);
        joiner.receive(LEADER, batch(2, 4), nowNs);
        toLeader.clear();

        assertThat(join(joiner)).as("at once").isEqualTo(new PeerMessage.Diverged(2));
        joiner.enter(new Replicas(3, 1, LEADER.node(), List.of(LEADER), HOLDERS, HOLDERS), LEVEL, nowNs);
        assertThat(requireAskedAfter(joiner, FAILURE_NS - HEARTBEAT_NS).usable())
                .isFalse();
    }

    private static PeerMessage.Batch batch(long epoch, long index) {
        return new PeerMessage.Batch(epoch, index, List.of(new ReplicaRecord(epoch, ValueList.payload(index))), 0);
    }

    private void streamThird(Replica joiner) {
        assertThat(joiner.role()).isEqualTo(Replica.Role.JOINING);
        joiner.receive(LEADER, batch(1, 3), nowNs);
    }

    /** The joiner asks after so many failure timeouts, and loads an image of two records. */
    private void requireAsked(Replica joiner, int timeouts) {
        PeerMessage.Join asked = requireAskedAfter(joiner, timeouts * FAILURE_NS);
        ImageTransfer transfer = new ImageTransfer(1, asked.attempt(), 1, 2, 1, leaderState.image(32));
        for (PeerMessage.Image piece = transfer.next(); piece != null; piece = transfer.next()) {
            joiner.receive(LEADER, piece, nowNs);
            transfer.sent(piece, nowNs);
        }
        for (int i = 0; i < 100 && joiner.role() == Replica.Role.LOADING; i++) {
            pass(10);
            joiner.step(nowNs);
        }
    }

    private PeerMessage.Join requireAskedAfter(Replica joiner, long leastNs) {
        toLeader.clear();
        long fromNs = nowNs;
        while (toLeader.isEmpty() && nowNs - fromNs <= leastNs + 2 * HEARTBEAT_NS) {
            pass(10);
            joiner.step(nowNs);
        }
        assertThat(nowNs - fromNs).isBetween(leastNs, leastNs + 2 * HEARTBEAT_NS);
        return (PeerMessage.Join) toLeader.poll();
    }

    @Test
    void shouldLoadAnImageWithoutBytes() {
        Replica leader = leader(0);
        ImageTransfer transfer = new ImageTransfer(1, 1, 1, 0, 0, new ValueList().image(32));

        PeerMessage.Image piece = transfer.next();

        assertThat(piece.piece()).isEmpty();
        transfer.sent(piece, nowNs);
        assertThat(transfer.next()).isNull();
        assertThat(leader.role()).isEqualTo(Replica.Role.LEADER);
    }

    @Test
    void shouldHoldTheLeaderBackMoreAndMoreWhileAJoinerLags() {
        Peer joiner = new Peer(JOINER, 1, 1, nowNs);
        long last = 100_000;
        boolean first = joiner.lags(last, 4, HEARTBEAT_NS, nowNs);

        int intervals = 0;
        while (joiner.allowance > 4) {
            pass(HEARTBEAT_NS);
            joiner.lags(last, 4, HEARTBEAT_NS, nowNs);
            intervals++;
        }

        assertThat(first).isFalse();
        assertThat(joiner.lags(last, 4, HEARTBEAT_NS, nowNs)).isTrue();
        assertThat(intervals).isBetween(20, 200);
    }
}
