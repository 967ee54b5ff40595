package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.client.BulkCalls;
import io.reprise.client.CallAbortedException;
import io.reprise.client.CallException;
import io.reprise.client.CallTooLongException;
import io.reprise.client.Client;
import io.reprise.client.ClientMetrics;
import io.reprise.client.ConstraintViolationException;
import io.reprise.client.ErrorCode;
import io.reprise.client.Reply;
import io.reprise.client.Rows;
import io.reprise.engine.Options;
import io.reprise.engine.RecoveryProgress;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls over real sockets, from a client to a server in the same process. */
final class ServerTest {
    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL, balance BIGINT NOT NULL, PRIMARY KEY (id));
            PARTITION TABLE account ON COLUMN id;
            CREATE PROCEDURE PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.node.ServerTest$Deposit;
            CREATE PROCEDURE AddAccount PARTITION ON TABLE account COLUMN id AS INSERT INTO account VALUES (?, ?);
            """;

    /** Adds to a balance, and gives the new one. */
    public static final class Deposit extends Procedure {
        private final Statement balance = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement insert = sql("INSERT INTO account (id, balance) VALUES (?, ?)");
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Negative amounts are not accepted. */
        public long run(long id, long amount) {
            if (amount < 0) {
                throw abort("an amount below nothing: " + amount);
            }
            if (!balance.set(0, id).first()) {
                insert.set(0, id).set(1, amount).update();
                return amount;
            }
            long after = balance.rows().longAt(0) + amount;
            add.set(0, amount).set(1, id).update();
            return after;
        }
    }

    private static Server server;
    private static Client client;

    @BeforeAll
    static void open() {
        server = Server.open(
                Options.create().partitions(2).ddl(DDL).memoryPerPartition(64 << 20),
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        client = PatientClient.connect(server);
    }

    @AfterAll
    static void close() {
        client.close();
        server.close();
    }

    @Test
    void shouldGiveWhatTheProcedureReturns() {
        client.call("Deposit", 1, 100);

        long balance = client.call("deposit", 1, 11).longValue();

        assertThat(balance).isEqualTo(111);
    }

    @Test
    void shouldAnswerManyCallsInFlight() {
        int calls = 20_000;
        List<CompletableFuture<Reply>> replies = new ArrayList<>();

        for (int i = 0; i < calls; i++) {
            replies.add(client.callAsync("Deposit", 1000 + i % 100, 1));
        }
        replies.forEach(CompletableFuture::join);

        Rows rows = client.sql("SELECT COUNT(*), SUM(balance) FROM account WHERE id >= 1000 AND id < 2000")
                .rows();
        assertThat(rows.next()).isTrue();
        assertThat(rows.longAt(0)).isEqualTo(100);
        assertThat(rows.longAt(1)).isEqualTo(calls);
    }

    /** A frame has 1 MiB at most. */
    @ParameterizedTest
    @CsvSource({"x, 1000000", "é, 500000", "漢, 340000", "😀, 250000"})
    void shouldRunAStatementWhenItsTextFitsIntoAFrame(String character, int count) {
        String counting = "SELECT COUNT(*) FROM account WHERE id < 0 -- ";

        Rows rows = client.sql(counting + character.repeat(count)).rows();

        assertThat(rows.next()).isTrue();
        assertThat(rows.longAt(0)).isZero();
        assertThatThrownBy(() -> client.sql(counting + character.repeat(count * 11 / 10)))
                .isInstanceOf(CallTooLongException.class)
                .hasMessageContaining("the call was not sent");
    }

    @Test
    void shouldNotListenWhereOtherMachinesCanConnectUnlessThatIsSaid() {
        InetSocketAddress anywhere = new InetSocketAddress(0);
        Options options = Options.create().memoryPerPartition(64 << 20);

        assertThatThrownBy(() -> Server.open(options, PortSettings.at(anywhere)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other machines can connect");
        try (Server open = Server.open(options, PortSettings.at(anywhere).withoutProtection())) {
            assertThat(open.address().getPort()).isPositive();
        }
    }

    @Test
    void shouldHoldItsPortWhileItRecoversAndLetNobodyConnect(@TempDir Path directory) throws IOException {
        InetSocketAddress at;
        try (Server first = Server.open(durable(directory), PortSettings.at(anyPort()))) {
            at = first.address();
            first.engine().call("AddAccount", 1, 1);
        }
        List<String> meanwhile = new ArrayList<>();
        Options options = durable(directory).recoveryListener(progress -> {
            meanwhile.add(outcome(() -> new ServerSocket(at.getPort(), 1, at.getAddress()).close()));
            meanwhile.add(outcome(() -> new Socket(at.getAddress(), at.getPort()).close()));
        });

        try (Server again = Server.open(options, PortSettings.at(at));
                Client caller = Client.connect(PatientClient.of(at))) {
            assertThat(meanwhile).isNotEmpty().allMatch(why -> why.contains("in use") || why.contains("refused"));
            assertThat(again.address()).isEqualTo(at);
            assertThat(caller.call("Deposit", 1, 1).longValue()).isEqualTo(2);
        }
    }

    @Test
    void shouldRecoverNothingWhenItsPortIsTaken(@TempDir Path directory) {
        Server.open(durable(directory), PortSettings.at(anyPort())).close();
        List<RecoveryProgress> told = new ArrayList<>();
        Options options = durable(directory).recoveryListener(told::add);

        assertThatThrownBy(() -> Server.open(options, PortSettings.at(server.address())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("port " + server.address().getPort())
                .hasMessageContaining("in use")
                .hasMessageContaining("clients.port");
        assertThat(told).isEmpty();
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static Options durable(Path directory) {
        return Options.create()
                .partitions(1)
                .ddl(DDL)
                .memoryPerPartition(64 << 20)
                .directory(directory);
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws IOException;
    }

    private static String outcome(Attempt attempt) {
        try {
            attempt.run();
            return "it succeeded";
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    @Test
    void shouldLoadRowsAndTellWhichAreRejected() {
        List<Long> rejected = Collections.synchronizedList(new ArrayList<>());
        long accepted;
        // Until a procedure is known, its first calls may overtake each other.
        client.call("AddAccount", 9_999, 1);

        try (BulkCalls rows = client.bulk("AddAccount", (number, row, why) -> rejected.add(number))) {
            for (int i = 0; i < 5_000; i++) {
                rows.add(i % 1000 == 999 ? 10_000 : 10_000 + i, 1);
            }
            accepted = rows.finish();
            assertThat(rows.rejected()).isEqualTo(5);
        }

        assertThat(accepted).isEqualTo(4_995);
        assertThat(rejected).containsExactlyInAnyOrder(1000L, 2000L, 3000L, 4000L, 5000L);
    }

    @Test
    void shouldCountWhatAClientDoes() {
        try (Client counted = PatientClient.connect(server)) {
            for (int i = 0; i < 10; i++) {
                counted.call("Deposit", 3, 1);
            }
            counted.sql("SELECT 1 FROM account WHERE id = 3");

            ClientMetrics metrics = counted.metrics();

            assertThat(metrics.calls()).isEqualTo(11);
            assertThat(metrics.replies()).isEqualTo(11);
            assertThat(metrics.underWay()).isZero();
            assertThat(metrics.connects()).isEqualTo(1);
            assertThat(metrics.bytesSent()).isPositive();
            assertThat(metrics.bytesReceived()).isPositive();
        }
    }

    @Test
    void shouldTellFailuresApart() {
        client.sql("INSERT INTO account VALUES (2, 5)");

        assertThatThrownBy(() -> client.call("Deposit", 2, -1))
                .isInstanceOf(CallAbortedException.class)
                .hasMessageContaining("an amount below nothing: -1");
        assertThatThrownBy(() -> client.sql("INSERT INTO account VALUES (2, 5)"))
                .isInstanceOf(ConstraintViolationException.class);
        assertThatThrownBy(() -> client.call("Deposit", 2))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
        assertThatThrownBy(() -> client.call("Deposit", 2, "three"))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_VALUE));
        assertThatThrownBy(() -> client.call("Withdraw", 2))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
                .hasMessageContaining("there is no procedure Withdraw");
        assertThatThrownBy(() -> client.call("Depsit", 2))
                .hasMessageContaining("there is no procedure Depsit; did you mean Deposit?");
        assertThatThrownBy(() -> client.sql("SELEKT 1"))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
    }
}
