package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.reprise.wire.message.Call;
import io.reprise.wire.message.Node;
import io.reprise.wire.message.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls find the leader of their partition, and its successor. */
@Timeout(60)
final class ClusterClientTest {
    /** With two buckets, 0 is in partition 0, and 1 in partition 1. */
    private static final long IN_FIRST = 0;

    private static final long IN_SECOND = 1;

    private ScriptedServer first;
    private ScriptedServer second;

    @BeforeEach
    void startServers() throws IOException {
        first = new ScriptedServer(ScriptedServer.value(1));
        second = new ScriptedServer(ScriptedServer.value(2));
        first.isNode(0, topology(1, 0, 1));
        second.isNode(1, topology(1, 0, 1));
    }

    @AfterEach
    void stopServers() throws IOException {
        first.close();
        second.close();
    }

    /** Two partitions with a bucket each, and their leaders. */
    private Topology topology(long version, int... leaders) {
        Topology.Builder topology = Topology.newBuilder()
                .setVersion(version)
                .addPartitionOfBucket(0)
                .addPartitionOfBucket(1);
        for (int leader : leaders) {
            topology.addLeader(leader + 1);
        }
        return topology.addNode(node(0, first)).addNode(node(1, second)).build();
    }

    private static Node node(int number, ScriptedServer server) {
        return Node.newBuilder()
                .setNumber(number)
                .setAddress("localhost:" + server.address().getPort())
                .build();
    }

    /** Knows the first node only, until that has told of the second. */
    private Client connect(Duration timeout) {
        Client client = Client.connect(ClientSettings.to(first.address())
                .withCallTimeout(timeout)
                .withReconnect(Duration.ofMillis(5), Duration.ofMillis(20)));
        while (client.metrics().connects() < 2) {
            LockSupport.parkNanos(1_000_000);
        }
        client.call("Deposit", IN_FIRST);
        // The second connection may not be known to take calls yet.
        while (client.call("Deposit", IN_SECOND).longValue() != 2) {
            LockSupport.parkNanos(1_000_000);
        }
        return client;
    }

    private static Call last(ScriptedServer server) {
        List<Call> calls = server.calls();
        return calls.get(calls.size() - 1);
    }

