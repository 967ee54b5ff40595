package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.ReplicaStatus;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import io.reprise.simulation.cluster.CallDoor.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node that returns after more records than the leader's memory holds is fed from the leader's log, as long as it goes back so far. */
final class RejoinByLogTest {
    private static final long MOST_STEPS = 3_000_000;
    private static final int PARTITIONS = 2;
    private static final int STREAM_BYTES = 8 << 10;

    /** So long that no lead goes back to the second node during a run. */
    private static final Duration FAILURE = Duration.ofSeconds(3);

    private final Simulation simulation = new Simulation(1);
    private final SimulatedLinks network = new SimulatedLinks(simulation);
    private final SimulatedMembership service = new SimulatedMembership(simulation, 2_000_000_000L);
    private final List<ClusterMachine> nodes = new ArrayList<>();
    private long sequence;

    /** The images that the second node got before the test: it returned with an empty log. */
    private int imagesBefore;

    /** Two nodes, of which the first leads both partitions. */
    private void start(LoggingMethod method, long snapshotEveryMs) {
        ClusterMachine.Shape shape = new ClusterMachine.Shape(2, PARTITIONS, 1, true, method, FAILURE, STREAM_BYTES);
        for (int i = 0; i < 2; i++) {
            nodes.add(new ClusterMachine(simulation, network, service, shape, i, snapshotEveryMs));
        }
        nodes.forEach(ClusterMachine::start);
        reach(() -> nodes.stream().allMatch(node -> node.replicas().stream().anyMatch(ReplicaStatus::serves)));
        nodes.get(1).kill(false);
        reach(this::isLed);
        nodes.get(1).start();
        reach(this::isWhole);
        write(50);
    }

    private void stopFollower() {
        nodes.get(1).kill(false);
        imagesBefore = nodes.get(1).images();
        assertThat(imagesBefore).isLessThanOrEqualTo(1);
    }

    private boolean isLed() {
        return nodes.get(0).replicas().stream().filter(ReplicaStatus::serves).count() == PARTITIONS;
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldFeedANodeFromTheLogThatMissedMoreThanTheMemoryHolds(LoggingMethod method) {
        start(method, 0);

        stopFollower();
        write(1_000);
        nodes.get(1).start();
        writeUntilWhole();

        assertSame();
        nodes.get(1).kill(false);
        assertThat(nodes.get(1).images()).isEqualTo(imagesBefore);
        abandon();
    }

    @Test
    void shouldFeedANodeFromBeforeTheLeadersLastSnapshot() {
        start(LoggingMethod.COMMAND, 1_000);
        simulation.runFor(1_500_000_000L);

        stopFollower();
        write(500);
        simulation.runFor(1_000_000_000L);
        write(500);
        nodes.get(1).start();
        writeUntilWhole();

        assertSame();
        nodes.get(1).kill(false);
        assertThat(nodes.get(1).images()).isEqualTo(imagesBefore);
        abandon();
    }

    @Test
    void shouldLoadAnImageWhenTheLeadersLogDoesNotGoBackSoFar() {
        start(LoggingMethod.COMMAND, 1_000);

        stopFollower();
        for (int i = 0; i < 6; i++) {
            write(1_000);
            simulation.runFor(1_000_000_000L);
        }
        nodes.get(1).start();
        writeUntilWhole();

        assertSame();
        nodes.get(1).kill(false);
        assertThat(nodes.get(1).images()).isEqualTo(imagesBefore + 2);
        abandon();
    }

    /** The new leader has in memory only the end of what its follower lacks. */
    @Test
    void shouldFeedANodeAfterTheLeaderHasStartedAgain() {
        start(LoggingMethod.PHYSIOLOGICAL, 0);
        stopFollower();
        write(1_000);
        nodes.get(0).kill(true);
        nodes.get(0).start();
        reach(this::isLed);
        nodes.get(1).start();
        writeUntilWhole();

        assertSame();
        nodes.get(1).kill(false);
        assertThat(nodes.get(1).images()).isEqualTo(imagesBefore);
        abandon();
    }

    /** Rows change, come and go ahead of the image and behind it. */
    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldLoadTheRowsOfOneMomentWhileTheyChange(LoggingMethod method) {
        int accounts = 20_000;
        start(method, 0);
        call(accounts, account -> call("OpenAccount", null, account));
        nodes.get(1).kill(false);
        nodes.get(1).wipe();
        reach(this::isLed);
        long before = sequence;

        nodes.get(1).start();
        int changesWhileItLoads = 0;
        for (int round = 0; !isWhole() && round < 2_000; round++) {
            List<Call> calls = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                long account = simulation.randomness().nextInt(accounts);
                calls.add(call("Deposit", null, 1, account));
                calls.add(call("Note", "a note of " + account, account));
                calls.add(call("OpenAccount", null, ++sequence + 1_000_000));
                calls.add(call("CloseAccount", null, account));
            }
            reach(() -> calls.stream().allMatch(call -> call.isAnswered));
            calls.forEach(call -> assertThat(call.error).as(call.message).isNull());
            boolean isLoading = nodes.get(1).replicas().stream()
                    .anyMatch(replica -> replica.role().equals("LOADING"));
            changesWhileItLoads += isLoading ? calls.size() : 0;
        }
        reach(this::isWhole);

        assertSame();
        assertThat(sequence).isGreaterThan(before);
        assertThat(changesWhileItLoads).isGreaterThan(100);
        abandon();
    }

