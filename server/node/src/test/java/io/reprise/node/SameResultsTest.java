package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.client.Client;
import io.reprise.client.ResultRows;
import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.Rows;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An embedded engine and a client take the same arguments and give the same results under the same names. */
final class SameResultsTest {
    private static final Instant TIME = Instant.parse("2026-03-01T12:00:00.000001Z");
    private static final LocalDate DATE = LocalDate.of(2026, 3, 1);
    private static final String QUERY =
            "SELECT id, at_time AS \"at\", day_of, price, name, data, good, ratio FROM t ORDER BY id";

    private Server server;
    private Client client;

    @BeforeEach
    void open() {
        server = Server.open(
                Options.create()
                        .ddl(
                                "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, at_time TIMESTAMP, day_of DATE,"
                                        + " price DECIMAL(12,2), name VARCHAR(2000), data VARBINARY(10), good BOOLEAN, ratio DOUBLE)")
                        .memoryPerPartition(64 << 20),
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        client = PatientClient.connect(server);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private void insert(Object... values) {
        server.engine().sql("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values);
    }

    @Test
    void shouldReadColumnsByName() {
        insert(1, TIME, DATE, new BigDecimal("2.50"), "Ann", new byte[] {1, 2}, true, 0.5);

        Rows own = server.engine().sql(QUERY).rows();
        ResultRows remote = client.sql(QUERY).rows();

        assertThat(own.next()).isTrue();
        assertThat(remote.next()).isTrue();
        assertThat(own.longAt("id")).isEqualTo(remote.longAt("ID")).isEqualTo(1);
        assertThat(own.intAt("id")).isEqualTo(remote.intAt("id")).isEqualTo(1);
        assertThat(own.instantAt("AT")).isEqualTo(remote.instantAt("at")).isEqualTo(TIME);
        assertThat(own.dateAt("day_of")).isEqualTo(remote.dateAt("day_of")).isEqualTo(DATE);
        assertThat(own.decimalAt("price")).isEqualTo(remote.decimalAt("price")).isEqualTo(new BigDecimal("2.50"));
        assertThat(own.stringAt("name")).isEqualTo(remote.stringAt("name")).isEqualTo("Ann");
        assertThat(own.bytesAt("data")).isEqualTo(remote.bytesAt("data")).isEqualTo(new byte[] {1, 2});
        assertThat(own.booleanAt("good")).isEqualTo(remote.booleanAt("good")).isTrue();
        assertThat(own.doubleAt("ratio")).isEqualTo(remote.doubleAt("ratio")).isEqualTo(0.5);
        for (int column = 0; column < own.columns(); column++) {
            String name = own.columnName(column);
            assertThat(own.valueAt(name))
                    .as(name)
                    .isEqualTo(remote.valueAt(name))
                    .isNotNull();
            assertThat(own.columnType(column)).as(name).isEqualTo(remote.columnType(column));
            assertThat(own.isNull(name)).isEqualTo(remote.isNull(name)).isFalse();
        }
    }

    @Test
    void shouldSayWhichColumnsThereAreWhenAColumnIsMissing() {
        String query = "SELECT id, id AS \"ID\", name FROM t";
        Rows own = server.engine().sql(query).rows();
        ResultRows remote = client.sql(query).rows();

        assertThatThrownBy(() -> own.column("nme")).hasMessage("no column is called nme; there are ID, ID, NAME");
        assertThatThrownBy(() -> remote.column("nme")).hasMessage("no column is called nme; there are ID, ID, NAME");
        assertThatThrownBy(() -> own.column("id")).hasMessageStartingWith("several columns are called id");
        assertThatThrownBy(() -> remote.column("id")).hasMessageStartingWith("several columns are called id");
    }

    @Test
    void shouldShowValuesOfBoundedLengthInTheTextOfAResult() {
        for (int i = 0; i < 25; i++) {
            insert(i, i == 0 ? TIME : null, null, null, "x".repeat(i == 1 ? 1000 : 1), new byte[] {7}, null, null);
        }

        Rows own = server.engine().sql(QUERY).rows();
        own.next();
        String text = own.toString();

        assertThat(text)
                .startsWith("""
                        ID, at, DAY_OF, PRICE, NAME, DATA, GOOD, RATIO
                        0, 2026-03-01T12:00:00.000001Z, null, null, x, a binary value of 1 bytes, null, null
                        """)
                .contains("x".repeat(100) + "...")
                .endsWith("\n... (25 rows)")
                .hasLineCount(22);
        assertThat(own.longAt(0)).as("the cursor stays").isZero();
        ResultRows remote = client.sql(QUERY).rows();
        remote.next();
        assertThat(remote).hasToString(text);
        assertThat(remote.longAt(0)).as("the cursor stays").isZero();
        assertThat(server.engine().sql(QUERY)).hasToString(text);
        assertThat(client.sql(QUERY)).hasToString(text);
        assertThat(server.engine().sql("DELETE FROM t")).hasToString("25");
        assertThat(client.sql("DELETE FROM t")).hasToString("0");
    }
}
