package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.reprise.client.Client;
import io.reprise.engine.CallException;
import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Rows;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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
        io.reprise.client.Rows remote = client.sql(QUERY).rows();

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
        assertThat(own.longAt("price"))
                .as("the whole part")
                .isEqualTo(remote.longAt("price"))
                .isEqualTo(2);
        assertThat(own.unscaledAt(3)).isEqualTo(remote.unscaledAt(3)).isEqualTo(250);
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
        io.reprise.client.Rows remote = client.sql(query).rows();

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
        io.reprise.client.Rows remote = client.sql(QUERY).rows();
        remote.next();
        assertThat(remote).hasToString(text);
        assertThat(remote.longAt(0)).as("the cursor stays").isZero();
        assertThat(server.engine().sql(QUERY)).hasToString(text);
        assertThat(client.sql(QUERY)).hasToString(text);
        assertThat(server.engine().sql("DELETE FROM t")).hasToString("25");
        assertThat(client.sql("DELETE FROM t")).hasToString("0");
    }

    @Test
    void shouldFailAlike() {
        insert(1, TIME, DATE, null, "Ann", null, null, null);
        Map<String, ErrorCode> failing = Map.of(
                "SELECT nothing FROM t", ErrorCode.INVALID_REQUEST,
                "INSERT INTO t (id) VALUES (1)", ErrorCode.CONSTRAINT_VIOLATION,
                "SELECT 1 / (id - 1) FROM t", ErrorCode.DIVISION_BY_ZERO,
                "SELECT CAST(name AS BIGINT) FROM t", ErrorCode.INVALID_VALUE);

        failing.forEach((sql, code) -> {
            CallException own = catchThrowableOfType(
                    CallException.class, () -> server.engine().sql(sql));
            io.reprise.client.CallException remote =
                    catchThrowableOfType(io.reprise.client.CallException.class, () -> client.sql(sql));

            assertThat(own.code()).as(sql).isEqualTo(code);
            assertThat(remote.code().name()).as(sql).isEqualTo(code.name());
            assertThat(remote).hasMessage(own.getMessage());
            assertThat(own.retryIsSafe()).isEqualTo(remote.retryIsSafe()).isFalse();
        });
    }

    @Test
    void shouldFailAlikeWhenTheSchemaCannotChange() {
        String script = "DROP TABLE nothing";

        CallException own =
                catchThrowableOfType(CallException.class, () -> server.engine().ddl(script));
        io.reprise.client.CallException remote =
                catchThrowableOfType(io.reprise.client.CallException.class, () -> client.ddl(script));

        assertThat(remote.code().name()).isEqualTo(own.code().name());
        assertThat(remote).hasMessage(own.getMessage());
    }

    @Test
    void shouldRefuseAlikeToReadAResultAsAnotherKind() {
        assertThatThrownBy(() -> server.engine().sql("SELECT id FROM t").longValue())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the call returned rows, not an integer");
        assertThatThrownBy(() -> client.sql("SELECT id FROM t").longValue())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the call returned rows, not an integer");
        assertThatThrownBy(() -> server.engine().sql("DELETE FROM t").rows())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the call returned an integer, not rows");
        assertThatThrownBy(() -> client.sql("DELETE FROM t").rows())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the call returned an integer, not rows");
    }

    @ParameterizedTest
    @MethodSource("alike")
    void shouldHaveTheSameMethods(Class<?> own, Class<?> remote, Set<String> onlyOwn) {
        assertThat(methods(remote)).isSubsetOf(methods(own));
        assertThat(methods(own)).filteredOn(name -> !onlyOwn.contains(name)).isSubsetOf(methods(remote));
    }

    /** Both classes, and methods that need the engine in this process. */
    static List<Arguments> alike() {
        return List.of(
                Arguments.of(Rows.class, io.reprise.client.Rows.class, Set.of("textAt")),
                Arguments.of(
                        io.reprise.engine.Reply.class,
                        io.reprise.client.Reply.class,
                        Set.of(
                                "committed",
                                "isOvertaken",
                                "error",
                                "message",
                                "subject",
                                "orThrow",
                                "transactionId",
                                "writeHash",
                                "partition",
                                "result",
                                "kind")),
                Arguments.of(CallException.class, io.reprise.client.CallException.class, Set.of("subject")));
    }

    private static Set<String> methods(Class<?> of) {
        return Arrays.stream(of.getMethods())
                .map(Method::getName)
                .filter(name -> !name.equals("toString"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