    // ---- Calls

    private void call(int count, LongFunction<Call> of) {
        for (long next = 0; next < count; next += 50) {
            List<Call> calls = new ArrayList<>();
            for (long i = next; i < next + 50; i++) {
                calls.add(of.apply(i));
            }
            reach(() -> calls.stream().allMatch(call -> call.isAnswered));
        }
    }

    private Call call(String procedure, String text, long... numbers) {
        Call call = new Call(nodes.get(0).engine().procedure(procedure), 0, 0, text, numbers);
        nodes.get(0).door().send(call, (int) numbers[numbers.length - 1]);
        return call;
    }

    private void write(int count) {
        for (int written = 0; written < count; written += 50) {
            List<Call> calls = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                calls.add(note());
            }
            reach(() -> calls.stream().allMatch(call -> call.isAnswered));
            calls.forEach(call -> assertThat(call.error).as(call.message).isNull());
        }
    }

    private Call note() {
        long account = ++sequence;
        Call call = new Call(nodes.get(0).engine().procedure("Note"), 0, 0, "a note of " + account, account);
        nodes.get(0).door().send(call, (int) account);
        return call;
    }

    /** The leader goes on meanwhile. */
    private void writeUntilWhole() {
        reach(this::isLed);
        for (int i = 0; i < 20; i++) {
            simulation.runFor(1_000_000);
            note();
        }
        reach(this::isWhole);
    }

    private boolean isWhole() {
        if (nodes.stream().anyMatch(node -> node.replicas().size() < PARTITIONS)) {
            return false;
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            ReplicaStatus leader = nodes.get(0).replicas().get(partition);
            ReplicaStatus follower = nodes.get(1).replicas().get(partition);
            if (!leader.serves()
                    || !follower.role().equals("FOLLOWER")
                    || follower.lastIndex() != leader.lastIndex()
                    || follower.epoch() != leader.epoch()) {
                return false;
            }
        }
        return true;
    }

    private void assertSame() {
        assertThat(nodes.get(1).engine().contentHashes())
                .isEqualTo(nodes.get(0).engine().contentHashes());
    }

    private void reach(BooleanSupplier condition) {
        simulation.runUntil(condition, MOST_STEPS);
    }

    private void abandon() {
        nodes.forEach(ClusterMachine::abandon);
    }
}
