package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.PartitionMap;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A leader whose partition another thread has for longer than the failure timeout keeps its lead, and goes on afterwards. */
final class LentPartitionTest {
    private static final long MOST_STEPS = 3_000_000;

    /** Longer than the simulation starves a node. */
    private static final long FAILURE_NS = 2_000_000_000;

    private static final int FOR_EVER = Integer.MAX_VALUE;

    private final Simulation simulation = new Simulation(1);
    private final SimulatedLinks network = new SimulatedLinks(simulation);
    private final SimulatedMembership service = new SimulatedMembership(simulation, 60_000_000_000L);

    private ReplicaNode node(int number) {
        return new ReplicaNode(
                simulation,
                network,
                service,
                new ReplicaSettings(true, FAILURE_NS / 6, FAILURE_NS, 8, 48, Set.of()),
                number,
                2,
                1,
                1_000_000,
                Integer.MAX_VALUE);
    }

    @Test
    void shouldKeepItsLeadWhileItIsLent() {
        ReplicaNode leader = node(1);
        ReplicaNode follower = node(2);
        List.of(leader, follower).forEach(ReplicaNode::start);
        reach(() -> isRole(leader, Replica.Role.LEADER) && isRole(follower, Replica.Role.FOLLOWER));
        long term = leader.replica(0).term();
        long epoch = epoch();

        leader.lend(0, FOR_EVER);
        simulation.runFor(10 * FAILURE_NS);

        assertThat(epoch()).as("nobody asked the map for another leader").isEqualTo(epoch);
        leader.lend(0, 0);
        long index = leader.replica(0).propose(ValueList.payload(7));
        reach(() -> leader.replica(0).stable() >= index);
        assertThat(leader.replica(0).term()).isEqualTo(term);
        assertThat(follower.machine(0).entries()).isEqualTo(leader.machine(0).entries());
    }

    /** All nodes change their schema at the same time, and the follower takes longer. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepALentFollowerOnlyWhileTheLeaderIsPatient(boolean isPatient) {
        ReplicaNode leader = node(1);
        ReplicaNode follower = node(2);
        List.of(leader, follower).forEach(ReplicaNode::start);
        reach(() -> isRole(leader, Replica.Role.LEADER) && isRole(follower, Replica.Role.FOLLOWER));
        long epoch = epoch();
        leader.machine(0).patient(isPatient);

        follower.lend(0, FOR_EVER);
        simulation.runFor(10 * FAILURE_NS);

        assertThat(epoch() == epoch).isEqualTo(isPatient);
    }

    /** A batch has more records than the follower's ring has room for: the rest waits, and comes again. */
    @Test
    void shouldTakeABatchThatIsLongerThanTheRoomOfTheRing() {
        ReplicaNode leader = node(1);
        ReplicaNode follower = node(2);
        follower.limit(4, 0, null);
        List.of(leader, follower).forEach(ReplicaNode::start);
        reach(() -> isRole(leader, Replica.Role.LEADER) && isRole(follower, Replica.Role.FOLLOWER));

        long last = 0;
        for (int i = 0; i < 40; i++) {
            last = leader.replica(0).propose(ValueList.payload(i));
        }

        long index = last;
        reach(() -> leader.replica(0).stable() >= index);
        assertThat(follower.machine(0).entries()).isEqualTo(leader.machine(0).entries());
    }

    private long epoch() {
        return PartitionMap.decode(service.map().content())
                .partitions()
                .getFirst()
                .epoch();
    }

    private static boolean isRole(ReplicaNode node, Replica.Role role) {
        return node.replica(0).role() == role;
    }

    private void reach(BooleanSupplier condition) {
        simulation.runUntil(condition, MOST_STEPS);
    }
}
