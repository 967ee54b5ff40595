package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.FollowerStatus;
import io.reprise.cluster.ReplicaStatus;
import io.reprise.execution.BucketMap;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import io.reprise.simulation.cluster.CallDoor.Call;
import io.reprise.storage.TableStore;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A follower whose rows differ is noticed by the next write, leaves the in-sync set, and is loaded anew. */
final class DivergenceTest {
    private static final long MOST_STEPS = 1_000_000;

    private final Simulation simulation = new Simulation(1);

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldLoadAFollowerAnewThatDiffers(LoggingMethod method) {
        shouldBeLoadedAnew(method, new Damage());
    }

    /** The column is not the one that the next transaction writes. */
    @Test
    void shouldLoadAFollowerAnewThatHasAnotherValueInAColumn() {
        shouldBeLoadedAnew(LoggingMethod.PHYSIOLOGICAL, new OtherValue(0, OtherValue.ALL, false));
    }

    private void shouldBeLoadedAnew(LoggingMethod method, EngineWork change) {
        SimulatedLinks network = new SimulatedLinks(simulation);
        SimulatedMembership service = new SimulatedMembership(simulation, 2_000_000_000L);
        ClusterMachine.Shape shape = new ClusterMachine.Shape(2, 1, 1, true, method, Duration.ofMillis(300));
        List<ClusterMachine> nodes = List.of(
                new ClusterMachine(simulation, network, service, shape, 0, 0),
                new ClusterMachine(simulation, network, service, shape, 1, 0));
        nodes.forEach(ClusterMachine::start);
        ClusterMachine leader = nodes.get(0);
        ClusterMachine follower = nodes.get(1);
        reach(() -> nodes.stream().noneMatch(node -> node.replicas().isEmpty())
                && status(leader).serves()
                && status(follower).role().equals("FOLLOWER"));
        assertThat(call(leader, 1, "OpenAccount", 7).error).isNull();
        assertThat(call(leader, 2, "OpenAccount", 8).error).isNull();
        reach(() -> status(leader).followers().equals(List.of(new FollowerStatus(1, true, 0, 0, 0))));
        assertThat(status(leader).leaderships()).isEqualTo(1);
        assertThat(status(leader).divergences()).isZero();
        assertThat(status(follower).followers()).isEmpty();
        long epoch = status(leader).epoch();

        Call damage = new Call(change, 0, 0, null);
        follower.door().send(damage, 0);
        reach(() -> damage.isAnswered);
        assertThat(follower.engine().contentHashes()[0])
                .isNotEqualTo(leader.engine().contentHashes()[0]);
        Call first = call(leader, 3, "Deposit", 1, 7);
        Call second = call(leader, 4, "Deposit", 1, 8);

        assertThat(first.error).isNull();
        assertThat(second.error).isNull();
        reach(() -> status(leader).epoch() > epoch + 1
                && status(follower).role().equals("FOLLOWER")
                && status(follower).lastIndex() == status(leader).lastIndex());
        assertThat(follower.engine().contentHashes()[0])
                .isEqualTo(leader.engine().contentHashes()[0]);
        assertThat(status(leader).divergences()).isEqualTo(1);
        nodes.forEach(ClusterMachine::abandon);
    }

    private Call call(ClusterMachine at, long sequence, String procedure, long... numbers) {
        Call call = new Call(at.engine().procedure(procedure), 5, sequence, null, numbers);
        at.door().send(call, 0);
        reach(() -> call.isAnswered);
        return call;
    }

    private static ReplicaStatus status(ClusterMachine node) {
        return node.replicas().getFirst();
    }

    private void reach(BooleanSupplier condition) {
        simulation.runUntil(condition, MOST_STEPS);
    }

    /** Deletes all accounts of a partition, past log and replication. */
    private static final class Damage extends EngineWork {
        Damage() {
            super("damage");
        }

        @Override
        public void route(Execution execution, BucketMap buckets) {
            execution.sendTo(0);
        }

        @Override
        public void run(Partition partition, Execution execution) {
            TableStore accounts = partition.store().table(1);
            for (long row = accounts.first(); row != 0; row = accounts.next(row)) {
                accounts.directWrites().delete(row);
            }
        }

        @Override
        public void runLent(Partition at, Execution execution) {
            run(at, execution);
        }
    }
}
