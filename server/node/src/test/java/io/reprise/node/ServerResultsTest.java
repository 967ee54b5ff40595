package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ErrorCode;
import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.wire.message.Failure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of procedures, at the edges, of calls that write: their replies leave at once, or wait for a log. */
@Timeout(300)
final class ServerResultsTest {
    private static final int MOST_RESULT_BYTES = 1 << 20;
    private static final String DDL = """
            CREATE TABLE t (id BIGINT NOT NULL, s VARCHAR(20), PRIMARY KEY (id));
            PARTITION TABLE t ON COLUMN id;
            CREATE PROCEDURE PARTITION ON TABLE t COLUMN id FROM CLASS io.reprise.node.ServerResultsTest$Text;
            CREATE PROCEDURE PARTITION ON TABLE t COLUMN id FROM CLASS io.reprise.node.ServerResultsTest$Words;
            CREATE PROCEDURE PARTITION ON TABLE t COLUMN id FROM CLASS io.reprise.node.ServerResultsTest$Whole;
            CREATE PROCEDURE PARTITION ON TABLE t COLUMN id FROM CLASS io.reprise.node.ServerResultsTest$Real;
            CREATE PROCEDURE PARTITION ON TABLE t COLUMN id FROM CLASS io.reprise.node.ServerResultsTest$Truth;
            CREATE PROCEDURE PARTITION ON TABLE t COLUMN id FROM CLASS io.reprise.node.ServerResultsTest$Nothing;
            """;

    /** Gives a text of these UTF-16 units; of none, null. */
    public static final class Text extends Procedure {
        private final Statement insert = sql("INSERT INTO t VALUES (?, 'x')");

        /** Each so often. */
        public String run(long id, int[] units, int times) {
            insert.set(0, id).update();
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < times; i++) {
                for (int unit : units) {
                    text.append((char) unit);
                }
            }
            return times == 0 ? null : text.toString();
        }
    }

    /** Gives the row that it has written, or nothing. */
    public static final class Words extends Procedure {
        private final Statement insert = sql("INSERT INTO t VALUES (?, ?)");
        private final Statement select = sql("SELECT id, s FROM t WHERE id = ?");

        /** Of units as above. */
        public Rows run(long id, int[] units, boolean none) {
            StringBuilder text = new StringBuilder();
            for (int unit : units) {
                text.append((char) unit);
            }
            insert.set(0, id).set(1, text.toString()).update();
            return none ? null : select.set(0, id).query();
        }
    }

    /** Gives a number back. */
    public static final class Whole extends Procedure {
        private final Statement insert = sql("INSERT INTO t VALUES (?, 'x')");

        /** The same. */
        public long run(long id, long value) {
            insert.set(0, id).update();
            return value;
        }
    }

    /** Gives a number back. */
    public static final class Real extends Procedure {
        private final Statement insert = sql("INSERT INTO t VALUES (?, 'x')");

        /** The same. */
        public double run(long id, double value) {
            insert.set(0, id).update();
            return value;
        }
    }

    /** Gives a truth value back. */
    public static final class Truth extends Procedure {
        private final Statement insert = sql("INSERT INTO t VALUES (?, 'x')");

        /** The same. */
        public boolean run(long id, boolean value) {
            insert.set(0, id).update();
            return value;
        }
    }

    /** Gives nothing back. */
    public static final class Nothing extends Procedure {
        private final Statement insert = sql("INSERT INTO t VALUES (?, 'x')");

        /** Writes only. */
        public void run(long id) {
            insert.set(0, id).update();
        }
    }

    private Server server;
    private long ids;

    private void open(boolean withLog) {
        Options options =
                Options.create().partitions(1).memoryPerPartition(64 << 20).ddl(DDL);
        if (withLog) {
            options.files(new SimulatedFileStore(1)).durability(Durability.standard());
        }
        server = Server.open(
                options,
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .withBytes(1 << 20, MOST_RESULT_BYTES, 1 << 20, 64L << 20, 128L << 20));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellEveryResultAtItsEdges(boolean withLog) {
        open(withLog);
        try (Client client = PatientClient.connect(server)) {
            assertThat(text(client, 1, 0xD83D)).isEqualTo("?");
            assertThat(text(client, 1, 0xDE00)).isEqualTo("?");
            assertThat(text(client, 1, 'a', 0xD83D, 'b', 0xDE00, 0xD83D)).isEqualTo("a?b??");
            assertThat(text(client, 1, 0xD83D, 0xDE00)).isEqualTo("\uD83D\uDE00");
            assertThat(text(client, 1, 0, 0xFFFF)).isEqualTo("\0\uFFFF");
            assertThat(text(client, 1)).isEmpty();
            assertThat(text(client, 0)).isNull();
            assertThat(text(client, 100_000, 'x', 0x20AC)).hasSize(200_000);
            assertThatThrownBy(() -> text(client, MOST_RESULT_BYTES + 1, 'x'))
                    .isInstanceOfSatisfying(
                            CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RESULT_TOO_LARGE))
                    .hasMessageContaining("it has " + (MOST_RESULT_BYTES + 1));
            assertThatThrownBy(() -> text(client, MOST_RESULT_BYTES / 3, 0x20AC))
                    .isInstanceOfSatisfying(
                            CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RESULT_TOO_LARGE));

            for (long value : new long[] {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE}) {
                assertThat(client.call("Whole", ++ids, value).longValue()).isEqualTo(value);
            }
            for (double value : new double[] {Double.NaN, -0.0, Double.MIN_VALUE, Double.POSITIVE_INFINITY}) {
                assertThat(client.call("Real", ++ids, value).doubleValue()).isEqualTo(Double.valueOf(value));
            }
            assertThat(client.call("Truth", ++ids, true).booleanValue()).isTrue();
            assertThat(client.call("Truth", ++ids, false).booleanValue()).isFalse();
            client.call("Nothing", ++ids);
            var rows =
                    client.call("Words", ++ids, new int[] {'a', 0xD83D}, false).rows();
            assertThat(rows.next()).isTrue();
            assertThat(rows.stringAt(1)).as("as in a reply").isEqualTo("a?");
            client.call("Words", ++ids, new int[] {}, true);

            assertThat(client.metrics().connects()).as("all on one connection").isEqualTo(1);
            assertThat(client.sql("SELECT COUNT(*) FROM t").rows().count()).isEqualTo(1);
        }
    }

    private String text(Client client, int times, int... units) {
        return client.call("Text", ++ids, units, times).stringValue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAnswerARepetitionOfACallWhoseTextHadHalfACharacter(boolean withLog) throws Exception {
        open(withLog);
        server.engine()
                .ddl(
                        "CREATE PROCEDURE PARTITION ON TABLE t COLUMN id FROM CLASS io.reprise.node.ServerResultsTest$Half");

        for (int attempt = 1; attempt <= 2; attempt++) {
            try (RawConnection connection = RawConnection.greeted(server.address(), 77)) {
                var reply = connection.call(connection.handle("Half"), 1, 0, 1);

                if (attempt == 1) {
                    assertThat(reply.getValue().getText()).isEqualTo("?");
                } else {
                    assertThat(reply.getFailure().getCode()).isEqualTo(Failure.Code.RESULT_LOST);
                }
            }
        }
    }

    /** Gives half a character. */
    public static final class Half extends Procedure {
        private final Statement insert = sql("INSERT INTO t VALUES (?, 'x')");

        /** The result is none. */
        public String run(long id) {
            insert.set(0, id).update();
            return "\uD83D";
        }
    }
}
