package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.engine.RunLimits;
import io.reprise.engine.TapeReply;
import io.reprise.engine.TapeStep;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Rows;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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
    private static final int CALLS_IN_TURN = 20;
    private static final int WRITERS = 2;
    private static final int GIVEN = 16;
    private static final long PAUSE_STEP_NS = 10_000_000_000L;
    private static final RunLimits SESSION = new RunLimits(1 << 20, null);

    private final Simulation simulation = new Simulation(20);
    private final SimulatedLinks network = new SimulatedLinks(simulation);
    private final List<ClusterMachine> nodes = new ArrayList<>();

    private void start(int kSafety) {
        start(kSafety, LogSettings.DEFAULTS.maxDelayNs());
    }

    private void start(int kSafety, long logPauseNs) {
        start(kSafety, logPauseNs, 0);
    }

    private void start(int kSafety, long logPauseNs, long snapshotEveryMs) {
        SimulatedMembership service = new SimulatedMembership(simulation, 2_000_000_000L);
        ClusterMachine.Shape shape =
                new ClusterMachine.Shape(2, 4, kSafety, true, LoggingMethod.COMMAND, Duration.ofMillis(300));
        for (int i = 0; i < 2; i++) {
            nodes.add(new ClusterMachine(simulation, network, service, shape, i, snapshotEveryMs)
                    .withLogPause(logPauseNs));
        }
        nodes.forEach(ClusterMachine::start);
        reach(this::isServed);
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
    void shouldThrowTheFailureOfAnUnreadWriteAtItsPlace(int kSafety) {
        start(kSafety);
        open();

        for (int from = 0; from < ACCOUNTS; from++) {
            int to = (from + 5) % ACCOUNTS;
            assertThat(call("Reopen", from, to, 7).orThrow().longValue()).isZero();
            assertThat(call("Reopen", from, ACCOUNTS + from, 7).orThrow().longValue())
                    .isEqualTo(7);
        }

        for (int account = 0; account < ACCOUNTS; account++) {
            assertThat(balance(account)).isEqualTo(-7);
            assertThat(balance(ACCOUNTS + account)).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldShowAProcedureItsOwnWritesBehindPrefetches(int kSafety) {
        start(kSafety);
        open();
        List<Started> calls = new ArrayList<>();

        for (int from = 0; from < ACCOUNTS; from++) {
            assertThat(call("Foresee", from, (from + 7) % ACCOUNTS, 3).orThrow().longValue())
                    .isBetween(0L, 3L);
            calls.add(new Started(null, "Foresee", from, (from + 5) % ACCOUNTS, 2));
        }
        finish(calls);

        assertThat(total()).isZero();
        for (int account = 0; account < ACCOUNTS; account++) {
            assertThat(balance(account)).isZero();
        }
    }

    /**
     * A part and a commit are forced one after the other. Each force that nobody asked for lengthens the pause before the next one by
     * ten seconds here.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldForcePartsAndCommitsWithoutAPause(int kSafety) {
        start(kSafety, 64 * PAUSE_STEP_NS);
        open();
        Reprise leader = leaderOf("PayAll");

        long beganNs = simulation.clock().nanoTime();
        for (int i = 0; i < CALLS_IN_TURN; i++) {
            ended(leader.callAsync("PayAll", 1L)).orThrow();
        }

        assertThat(simulation.clock().nanoTime() - beganNs).isLessThan(CALLS_IN_TURN * PAUSE_STEP_NS);
    }

    /** The node whose engine takes the calls of a procedure with one argument. */
    private Reprise leaderOf(String procedure) {
        for (int i = 0; ; i++) {
            Reprise engine = nodes.get(i % 2).engine();
            Reply reply = ended(engine.callAsync(procedure, 0L));
            if (reply.error() == null || i > 200) {
                reply.orThrow();
                return engine;
            }
            simulation.runFor(5_000_000);
        }
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

    /** With a single replica of each partition a node's snapshot has partitions that the node does not hold. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldKeepReplicatedRowsOverARecoveryFromSnapshots(int kSafety) {
        start(kSafety, LogSettings.DEFAULTS.maxDelayNs(), 100);
        open();
        call("SetRate", 4).orThrow();
        simulation.runFor(500_000_000);
        call("Transfer", 1, 5, 3).orThrow();

        nodes.forEach(node -> node.kill(true));
        nodes.forEach(ClusterMachine::start);
        reach(this::isServed);

        int read = 0;
        for (ClusterMachine node : nodes) {
            for (int i = 0; i < 16; i++) {
                Reply rate = ended(node.engine().callAsync("Rate"));
                if (rate.committed()) {
                    assertThat(number(rate)).isEqualTo(4);
                    read++;
                }
            }
        }
        assertThat(read).isGreaterThan(4);
        assertThat(total()).isZero();
        assertThat(balance(5)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldKeepCallsApartThatShareABatch(int kSafety) {
        start(kSafety);
        open();
        long[] expected = new long[ACCOUNTS];
        List<Started> calls = new ArrayList<>();

        for (int i = 0; i < 150; i++) {
            int from = i % ACCOUNTS;
            int to = (i * 7 + 5) % ACCOUNTS;
            switch (i % 10) {
                case 3 -> calls.add(new Started(ErrorCode.USER_ABORT, "Transfer", from, to, 1_000_000));
                case 5 -> calls.add(new Started(null, "Transfer", from, to, -1));
                case 7 -> {
                    calls.add(new Started(null, "PayAll", 3));
                    for (int account = 0; account < ACCOUNTS; account++) {
                        expected[account] += 3;
                    }
                }
                case 9 -> calls.add(new Started(null, "Total"));
                default -> {
                    calls.add(new Started(null, "Transfer", from, to, i));
                    expected[from] -= i;
                    expected[to] += i;
                }
            }
        }
        finish(calls);

        for (int account = 0; account < ACCOUNTS; account++) {
            assertThat(balance(account)).as("account %d", account).isEqualTo(expected[account]);
        }
    }

    /** Writes come as fast as others end, so some wait whenever a batch may begin. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRunAReadAlthoughWritesWaitAllTheTime(int kSafety) {
        start(kSafety);
        open();
        Reprise leader = leaderOf("PayAll");
        List<CompletableFuture<Reply>> writes = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writes.add(leader.callAsync("PayAll", 1L));
            simulation.runFor(200_000);
        }
        int[] ended = new int[1];
        CompletableFuture<Reply> read = leader.callAsync("Total");

        reach(() -> {
            for (int i = 0; i < WRITERS; i++) {
                if (writes.get(i).isDone() && !read.isDone()) {
                    ended[0]++;
                    writes.set(i, leader.callAsync("PayAll", 1L));
                }
            }
            return read.isDone() || ended[0] == CALLS_IN_TURN * WRITERS;
        });

        assertThat(read).isDone();
        number(read.join());
        reach(() -> writes.stream().allMatch(CompletableFuture::isDone));
    }

    /** The calls share the bucket of their home, and each has another one elsewhere. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldReadElsewhereAtOnceForCallsOfOneBucket(int kSafety) {
        start(kSafety);
        List<Integer> others = openElsewhere(GIVEN);
        call("Give", 0, others.getFirst(), 1).orThrow();
        long framesOfOne = framesOf(List.of(new Started(null, "Give", 0, others.getFirst(), 1)));
        List<Started> calls = new ArrayList<>();
        others.forEach(to -> calls.add(new Started(null, "Give", 0, to, 3)));

        long framesOfAll = framesOf(calls);

        assertThat(framesOfAll).isLessThan(5 * framesOfOne);
        assertThat(balance(0)).isEqualTo(-2 - 3 * GIVEN);
        assertThat(balance(others.getLast())).isEqualTo(3);
    }

    /** Opens account 0, and so many accounts that the other node leads. */
    private List<Integer> openElsewhere(int count) {
        int home = nodeOf(0);
        call("OpenAccount", 0).orThrow();
        List<Integer> others = new ArrayList<>();
        for (int account = 1; others.size() < count; account++) {
            if (nodeOf(account) != home) {
                call("OpenAccount", account).orThrow();
                others.add(account);
            }
        }
        return others;
    }

    private int nodeOf(int account) {
        Reprise engine = nodes.getFirst().engine();
        int partition = engine.buckets().partition(engine.buckets().bucketOf(account));
        boolean isFirst = nodes.getFirst().replicas().stream()
                .anyMatch(replica -> replica.partition() == partition && replica.serves());
        return isFirst ? 0 : 1;
    }

    /** The frames between the nodes while the node of account 0 runs all calls at once. */
    private long framesOf(List<Started> calls) {
        Reprise engine = nodes.get(nodeOf(0)).engine();
        long before = network.sentFrames();
        calls.forEach(each -> each.answer = engine.callAsync(each.procedure, boxed(each.arguments)));
        reach(() -> calls.stream().allMatch(each -> each.answer.isDone()));
        calls.forEach(each -> each.answer.join().orThrow());
        return network.sentFrames() - before;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldGiveEachCallOfABatchItsOwnOutcome(int kSafety) {
        start(kSafety);
        open();
        call("SetRate", 1).orThrow();
        List<Started> calls = new ArrayList<>();

        for (int i = 0; i < 24; i++) {
            if (i % 3 == 0) {
                calls.add(new Started(ErrorCode.CONSTRAINT_VIOLATION, "SetRate", 100 + i));
            }
            calls.add(new Started(null, "Transfer", i % ACCOUNTS, (i + 1) % ACCOUNTS, 2 + i));
        }
        finish(calls);

        for (Started each : calls) {
            if (each.procedure.equals("Transfer")) {
                assertThat(each.reply.orThrow().longValue()).isEqualTo(each.arguments[2]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRunASessionsTransactionOverAllNodes(int kSafety) {
        start(kSafety);
        open();

        TapeReply committed = tape(
                TapeStep.statement("UPDATE account SET balance = balance - 5 WHERE id = ?", 0L),
                TapeStep.savepoint(0),
                TapeStep.statement("UPDATE account SET balance = balance + 100"),
                TapeStep.rollbackTo(0),
                TapeStep.statement("UPDATE account SET balance = balance + 5 WHERE id = ?", 5L),
                TapeStep.statement("INSERT INTO rate VALUES ('b', 8)"),
                TapeStep.statement("SELECT SUM(balance), COUNT(*) FROM account"));

        assertThat(committed.message()).isNull();
        assertThat(committed.entries().get(2).count()).isEqualTo(ACCOUNTS);
        Rows sums = committed.entries().getLast().rows();
        assertThat(sums.next()).isTrue();
        assertThat(sums.longAt(0)).isZero();
        assertThat(sums.longAt(1)).isEqualTo(ACCOUNTS);
        assertThat(balance(0)).isEqualTo(-5);
        assertThat(balance(5)).isEqualTo(5);
        assertThat(balance(1)).isZero();
        TapeReply failed = tape(
                TapeStep.statement("UPDATE account SET balance = balance + 1"),
                TapeStep.statement("INSERT INTO rate VALUES ('b', 9)"));
        assertThat(failed.error()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
        assertThat(failed.failed()).isEqualTo(1);
        assertThat(total()).isZero();
    }

    /** Of a session at each node in turn, until the leader is met. */
    private TapeReply tape(TapeStep... steps) {
        for (int i = 0; ; i++) {
            CompletableFuture<TapeReply> answer = nodes.get(i % 2).engine().tapeAsync(List.of(steps), 7, SESSION);
            reach(answer::isDone);
            TapeReply reply = answer.join();
            boolean again = reply.error() == ErrorCode.MOVED || reply.error() == ErrorCode.PARTITION_UNAVAILABLE;
            if (!again || i > 200) {
                return reply;
            }
            simulation.runFor(5_000_000);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldServeSessionsAtEachNode(int kSafety) {
        start(kSafety);
        open();

        for (int i = 0; i < 2 * ACCOUNTS; i++) {
            Reprise engine = nodes.get(i % 2).engine();
            long account = i / 2;
            TapeReply paid = ended(engine.tapeAsync(
                    List.of(
                            TapeStep.statement("UPDATE account SET balance = balance + 3 WHERE id = ?", account),
                            TapeStep.statement("SELECT balance FROM account WHERE id = ?", account)),
                    7,
                    SESSION));
            assertThat(paid.message()).isNull();
            assertThat(paid.entries().getFirst().count()).isEqualTo(1);
            Rows balance = paid.entries().getLast().rows();
            assertThat(balance.next()).isTrue();
            assertThat(balance.longAt(0)).isEqualTo(i % 2 == 0 ? 3 : 6);
            TapeReply refused = ended(engine.tapeAsync(
                    List.of(TapeStep.statement("INSERT INTO account VALUES (?, 0, 'again')", account)), 7, SESSION));
            assertThat(refused.error()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
            assertThat(refused.subject().table()).isEqualTo("ACCOUNT");
        }
        for (ClusterMachine node : nodes) {
            TapeReply all = ended(node.engine()
                    .tapeAsync(List.of(TapeStep.statement("SELECT SUM(balance) FROM account")), 7, SESSION));
            Rows sum = all.entries().getFirst().rows();
            assertThat(sum.next()).isTrue();
            assertThat(sum.longAt(0)).isEqualTo(6 * ACCOUNTS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 13, 21, 34, 55})
    void shouldRunACallOfASessionOnceAlthoughItsLeaderIsKilled(int stepsBefore) {
        start(1);
        open();
        Reprise survivor = nodes.get(1).engine();
        List<CompletableFuture<TapeReply>> calls = new ArrayList<>();

        for (int account = 0; account < ACCOUNTS; account++) {
            calls.add(survivor.tapeAsync(
                    List.of(
                            TapeStep.statement(
                                    "UPDATE account SET balance = balance - ? WHERE id = ?", 100L + account, (long)
                                            account),
                            TapeStep.statement(
                                    "UPDATE account SET balance = balance + ? WHERE id = ?",
                                    100L + account,
                                    (account + 1L) % ACCOUNTS)),
                    7,
                    SESSION));
        }
        simulation.runFor(stepsBefore * 300_000L);
        nodes.get(0).kill(true);
        reach(() -> calls.stream().allMatch(CompletableFuture::isDone));

        for (CompletableFuture<TapeReply> each : calls) {
            // Counts are lost with a leader that has committed and did not answer.
            assertThat(each.join().error()).as(each.join().message()).isIn(null, ErrorCode.RESULT_LOST);
        }
        reach(this::isServed);
        for (int account = 0; account < ACCOUNTS; account++) {
            long before = (account + ACCOUNTS - 1L) % ACCOUNTS;
            assertThat(number(ended(survivor.callAsync("Balance", (long) account))))
                    .isEqualTo(before - account);
        }
    }

    private <T> T ended(CompletableFuture<T> answer) {
        reach(answer::isDone);
        return answer.join();
    }

    /** A call that is under way with others, and its expected failure. */
    private static final class Started {
        final ErrorCode failure;
        final String procedure;
        final long[] arguments;
        CompletableFuture<Reply> answer;
        Reply reply;

        /** The last reply, for a person. */
        String last = "";

        Started(ErrorCode failure, String procedure, long... arguments) {
            this.failure = failure;
            this.procedure = procedure;
            this.arguments = arguments;
        }
    }

    /** Makes all calls at once, at each node in turn until their leaders are met. */
    private void finish(List<Started> calls) {
        for (int round = 0; round < 200; round++) {
            Reprise engine = nodes.get(round % 2).engine();
            List<Started> left =
                    calls.stream().filter(each -> each.reply == null).toList();
            left.forEach(each -> each.answer = engine.callAsync(each.procedure, boxed(each.arguments)));
            reach(() -> left.stream().allMatch(each -> each.answer.isDone()));
            for (Started each : left) {
                Reply reply = each.answer.join();
                each.last = reply.error() == ErrorCode.MOVED
                        ? each.last
                        : each.procedure + Arrays.toString(each.arguments) + ": " + reply.message();
                if (reply.error() != ErrorCode.MOVED && reply.error() != ErrorCode.PARTITION_UNAVAILABLE) {
                    each.reply = reply;
                    assertThat(reply.error())
                            .as("%s: %s", each.procedure, reply.message())
                            .isEqualTo(each.failure);
                }
            }
        }
        assertThat(calls.stream().filter(each -> each.reply == null).map(each -> each.last))
                .isEmpty();
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
        return answered(engine -> engine.callAsync(procedure, boxed(numbers)));
    }

    private static Object[] boxed(long... numbers) {
        return Arrays.stream(numbers).boxed().toArray();
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