    @Test
    void shouldSendEachCallToTheLeaderOfItsPartition() {
        try (Client client = connect(Duration.ofSeconds(30))) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.call("Deposit", IN_FIRST).longValue()).isEqualTo(1);
                assertThat(client.call("Deposit", IN_SECOND).longValue()).isEqualTo(2);
            }
        }
    }

    @Test
    void shouldCountRepliesByNode() {
        try (Client client = connect(Duration.ofSeconds(30))) {
            long before = client.nodes().get(1).replies();
            for (int i = 0; i < 10; i++) {
                client.call("Deposit", IN_SECOND);
            }

            // A reply is counted after its caller has it.
            long deadline = System.nanoTime() + 10_000_000_000L;
            while (client.nodes().get(1).replies() < before + 10 && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            List<NodeMetrics> nodes = client.nodes();
            assertThat(nodes).extracting(NodeMetrics::number).containsExactly(0, 1);
            assertThat(nodes).allMatch(NodeMetrics::connected);
            // A connection's first exchanges count too.
            assertThat(nodes.get(1).replies()).isGreaterThanOrEqualTo(before + 10);
            assertThat(nodes.get(0).replies()).isLessThan(10);
        }
    }

    @Test
    void shouldFollowAnotherTopology() throws IOException {
        try (Client client = connect(Duration.ofSeconds(30))) {
            second.tell(topology(2, 1, 0));
            while (client.call("Deposit", IN_FIRST).longValue() != 2) {
                LockSupport.parkNanos(1_000_000);
            }

            assertThat(client.call("Deposit", IN_SECOND).longValue()).isEqualTo(1);
        }
    }

    @Test
    void shouldTakeOtherLeadersUnderTheSameVersion() throws IOException {
        try (Client client = connect(Duration.ofSeconds(30))) {
            first.tell(topology(1, 0, 0));
            // Behind that frame comes the reply to a call of the same connection.
            client.call("Deposit", IN_FIRST);

            assertThat(client.call("Deposit", IN_SECOND).longValue()).isEqualTo(1);
        }
    }

    @Test
    void shouldIgnoreAnOlderTopology() throws IOException {
        try (Client client = connect(Duration.ofSeconds(30))) {
            first.tell(topology(5, 1, 0));
            while (client.call("Deposit", IN_FIRST).longValue() != 2) {
                LockSupport.parkNanos(1_000_000);
            }
            first.tell(topology(4, 0, 1));
            // Behind that frame comes the reply to a call of the same connection.
            client.call("Deposit", IN_SECOND);

            assertThat(client.call("Deposit", IN_FIRST).longValue()).isEqualTo(2);
        }
    }

    @Test
    void shouldRepeatACallThatMayHaveRunAtTheNextLeader() throws Exception {
        try (Client client = connect(Duration.ofSeconds(30))) {
            second.goAway();
            CompletableFuture<Reply> lost = client.callAsync("Deposit", IN_SECOND);
            while (client.metrics().unanswered() == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            first.tell(topology(2, 0, 0));

            assertThat(lost.get(10, TimeUnit.SECONDS).longValue()).isEqualTo(1);
            assertThat(last(first).getSequence()).isEqualTo(last(second).getSequence());
        }
    }

    @Test
    void shouldRepeatACallOfAReplacedNodeThatDoesNotAnswer() throws Exception {
        try (Client client = connect(Duration.ofSeconds(30))) {
            second.answerNoCalls();
            second.answerNoQuestions();
            CompletableFuture<Reply> stuck = client.callAsync("Deposit", IN_SECOND);
            second.awaitCalls(2);

            first.tell(topology(2, 0, 0));

            assertThat(stuck.get(10, TimeUnit.SECONDS).longValue()).isEqualTo(1);
        }
    }

    @Test
    void shouldKeepTheConnectionToAReplacedNodeThatAnswers() throws Exception {
        try (Client client = connect(Duration.ofSeconds(30))) {
            second.answerNoCalls();
            CompletableFuture<Reply> slow = client.callAsync("Deposit", IN_SECOND);
            first.tell(topology(2, 0, 0));
            // Behind that frame comes the reply to a call of the same connection.
            client.call("Deposit", IN_FIRST);
            assertThat(client.call("Deposit", IN_SECOND).longValue()).isEqualTo(1);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(600));

            assertThat(slow).isNotDone();
            assertThat(client.metrics().unanswered()).isZero();
        }
    }

    @Test
    void shouldCallAgainAfterMovedAndWithoutALeader() throws IOException {
        try (ScriptedServer moving = new ScriptedServer(
                ScriptedServer.refusal(ErrorCode.MOVED, true),
                ScriptedServer.refusal(ErrorCode.PARTITION_UNAVAILABLE, true),
                ScriptedServer.failure(ErrorCode.PARTITION_UNAVAILABLE, true),
                ScriptedServer.value(7))) {
            moving.isNode(0, topology(1, 0, 1));
            try (Client client = Client.connect(ClientSettings.to(moving.address()))) {
                assertThat(client.call("Deposit", IN_FIRST).longValue()).isEqualTo(7);
                assertThat(moving.sequences()).containsExactly(1L, 1L, 1L, 1L);
            }
        }
    }

    @Test
    void shouldKeepTheTimeoutWithoutALeader() throws IOException {
        try (ScriptedServer leaderless =
                new ScriptedServer(ScriptedServer.refusal(ErrorCode.PARTITION_UNAVAILABLE, true))) {
            leaderless.isNode(0, topology(1, -1, -1).toBuilder().clearNode().build());
            try (Client client =
                    Client.connect(ClientSettings.to(leaderless.address()).withCallTimeout(Duration.ofMillis(300)))) {
                CallException late = failure(client);
                // The time can also end while an attempt is under way, whose outcome is unknown.
                for (int i = 0; i < 20 && late.code() == ErrorCode.OUTCOME_UNKNOWN; i++) {
                    late = failure(client);
                }
                assertThat(late.code()).isIn(ErrorCode.DEADLINE_PASSED, ErrorCode.PARTITION_UNAVAILABLE);
                assertThat(late.retryIsSafe()).isTrue();
            }
        }
    }

    private static CallException failure(Client client) {
        return catchThrowableOfType(CallException.class, () -> client.call("Deposit", IN_FIRST));
    }

    @Test
    void shouldRepeatACallThatWasLostOnItsWayToTheLeader() throws IOException {
        try (ScriptedServer passing = new ScriptedServer(
                ScriptedServer.failure(ErrorCode.OUTCOME_UNKNOWN, true),
                ScriptedServer.refusal(ErrorCode.PARTITION_UNAVAILABLE, true),
                ScriptedServer.value(7))) {
            passing.isNode(0, topology(1, 0, 0));
            try (Client client = Client.connect(ClientSettings.to(passing.address()))) {
                assertThat(client.call("Deposit", IN_FIRST).longValue()).isEqualTo(7);
                assertThat(passing.sequences()).containsExactly(1L, 1L, 1L);
            }
        }
    }

    @Test
    void shouldRunAStatementAgainThatWasNotRun() throws IOException {
        try (Client client = connect(Duration.ofSeconds(30))) {
            first.answerStatement(ScriptedServer.refusal(ErrorCode.MOVED, true));
            second.answerStatement(ScriptedServer.refusal(ErrorCode.PARTITION_UNAVAILABLE, true));

            for (int i = 0; i < 4; i++) {
                assertThat(client.sql("SELECT 1").longValue()).isEqualTo(1);
            }
        }
    }
}
