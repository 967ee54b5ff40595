package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.log.DamagedLogException;
import io.reprise.log.RecordKind;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Rows;
import io.reprise.redo.DivergedReplayException;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node logs the calls that have their home there with the answers of other nodes, and recovers without any of them. */
final class BoundaryOverNodesTest {
    private static final long MOST_STEPS = 2_000_000;
    private static final int ACCOUNTS = 12;
    private static final int ROUNDS = 200;
    private static final long SETTLE_NS = 1_000_000_000L;

    private final Simulation simulation = new Simulation(31);
    private final SimulatedLinks network = new SimulatedLinks(simulation);
    private final SimulatedMembership service = new SimulatedMembership(simulation, 2_000_000_000L);
    private final List<ClusterMachine> nodes = new ArrayList<>();

    private void start(int kSafety, long snapshotEveryMs) {
        start(kSafety, snapshotEveryMs, LoggingMethod.BOUNDARY, AdaptiveSettings.DEFAULTS);
    }

    private void start(int kSafety, long snapshotEveryMs, LoggingMethod method, AdaptiveSettings adaptive) {
        ClusterMachine.Shape shape = new ClusterMachine.Shape(2, 4, kSafety, true, method, Duration.ofMillis(300));
        for (int i = 0; i < 2; i++) {
            nodes.add(new ClusterMachine(simulation, network, service, shape, i, snapshotEveryMs)
                    .withoutCompression()
                    .withAdaptive(adaptive));
        }
        nodes.forEach(ClusterMachine::start);
        reach(this::isServed);
        for (int account = 0; account < ACCOUNTS; account++) {
            call("OpenAccount", account).orThrow();
        }
    }

    private boolean isServed() {
        return ClusterMachine.isServed(nodes);
    }

