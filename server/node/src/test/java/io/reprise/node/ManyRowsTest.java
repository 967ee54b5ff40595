package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.ErrorCode;
import io.reprise.client.RejectedRow;
import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Statements of the native client for many rows. */
final class ManyRowsTest {
    private static final String INSERT = "INSERT INTO item VALUES (?, ?)";

    private static Server server;
    private static Client client;

    @BeforeAll
    static void open() {
        server = Server.open(
                Options.create()
                        .partitions(3)
                        .ddl("CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(10) NOT NULL);"
                                + " PARTITION TABLE item ON COLUMN id;"),
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        client = Client.connect(ClientSettings.to(server.address()));
    }

    @AfterAll
    static void close() {
        client.close();
        server.close();
    }

    private static List<Object[]> rows(int from, int to) {
        List<Object[]> rows = new ArrayList<>();
        for (long id = from; id < to; id++) {
            rows.add(new Object[] {id, "item " + id});
        }
        return rows;
    }

    private static long counted(String where) {
        var rows = client.sql("SELECT COUNT(*) FROM item WHERE " + where).rows();
        rows.next();
        return rows.longAt(0);
    }

    @Test
    void shouldCommitAllRowsButThoseThatAreRejected() {
        assertThat(client.sqlForRowsAsync(INSERT, rows(100, 200)).join()).isEmpty();
        List<Object[]> rows = rows(150, 400);
        rows.get(60)[1] = null;
        rows.get(70)[1] = "longer than ten characters";
        rows.get(80)[0] = "no number";

        List<RejectedRow> rejected = client.sqlForRowsAsync(INSERT, rows).join();

        assertThat(rejected.stream().map(RejectedRow::row).toList())
                .isSorted()
                .hasSize(53)
                .contains(0, 49, 60, 70, 80);
        assertThat(rejected.getFirst().code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
        assertThat(rejected.get(51).code()).isEqualTo(ErrorCode.VALUE_TOO_LONG);
        assertThat(rejected.get(52).code()).isEqualTo(ErrorCode.INVALID_VALUE);
        assertThat(counted("id >= 100 AND id < 400")).isEqualTo(297);
    }

    @Test
    void shouldRejectStatementsThatDoNotWriteOneRow() {
        for (String sql :
                List.of("SELECT name FROM item WHERE id = ?", "DROP TABLE item", "INSERT INTO item VALUES (?, ?)")) {
            assertThatThrownBy(() -> client.sqlForRowsAsync(sql, List.<Object[]>of(new Object[] {1L}))
                            .join())
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            CallException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
        }
    }

    @Test
    void shouldRejectTooManyRowsInOneRequest() {
        assertThatThrownBy(() -> client.sqlForRowsAsync(INSERT, rows(1_000_000, 1_010_001))
                        .join())
                .hasMessageContaining("10000 rows");
        assertThat(counted("id >= 1000000")).isZero();
    }

    @Test
    void shouldDoNothingForNoRows() {
        assertThat(client.sqlForRowsAsync(INSERT, List.of()).join()).isEmpty();
    }
}
