package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Reply;
import io.reprise.wire.message.Topology;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node serves clients that know nothing of the topology: it passes their calls on to leaders. */
@Timeout(120)
final class PassedCallsTest {
    private static final long CLIENT = 77;

    private final TestCluster cluster = new TestCluster(3);

    @AfterEach
    void close() {
        cluster.close();
    }

    private RawConnection connect(int node) throws IOException {
        return RawConnection.greeted(cluster.address(node), CLIENT);
    }

    private static Reply add(RawConnection connection, int handle, long id, long sequence) throws IOException {
        return connection.call(handle, sequence, 0, id, 1L);
    }

    private static Reply spell(RawConnection connection, int handle, long id, String text) throws IOException {
        connection.sendCall(
                1, handle, 0, 0, new ArgumentWriter().add(id).add(text).add(new long[] {1, 2, 3}));
        return connection.readReplies().getReply(0);
    }

    private long idLedBy(int node) {
        for (long id = 0; id < TestCluster.ACCOUNTS; id++) {
            if (cluster.leaderOf(id) == node) {
                return id;
            }
        }
        throw new IllegalStateException("node " + node + " leads nothing");
    }

    @Test
    void shouldServeEachCallAtEachNode() throws IOException {
        long sequence = 0;
        for (int node = 0; node < 3; node++) {
            try (RawConnection connection = connect(node)) {
                int add = connection.handle("Add");
                for (long id = 0; id < TestCluster.ACCOUNTS; id++) {
                    Reply reply = add(connection, add, id, ++sequence);
                    assertThat(reply.getValue().getInteger())
                            .as(reply.toString())
                            .isEqualTo(node + 1);
                }
            }
        }

        assertThat(cluster.total()).isEqualTo(3 * TestCluster.ACCOUNTS);
    }

    @Test
    void shouldRunAPassedCallOnce() throws IOException {
        long id = idLedBy(1);
        try (RawConnection one = connect(0);
                RawConnection other = connect(2)) {
            int add = one.handle("Add");
            int there = other.handle("Add");

            Reply first = add(one, add, id, 1);
            Reply again = add(other, there, id, 1);

            assertThat(again.getValue()).isEqualTo(first.getValue());
            assertThat(cluster.total()).isEqualTo(1);
        }
    }

    @Test
    void shouldPassOnArgumentsAndRows() throws IOException {
        long id = idLedBy(2);
        try (RawConnection connection = connect(0)) {
            int spell = connection.handle("Spell");

            Reply rows = spell(connection, spell, id, "long enough");
            Reply abort = spell(connection, spell, id, "x");

            assertThat(rows.getTable().getRow(0).getValue(0).getInteger()).isEqualTo(id);
            assertThat(abort.getFailure().getCode()).isEqualTo(Failure.Code.USER_ABORT);
            assertThat(abort.getFailure().getMessage()).contains("the text x is too short for 3 numbers");
        }
    }

    @Test
    void shouldTellThatNoNodeLeads() throws IOException {
        try (RawConnection connection = connect(0)) {
            int add = connection.handle("Add");
            cluster.lead(-1, -1, -1, -1);

            Failure failure = add(connection, add, 3, 1).getFailure();

            assertThat(failure.getCode()).isEqualTo(Failure.Code.PARTITION_UNAVAILABLE);
            assertThat(failure.getNotRun()).isTrue();
            assertThat(failure.getRetryIsSafe()).isTrue();
            assertThat(failure.getMessage()).contains("no node leads partition");
        }
    }

    @Test
    void shouldTellThatTheLeaderCannotBeReached() throws IOException {
        long id = idLedBy(1);
        try (RawConnection connection = connect(0)) {
            int add = connection.handle("Add");
            cluster.stop(1);

            Failure failure = add(connection, add, id, 1).getFailure();

            assertThat(failure.getCode()).isEqualTo(Failure.Code.PARTITION_UNAVAILABLE);
            assertThat(failure.getNotRun()).isTrue();
            assertThat(failure.getMessage()).contains("node 1 leads the partition and can't be reached");
        }
    }

    @Test
    void shouldNotPassACallOnTwice() throws IOException {
        long id = idLedBy(1);
        try (RawConnection connection = connect(0)) {
            int add = connection.handle("Add");
            // The nodes reject the calls of all accounts, while the topology goes on naming leaders.
            for (int node = 0; node < 3; node++) {
                cluster.server(node).engine().sql("UPDATE account SET led = 0");
            }

            Failure failure = add(connection, add, id, 1).getFailure();

            assertThat(failure.getCode()).isEqualTo(Failure.Code.MOVED);
            assertThat(failure.getNotRun()).isTrue();
            assertThat(failure.getRetryIsSafe()).isTrue();
        }
    }

    @Test
    void shouldAnswerLostCallsWhenTheLeaderEnds() throws IOException {
        long id = idLedBy(1);
        try (RawConnection connection = connect(0)) {
            int add = connection.handle("Add");
            assertThat(add(connection, add, id, 1).hasFailure()).isFalse();
            cluster.stop(1);

            Reply reply = add(connection, add, id, 2);

            assertThat(reply.getFailure().getRetryIsSafe()).isTrue();
            assertThat(reply.getFailure().getCode())
                    .isIn(Failure.Code.PARTITION_UNAVAILABLE, Failure.Code.OUTCOME_UNKNOWN);
        }
    }

    @Test
    void shouldTellClientsEachTopology() throws IOException {
        try (RawConnection connection = new RawConnection(cluster.address(1))) {
            connection.sendFrame(
                    Wire.HELLO,
                    io.reprise.wire.message.Hello.newBuilder()
                            .setLeastVersion(1)
                            .setGreatestVersion(1)
                            .build()
                            .toByteArray());
            io.reprise.wire.message.Welcome welcome = io.reprise.wire.message.Welcome.parseFrom(
                    connection.readFrame().message());
            assertThat(welcome.getNode()).isEqualTo(2);
            assertThat(welcome.getTopology().getLeaderList()).containsExactly(1, 2, 3, 1);
            assertThat(welcome.getTopology().getNodeList()).hasSize(3);

            cluster.lead(2, 2, -1, 0);

            RawConnection.Frame frame = connection.readFrame();
            assertThat(frame.kind()).isEqualTo(Wire.TOPOLOGY);
            Topology told = Topology.parseFrom(frame.message());
            assertThat(told.getVersion()).isGreaterThan(welcome.getTopology().getVersion());
            assertThat(told.getLeaderList()).containsExactly(3, 3, 0, 1);
        }
    }

    @Test
    void shouldPassOnManyCallsAtOnce() throws IOException {
        long id = idLedBy(1);
        try (RawConnection connection = connect(0)) {
            int add = connection.handle("Add");
            int calls = 500;
            for (int i = 1; i <= calls; i++) {
                connection.sendCall(i, add, i, 0, new ArgumentWriter().add(id).add(1L));
            }

            int replied = 0;
            while (replied < calls) {
                for (Reply reply : connection.readReplies().getReplyList()) {
                    assertThat(reply.hasFailure()).as(reply.toString()).isFalse();
                    replied++;
                }
            }

            assertThat(cluster.total()).isEqualTo(calls);
        }
    }
}