    @AfterEach
    void end() {
        nodes.forEach(ClusterMachine::abandon);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRecoverANodeAloneWhenItLosesItsPower(int kSafety) {
        start(kSafety, 0);
        invoices(90);

        for (ClusterMachine node : nodes) {
            recoverAlone(node);
        }

        reach(this::isServed);
        assertThat(number(call("Total"))).isZero();
        invoices(10);
        assertThat(number(call("Total"))).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRecoverANodeAloneFromASnapshotAndTheLogBehindIt(int kSafety) {
        start(kSafety, 100);
        invoices(60);
        simulation.runFor(300_000_000L);
        invoices(30);

        recoverAlone(nodes.get(1));

        reach(this::isServed);
        assertThat(number(call("Total"))).isZero();
    }

    /** Of the parts at home half are rows and half are calls by chance, and followers apply both. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRecoverANodeAloneWhenFormsAreMixed(int kSafety) {
        start(kSafety, 0, LoggingMethod.ADAPTIVE, AdaptiveSettings.random(0.5));
        invoices(90);

        for (ClusterMachine node : nodes) {
            recoverAlone(node);
            node.kill(false);
            assertThat(node.countOf(RecordKind.DATA)).isGreaterThan(4);
            node.start();
        }

        reach(this::isServed);
        assertThat(number(call("Total"))).isZero();
    }

    /** Without bytes to spend each part at home is what is shorter, as with the boundary method. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldLogCallsWithTheirAnswersWithinABudgetOfNothing(int kSafety) {
        start(kSafety, 0, LoggingMethod.ADAPTIVE, AdaptiveSettings.within(0));
        int home = nodeOf(0);

        for (int i = 0; i < 20; i++) {
            call("Invoice", 0, elsewhere(), i).orThrow();
        }

        simulation.runFor(SETTLE_NS);
        nodes.get(home).kill(true);
        assertThat(nodes.get(home).payloads(RecordKind.CALLS)).hasSize(20);
    }

    /** Reads the log of a node that has lost its power, and compares the rows that it has before a message of others reaches it. */
    private void recoverAlone(ClusterMachine node) {
        reach(this::isServed);
        simulation.runFor(SETTLE_NS);
        long[] before = node.engine().contentHashes();
        node.kill(true);
        assertThat(node.payloads(RecordKind.CALLS)).isNotEmpty();
        int other = 1 - node.number();
        network.cut(ClusterMachine.name(0), ClusterMachine.name(1));
        network.cut(ClusterMachine.name(1), ClusterMachine.name(0));

        node.start();

        assertThat(node.engine().contentHashes()).isEqualTo(before);
        assertThat(nodes.get(other).isUp()).isTrue();
        network.heal();
    }

    @Test
    void shouldHoldManyCallsInTheRecordOfABatch() {
        start(0, 0);
        int home = nodeOf(0);
        List<CompletableFuture<Reply>> calls = new ArrayList<>();

        for (int i = 0; i < 60; i++) {
            int to = i % ACCOUNTS;
            if (nodeOf(to) != home) {
                calls.add(nodes.get(home).engine().callAsync("Invoice", 0L, (long) to, 1L + i));
            }
        }
        reach(() -> calls.stream().allMatch(CompletableFuture::isDone));
        calls.forEach(each -> each.join().orThrow());

        recoverAlone(nodes.get(home));
        nodes.get(home).kill(false);
        List<byte[]> records = nodes.get(home).payloads(RecordKind.CALLS);
        int most = records.stream().mapToInt(bytes -> bytes.length).max().orElseThrow();
        int least = records.stream().mapToInt(bytes -> bytes.length).min().orElseThrow();
        assertThat(most).isGreaterThan(3 * least);
    }

    @Test
    void shouldLogTheChangesThemselvesWhenTheyAreShorter() {
        start(0, 0);
        int home = nodeOf(0);
        int to = elsewhere();

        call("Foresee", 0, to, 1).orThrow();

        simulation.runFor(SETTLE_NS);
        nodes.get(home).kill(true);
        assertThat(nodes.get(home).payloads(RecordKind.CALLS)).isEmpty();
    }

    /** The bytes that have been written since the format was made: a new number is due when they change. */
    @Test
    void shouldWriteTheSameBytesAsEver() {
        start(0, 0);
        int home = nodeOf(0);

        call("Invoice", 0, elsewhere(), 6).orThrow();

        simulation.runFor(SETTLE_NS);
        nodes.get(home).kill(true);
        assertThat(nodes.get(home).payloads(RecordKind.CALLS))
                .singleElement()
                .satisfies(
                        payload -> assertThat(HexFormat.of().formatHex(payload)).isEqualTo(GOLDEN));
    }

    private static final String GOLDEN =
            "008c73c6f601001e0100ac057de1010000066f70656e65640501807cdc08000201e159b071000400000013101316";

    /** Each byte of a record is damaged under right checksums: the recovery refuses the log, or the rows are the same. */
    @Test
    void shouldRefuseADamagedRecordOrGiveTheSameRows() {
        start(0, 0);
        ClusterMachine node = nodes.get(nodeOf(0));
        call("Invoice", 0, elsewhere(), 6).orThrow();
        simulation.runFor(SETTLE_NS);
        long[] rows = node.engine().contentHashes();
        node.kill(true);
        byte[] record = node.payloads(RecordKind.CALLS).getFirst();
        int refused = 0;

        for (int at = 0; at < record.length; at++) {
            byte[] damaged = record.clone();
            damaged[at] ^= (byte) (1 << at % Byte.SIZE);
            assertThat(node.damage(record, damaged)).isPositive();
            try {
                node.start();
                assertThat(node.engine().contentHashes()).as("byte %s", at).isEqualTo(rows);
            } catch (DivergedReplayException | DamagedLogException refusal) {
                refused++;
            }
            node.kill(false);
            assertThat(node.damage(damaged, record)).isPositive();
        }

        assertThat(refused).isGreaterThan(record.length / 2);
    }

    private int elsewhere() {
        for (int account = 1; account < ACCOUNTS; account++) {
            if (nodeOf(account) != nodeOf(0)) {
                return account;
            }
        }
        throw new AssertionError();
    }

    private int nodeOf(int account) {
        Reprise engine = nodes.getFirst().engine();
        int partition = engine.buckets().partition(engine.buckets().bucketOf(account));
        boolean isFirst = nodes.getFirst().replicas().stream()
                .anyMatch(replica -> replica.partition() == partition && replica.serves());
        return isFirst ? 0 : 1;
    }

    /** Invoices between all pairs at once, of which some abort. */
    private void invoices(int count) {
        List<long[]> left = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long from = i % ACCOUNTS;
            long to = (i * 7L + 5) % ACCOUNTS;
            left.add(new long[] {from, to == from ? (to + 1) % ACCOUNTS : to, i % 10 == 3 ? 1_000_000 : i});
        }
        for (int round = 0; round < ROUNDS && !left.isEmpty(); round++) {
            Reprise engine = nodes.get(round % 2).engine();
            List<CompletableFuture<Reply>> answers = left.stream()
                    .map(each -> engine.callAsync("Invoice", each[0], each[1], each[2]))
                    .toList();
            reach(() -> answers.stream().allMatch(CompletableFuture::isDone));
            List<long[]> again = new ArrayList<>();
            for (int i = 0; i < answers.size(); i++) {
                ErrorCode error = answers.get(i).join().error();
                if (error == ErrorCode.MOVED || error == ErrorCode.PARTITION_UNAVAILABLE) {
                    again.add(left.get(i));
                } else {
                    assertThat(error).isEqualTo(left.get(i)[2] == 1_000_000 ? ErrorCode.USER_ABORT : null);
                }
            }
            left = again;
        }
        assertThat(left).isEmpty();
    }

    private static long number(Reply reply) {
        Rows rows = reply.orThrow().rows();
        assertThat(rows.next()).isTrue();
        return rows.longAt(0);
    }

    /** At each node in turn, until the leader is met. */
    private Reply call(String procedure, long... numbers) {
        Object[] arguments = java.util.Arrays.stream(numbers).boxed().toArray();
        for (int i = 0; ; i++) {
            CompletableFuture<Reply> answer = nodes.get(i % 2).engine().callAsync(procedure, arguments);
            reach(answer::isDone);
            Reply reply = answer.join();
            boolean again = reply.error() == ErrorCode.MOVED || reply.error() == ErrorCode.PARTITION_UNAVAILABLE;
            if (!again || i > ROUNDS) {
                return reply;
            }
            simulation.runFor(5_000_000);
        }
    }

    private void reach(BooleanSupplier condition) {
        simulation.runUntil(condition, MOST_STEPS);
    }
}
