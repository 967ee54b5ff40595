package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.ReplicaStatus;
import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Rows;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions over partitions that real engines of several nodes lead. */
final class TransactionsOverNodesTest {
    private static final long MOST_STEPS = 2_000_000;
    private static final int ACCOUNTS = 12;

    private final Simulation simulation = new Simulation(20);
    private final List<ClusterMachine> nodes = new ArrayList<>();

    private void start(int kSafety) {
        SimulatedLinks network = new SimulatedLinks(simulation);
        SimulatedMembership service = new SimulatedMembership(simulation, 2_000_000_000L);
        ClusterMachine.Shape shape =
                new ClusterMachine.Shape(2, 4, kSafety, true, LoggingMethod.COMMAND, Duration.ofMillis(300));
        for (int i = 0; i < 2; i++) {
            nodes.add(new ClusterMachine(simulation, network, service, shape, i, 0));
        }
        nodes.forEach(ClusterMachine::start);
        reach(this::isServed);
    }

    private boolean isServed() {
        long served = nodes.stream()
                .filter(ClusterMachine::isUp)
                .flatMap(node -> node.replicas().stream())
                .filter(ReplicaStatus::serves)
                .count();
        return served == 4;
    }

    @AfterEach
    void end() {
        nodes.forEach(ClusterMachine::abandon);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldTransferBetweenAllPairsOfPartitions(int kSafety) {
        start(kSafety);
        open();

        for (int from = 0; from < ACCOUNTS; from++) {
            int to = (from + 5) % ACCOUNTS;
            assertThat(call("Transfer", from, to, 10).orThrow().longValue()).isEqualTo(10);
        }

        assertThat(total()).isZero();
        for (int account = 0; account < ACCOUNTS; account++) {
            assertThat(balance(account)).isZero();
        }
        assertThat(call("Transfer", 0, 1, 7).orThrow().longValue()).isEqualTo(7);
        assertThat(balance(0)).isEqualTo(-7);
        assertThat(balance(1)).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldTakeBackEverywhereWhatAProcedureAborts(int kSafety) {
        start(kSafety);
        open();

        for (int from = 0; from < ACCOUNTS; from++) {
            Reply refused = call("Transfer", from, (from + 1) % ACCOUNTS, 1_000_000);
            assertThat(refused.error()).isEqualTo(ErrorCode.USER_ABORT);
            Reply returned = call("Transfer", from, (from + 1) % ACCOUNTS, -1);
            assertThat(returned.orThrow().longValue()).isEqualTo(-1);
        }

        for (int account = 0; account < ACCOUNTS; account++) {
            assertThat(balance(account)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRunStatementsOverAllNodes(int kSafety) {
        start(kSafety);
        open();

        assertThat(call("PayAll", 3).orThrow().longValue()).isEqualTo(ACCOUNTS);
        assertThat(number(call("Total"))).isEqualTo(3 * ACCOUNTS);
        assertThat(call("CloseFrom", 6).orThrow().longValue()).isEqualTo(6);
        assertThat(number(call("Opened"))).isEqualTo(6);
        assertThat(call("SetRate", 4).orThrow().longValue()).isEqualTo(1);
        assertThat(call("SetRate", 5).error()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
        assertThat(number(call("Rate"))).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldKeepTransfersOverARestartOfAllNodes(int kSafety) {
        start(kSafety);
        open();
        for (int from = 0; from < ACCOUNTS; from++) {
            call("Transfer", from, 5, from).orThrow();
        }
        call("SetRate", 4).orThrow();
        long five = balance(5);

        nodes.forEach(node -> node.kill(true));
        nodes.forEach(ClusterMachine::start);
        reach(this::isServed);

        assertThat(balance(5)).isEqualTo(five);
        assertThat(total()).isZero();
        assertThat(number(call("Rate"))).isEqualTo(4);
        call("Transfer", 0, 5, 1).orThrow();
        assertThat(balance(5)).isEqualTo(five + 1);
    }

    private void open() {
        for (int account = 0; account < ACCOUNTS; account++) {
            call("OpenAccount", account).orThrow();
        }
    }

    private long balance(long account) {
        return number(call("Balance", account));
    }

    private long total() {
        return number(call("Total"));
    }

    private static long number(Reply reply) {
        Rows rows = reply.orThrow().rows();
        assertThat(rows.next()).isTrue();
        return rows.longAt(0);
    }

    private Reply call(String procedure, long... numbers) {
        Object[] arguments = new Object[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            arguments[i] = numbers[i];
        }
        return answered(engine -> engine.callAsync(procedure, arguments));
    }

    private interface Call {
        CompletableFuture<Reply> at(Reprise engine);
    }

    /** At each node in turn, until the leader is met. */
    private Reply answered(Call call) {
        for (int i = 0; ; i++) {
            CompletableFuture<Reply> answer = call.at(nodes.get(i % 2).engine());
            reach(answer::isDone);
            Reply reply = answer.join();
            boolean again = reply.error() == ErrorCode.MOVED || reply.error() == ErrorCode.PARTITION_UNAVAILABLE;
            if (!again || i > 200) {
                return reply;
            }
            simulation.runFor(5_000_000);
        }
    }

    private void reach(BooleanSupplier condition) {
        simulation.runUntil(condition, MOST_STEPS);
    }
}
