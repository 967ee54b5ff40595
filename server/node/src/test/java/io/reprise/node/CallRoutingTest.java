package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Reply;
import io.reprise.wire.message.Resolve;
import io.reprise.wire.message.Resolved;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The way of calls to the site that runs them: clients are told their home, and small frames don't fill the server. */
final class CallRoutingTest {
    private static final int READS_PER_SITE = 64;
    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL);
            PARTITION TABLE account ON COLUMN id;
            CREATE TABLE name (name VARCHAR(20) NOT NULL PRIMARY KEY);
            PARTITION TABLE name ON COLUMN name;
            CREATE PROCEDURE PARTITION ON TABLE account COLUMN id PARAMETER 1
              FROM CLASS io.reprise.node.CallRoutingTest$Deposit;
            CREATE PROCEDURE PARTITION ON TABLE account COLUMN id PARAMETER 1 AND ON TABLE account COLUMN id PARAMETER 0
              FROM CLASS io.reprise.node.CallRoutingTest$Transfer;
            CREATE PROCEDURE PARTITION ON TABLE account COLUMN id PARAMETER 0
              FROM CLASS io.reprise.node.CallRoutingTest$Several;
            CREATE PROCEDURE PARTITION ON TABLE name COLUMN name PARAMETER 0
              FROM CLASS io.reprise.node.CallRoutingTest$Greet;
            CREATE PROCEDURE FROM CLASS io.reprise.node.CallRoutingTest$All;
            """;

    /** At one account. */
    public static final class Deposit extends Procedure {
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives how many accounts there were. */
        public long run(long amount, long account) {
            return add.set(0, amount).set(1, account).update();
        }
    }

    /** At two accounts. */
    public static final class Transfer extends Procedure {
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives how many accounts there were. */
        public long run(long to, long from, long amount) {
            return add.set(0, amount).set(1, to).update()
                    + add.set(0, -amount).set(1, from).update();
        }
    }

    /** At any number of accounts. */
    public static final class Several extends Procedure {
        private final Statement add = sql("UPDATE account SET balance = balance + 1 WHERE id = ?");

        /** Gives how many accounts there were. */
        public long run(long[] accounts) {
            long sum = 0;
            for (long account : accounts) {
                sum += add.set(0, account).update();
            }
            return sum;
        }
    }

    /** The home of a string. */
    public static final class Greet extends Procedure {
        private final Statement insert = sql("INSERT INTO name VALUES (?)");

        /** Gives how many there are now. */
        public long run(String name) {
            return insert.set(0, name).update();
        }
    }

    /** Everywhere. */
    public static final class All extends Procedure {
        private final Statement count = sql("SELECT COUNT(*) FROM account");

        /** Gives how many accounts there are. */
        public long run() {
            Rows rows = count.query();
            rows.next();
            return rows.longAt(0);
        }
    }

    private Server server;

    @BeforeEach
    void open() {
        PortSettings usual = PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server = Server.open(
                Options.create().partitions(2).ddl(DDL).memoryPerPartition(64 << 20),
                usual.withCalls(8, usual.limits().callsPerSite(), usual.limits().callsPerSite(), READS_PER_SITE));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void shouldTellWhereACallIsAtHomeWhenAWholeNumberDecides() throws IOException {
        try (RawConnection connection = RawConnection.greeted(server.address())) {
            assertThat(routingParameter(connection, "Deposit")).isEqualTo(2);
            assertThat(routingParameter(connection, "Transfer"))
                    .as("the first that is declared decides on the home, though others bring in more partitions")
                    .isEqualTo(2);
        }
    }

    @Test
    void shouldTellWhereACallIsAtHomeWhenAStringDecides() throws IOException {
        try (RawConnection connection = RawConnection.greeted(server.address())) {
            assertThat(routingParameter(connection, "Greet")).isEqualTo(1);
        }
    }

    @Test
    void shouldTellNothingWhenNoSingleValueDecides() throws IOException {
        try (RawConnection connection = RawConnection.greeted(server.address())) {
            assertThat(routingParameter(connection, "Several")).isZero();
            assertThat(routingParameter(connection, "All")).isZero();
        }
    }

    @Test
    void shouldRunCallsThatComeInFramesOfTheirOwn() throws IOException {
        int calls = 12_000;
        try (RawConnection connection = RawConnection.greeted(server.address())) {
            int handle = connection.handle("Transfer");
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            for (int i = 1; i <= calls; i++) {
                frames.write(RawConnection.callFrame(
                        i, handle, 0, new ArgumentWriter().add(i).add(-i).add(1)));
            }
            connection.send(frames.toByteArray());
            int replied = 0;
            while (replied < calls) {
                for (Reply reply : connection.readReplies().getReplyList()) {
                    assertThat(reply.hasValue())
                            .as("%d times as many frames as the server takes reads: %s", calls / READS_PER_SITE, reply)
                            .isTrue();
                    replied++;
                }
            }
        }
    }

    private static int routingParameter(RawConnection connection, String procedure) throws IOException {
        connection.sendFrame(
                Wire.RESOLVE,
                Resolve.newBuilder().setProcedure(procedure).build().toByteArray());
        return Resolved.parseFrom(connection.read().message()).getRoutingParameter();
    }
}
