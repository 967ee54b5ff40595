package io.reprise.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.replica.ReplicaSettings;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The message delays between a call's arrival at its leader and its reply. Each frame takes a second, everything else
 * nearly nothing. The two delays of the client come on top.
 */
final class TransactionDelaysTest {
    private static final long DELAY_NS = 1_000_000_000L;
    private static final long NEVER_NS = 10_000 * DELAY_NS;
    private static final long REPEAT_NS = 100 * DELAY_NS;
    private static final TreeSet<Integer> ALL = new TreeSet<>(List.of(0, 1, 2));

    private final Simulation simulation = new Simulation(1);
    private final List<TransactionNode> nodes = new ArrayList<>();
    private int told;

    private void start(int copies) {
        SimulatedLinks network = new SimulatedLinks(simulation).latency(DELAY_NS, 0);
        TreeMap<Integer, Long> cells = new TreeMap<>();
        Ring.initial(cells, 0, 1);
        TransactionNode.Cluster cluster = new TransactionNode.Cluster(
                simulation,
                network,
                new SimulatedMembership(simulation, NEVER_NS),
                3,
                3,
                copies,
                1,
                0,
                new ReplicaSettings(true, REPEAT_NS, NEVER_NS, 1_000, 1 << 20, Set.of()),
                new TransactionSettings(REPEAT_NS, NEVER_NS, NEVER_NS, Set.of()),
                List.of(cells, cells, cells));
        for (int i = 1; i <= 3; i++) {
            nodes.add(new TransactionNode(cluster, i));
        }
        nodes.forEach(TransactionNode::start);
        simulation.runUntil(() -> nodes.getFirst().transactions(0).isServing(), 1_000_000);
        // Opens the links.
        delays(at -> opening(at, false));
        simulation.runFor(2 * REPEAT_NS);
    }

    /** The delays that a call takes. */
    private long delays(Consumer<PartitionTransactions> call) {
        told = 0;
        long beganNs = simulation.clock().nanoTime();
        call.accept(nodes.getFirst().transactions(0));
        simulation.runUntil(() -> told > 0, 10_000_000);
        return Math.round((double) (simulation.clock().nanoTime() - beganNs) / DELAY_NS);
    }

    private void told(Outcome outcome) {
        assertThat(outcome.kind()).isEqualTo(Outcome.Kind.DONE);
        told++;
    }

    private static TreeMap<Integer, byte[]> works(int operation) {
        TreeMap<Integer, byte[]> works = new TreeMap<>();
        for (int partition = 0; partition < 3; partition++) {
            works.put(partition, new Work().then(operation, 0, 1).bytes());
        }
        return works;
    }

    private void rounds(PartitionTransactions at, int count, boolean isRead) {
        Procedure procedure = (round, rows) -> round < count
                ? new Procedure.Step(
                        Procedure.Step.Kind.STATEMENTS, works(isRead ? SimulatedStore.READ : SimulatedStore.APPEND), -1)
                : new Procedure.Step(Procedure.Step.Kind.COMMIT, new TreeMap<>(), -1);
        at.run(procedure, ALL, isRead, this::told, simulation.clock().nanoTime());
    }

    /** A round whose statements set out with the home's turn, and a second one that asks for the votes. */
    private void quickRounds(PartitionTransactions at) {
        Procedure procedure = new Procedure() {
            @Override
            public boolean beginsAtHome() {
                return true;
            }

            @Override
            public Step next(int round, SortedMap<Integer, Result> rows) {
                return new Step(round == 0 ? Step.Kind.STATEMENTS : Step.Kind.COMMIT, works(SimulatedStore.APPEND), -1);
            }
        };
        at.run(procedure, ALL, false, this::told, simulation.clock().nanoTime());
    }

    /** Work that comes with the reservation. */
    private void opening(PartitionTransactions at, boolean isRead) {
        OneShot procedure = new OneShot(works(isRead ? SimulatedStore.READ : SimulatedStore.APPEND));
        at.run(procedure, ALL, isRead, this::told, simulation.clock().nanoTime());
    }

    @ParameterizedTest
    @CsvSource({
        // copies, local write, local read, two rounds, two rounds of reads, quick rounds, opening, opening of a read
        "2, 2, 2, 14, 10, 10, 8, 6",
        "1, 0, 0, 10, 8, 6, 4, 4",
    })
    void shouldTakeTheDelaysOfTheProtocol(
            int copies,
            long localWrite,
            long localRead,
            long rounds,
            long readRounds,
            long quickRounds,
            long opening,
            long readOpening) {
        start(copies);

        byte[] append = new Work().then(SimulatedStore.APPEND, 0, 1).bytes();
        byte[] list = new Work().then(SimulatedStore.READ, 0).bytes();
        assertThat(delays(at -> at.call(append, false, this::told)))
                .as("local write")
                .isEqualTo(localWrite);
        assertThat(delays(at -> at.call(list, true, this::told)))
                .as("local read")
                .isEqualTo(localRead);
        assertThat(delays(at -> rounds(at, 2, false))).as("rounds").isEqualTo(rounds);
        assertThat(delays(at -> rounds(at, 2, true))).as("rounds of reads").isEqualTo(readRounds);
        assertThat(delays(this::quickRounds)).as("quick rounds").isEqualTo(quickRounds);
        assertThat(delays(at -> opening(at, false))).as("opening").isEqualTo(opening);
        assertThat(delays(at -> opening(at, true))).as("opening of a read").isEqualTo(readOpening);
    }
}
