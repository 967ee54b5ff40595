package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ErrorCode;
import io.reprise.client.Rows;
import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Text;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every type there and back over a socket, at its edges. */
final class ServerTypesTest {
    private static final String DDL = """
            CREATE TABLE v (id BIGINT NOT NULL, b BOOLEAN, t TINYINT, s SMALLINT, i INTEGER, l BIGINT, d DOUBLE,
              n DECIMAL(18,4), c VARCHAR(200), x VARBINARY(200), ts TIMESTAMP, dt DATE, PRIMARY KEY (id));
            PARTITION TABLE v ON COLUMN id;
            """;

    /** Takes one of each, and says what it got. */
    public static final class Everything extends Procedure {
        /** All parameter types. */
        public String run(
                boolean flag,
                byte tiny,
                short small,
                int normal,
                long large,
                double number,
                Boolean maybeFlag,
                Long maybeLarge,
                Double maybeNumber,
                String string,
                Text text,
                BigDecimal decimal,
                byte[] bytes,
                int[] ints,
                long[] longs,
                double[] doubles,
                String[] strings) {
            StringBuilder all = new StringBuilder();
            all.append(flag)
                    .append('|')
                    .append(tiny)
                    .append('|')
                    .append(small)
                    .append('|')
                    .append(normal);
            all.append('|').append(large).append('|').append(number).append('|');
            all.append(maybeFlag == null ? "-" : maybeFlag.booleanValue() ? "yes" : "no")
                    .append('|');
            all.append(maybeLarge == null ? "-" : Long.toString(maybeLarge.longValue()))
                    .append('|');
            all.append(maybeNumber == null ? "-" : Double.toString(maybeNumber.doubleValue()))
                    .append('|');
            all.append(string == null ? "-" : string).append('|');
            all.append(text == null ? "-" : text.toString()).append('|');
            all.append(decimal == null ? "-" : decimal.toPlainString()).append('|');
            all.append(bytes == null ? "-" : Integer.toString(bytes.length)).append('|');
            all.append(ints == null ? "-" : Integer.toString(ints.length == 0 ? 0 : ints[ints.length - 1]))
                    .append('|');
            all.append(longs == null ? "-" : Long.toString(longs[0])).append('|');
            all.append(doubles == null ? "-" : Double.toString(doubles[0])).append('|');
            all.append(strings == null ? "-" : strings[strings.length - 1]);
            return all.toString();
        }
    }

    /** Returns nothing. */
    public static final class Nothing extends Procedure {
        /** Does nothing either. */
        public void run() {
            // Nothing more.
        }
    }

    /** Returns a boolean. */
    public static final class IsEven extends Procedure {
        /** Whether it is even. */
        public boolean run(long value) {
            return value % 2 == 0;
        }
    }

    /** Returns a double. */
    public static final class Half extends Procedure {
        /** Half of it. */
        public double run(double value) {
            return value / 2;
        }
    }

    /** Returns a string, or null for an empty one. */
    public static final class Same extends Procedure {
        /** The same. */
        public String run(String value) {
            return value == null || value.isEmpty() ? null : value;
        }
    }

    private static Server server;
    private static Client client;

    @BeforeAll
    static void open() {
        server = Server.open(
                Options.create()
                        .ddl(DDL)
                        .procedures(Everything.class, Nothing.class, IsEven.class, Half.class, Same.class)
                        .memoryPerPartition(64 << 20),
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        client = PatientClient.connect(server);
    }

    @AfterAll
    static void close() {
        client.close();
        server.close();
    }

    @Test
    void shouldPassEveryTypeOfParameter() {
        String all = client.call(
                        "Everything",
                        true,
                        -128,
                        32767,
                        Integer.MIN_VALUE,
                        Long.MAX_VALUE,
                        -0.5,
                        false,
                        Long.MIN_VALUE,
                        1e300,
                        "Zürich",
                        "\uD83D\uDE00",
                        new BigDecimal("-12345678901234.5678"),
                        new byte[] {0, -1},
                        new int[] {1, -2},
                        new long[] {Long.MIN_VALUE},
                        new double[] {0.25},
                        new String[] {"a", ""})
                .stringValue();

        assertThat(all)
                .isEqualTo(
                        "true|-128|32767|-2147483648|9223372036854775807|-0.5|no|-9223372036854775808|1.0E300|Zürich|"
                                + "\uD83D\uDE00|-12345678901234.5678|2|-2|-9223372036854775808|0.25|");
    }

    @Test
    void shouldPassTimesOfDay() {
        LocalTime at = LocalTime.parse("23:59:58.000123");
        client.ddl("CREATE TABLE shift (id BIGINT NOT NULL PRIMARY KEY, at TIME NOT NULL)");
        client.sql("INSERT INTO shift VALUES (?, ?)", 1, at);

        Rows rows = client.sql("SELECT at, id FROM shift WHERE at = ?", at).rows();

        assertThat(rows.next()).isTrue();
        assertThat(rows.timeAt("at")).isEqualTo(at);
        assertThat(rows.valueAt(0)).isEqualTo(at);
    }

    @Test
    void shouldPassDecimalsOf38Digits() {
        client.ddl("CREATE TABLE amount (id BIGINT NOT NULL PRIMARY KEY, n NUMERIC(38,4), w NUMERIC(20) NOT NULL)");
        BigDecimal least = new BigDecimal("-9999999999999999999999999999999999.9999");
        client.sql("INSERT INTO amount VALUES (?, ?, ?)", 1, least, 7);
        client.sql(
                "INSERT INTO amount VALUES (?, ?, ?)",
                2,
                new BigDecimal("0.00005"),
                new BigDecimal("12345678901234567890"));

        Rows rows = client.sql("SELECT n, w FROM amount WHERE w < ? ORDER BY n", new BigDecimal("1e30"))
                .rows();

        assertThat(rows.columnType(0)).isEqualTo("DECIMAL(38,4)");
        assertThat(rows.next()).isTrue();
        assertThat(rows.decimalAt("n")).isEqualTo(least);
        assertThat(rows.valueAt(1)).isEqualTo(new BigDecimal("7"));
        assertThat(rows.longAt(1)).isEqualTo(7);
        assertThat(rows.doubleAt(0)).isEqualTo(-1e34);
        assertThatThrownBy(() -> rows.bytesAt(0)).hasMessageContaining("is DECIMAL(38,4), not a VARBINARY or VARCHAR");
        assertThatThrownBy(() -> rows.longAt(0)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> rows.unscaledAt(0)).isInstanceOf(ArithmeticException.class);
        assertThat(rows.next()).isTrue();
        assertThat(rows.unscaledAt(0)).isEqualTo(1);
        assertThat(rows.decimalAt(1)).isEqualTo(new BigDecimal("12345678901234567890"));
        assertThatThrownBy(() -> client.sql("INSERT INTO amount VALUES (?, ?, ?)", 3, null, new BigDecimal("1e20")))
                .hasMessageContaining("out of range for DECIMAL(20,0)");
        assertThatThrownBy(() -> client.sql("INSERT INTO amount VALUES (?, ?, ?)", 3, null, "7"))
                .hasMessageContaining("can't be set to a string");
    }

    @Test
    void shouldPassArraysAsTexts() {
        client.ddl("CREATE TABLE list (id BIGINT NOT NULL PRIMARY KEY, n INTEGER[] NOT NULL, s TEXT[], f DOUBLE[])");
        client.sql("INSERT INTO list VALUES (?, ?, ?, ?)", 1, "{1, NULL}", "{\"a b\"}", null);
        client.sql(
                "INSERT INTO list VALUES (?, ?, ?, ?)", 2, new int[] {3, 4}, new String[] {"x", "y,z"}, new double[] {
                    0.5
                });

        Rows rows = client.sql("SELECT n, s, f FROM list WHERE n > ? ORDER BY id", new long[] {0, 5})
                .rows();

        assertThat(rows.next()).isTrue();
        assertThat(rows.stringAt("n")).isEqualTo("{1,NULL}");
        assertThat(rows.valueAt(1)).isEqualTo("{\"a b\"}");
        assertThat(rows.next()).isTrue();
        assertThat(rows.stringAt("s")).isEqualTo("{x,\"y,z\"}");
        assertThat(rows.stringAt("f")).isEqualTo("{0.5}");
        assertThatThrownBy(() -> client.sql("INSERT INTO list (id, n) VALUES (?, ?)", 3, new String[] {"x"}))
                .hasMessageContaining("can't be converted");
    }

    @Test
    void shouldPassNullsAndEmptyValues() {
        String all = client.call(
                        "Everything",
                        false,
                        0,
                        0,
                        0,
                        0,
                        0,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        new int[0],
                        null,
                        null,
                        null)
                .stringValue();

        assertThat(all).isEqualTo("false|0|0|0|0|0.0|-|-|-|-|-|-|-|0|-|-|-");
    }

    @Test
    void shouldRefuseWhatAParameterDoesNotTake() {
        assertThatThrownBy(() -> client.call("IsEven", 1.5))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_VALUE));
        assertThatThrownBy(() -> client.call("IsEven", (Object) null)).isInstanceOf(CallException.class);
        assertThatThrownBy(() -> client.call("IsEven", new Object()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("argument 1 is a java.lang.Object");
    }

    @Test
    void shouldReturnEveryTypeOfResult() {
        assertThat(client.call("Nothing").value()).isNull();
        assertThat(client.call("IsEven", 4).booleanValue()).isTrue();
        assertThat(client.call("IsEven", 5).booleanValue()).isFalse();
        assertThat(client.call("Half", 5).doubleValue()).isEqualTo(2.5);
        assertThat(client.call("Half", Double.NaN).doubleValue()).isNaN();
        assertThat(client.call("Same", "Zürich").stringValue()).isEqualTo("Zürich");
        assertThat(client.call("Same", "").stringValue()).isNull();
    }

    @Test
    void shouldKeepEveryTypeOfColumnAtItsEdges() {
        List<Object[]> rows = new ArrayList<>();
        rows.add(new Object[] {
            1L,
            true,
            -128L,
            -32768L,
            (long) Integer.MIN_VALUE,
            Long.MIN_VALUE + 1,
            -Double.MAX_VALUE,
            new BigDecimal("-99999999999999.9999"),
            "",
            new byte[0],
            Instant.parse("1900-01-01T00:00:00Z"),
            LocalDate.of(1582, 10, 15)
        });
        rows.add(new Object[] {
            2L,
            false,
            127L,
            32767L,
            (long) Integer.MAX_VALUE,
            Long.MAX_VALUE,
            Double.MIN_VALUE,
            new BigDecimal("0.0001"),
            "\uD83D\uDE00".repeat(100),
            new byte[200],
            Instant.parse("2038-01-19T03:14:07.123456Z"),
            LocalDate.of(9999, 12, 31)
        });
        rows.add(new Object[] {3L, null, null, null, null, null, null, null, null, null, null, null});
        for (Object[] row : rows) {
            String marks = String.join(", ", Collections.nCopies(row.length, "?"));
            assertThat(client.sql("INSERT INTO v VALUES (" + marks + ")", row).longValue())
                    .isEqualTo(1);
        }

        Rows read = client.sql("SELECT * FROM v ORDER BY id").rows();

        assertThat(read.columns()).isEqualTo(12);
        assertThat(read.columnName(7)).isEqualTo("N");
        assertThat(read.columnType(7)).isEqualTo("DECIMAL(18,4)");
        for (Object[] row : rows) {
            assertThat(read.next()).isTrue();
            for (int i = 0; i < row.length; i++) {
                assertThat(read.valueAt(i))
                        .as("column %s of row %s", read.columnName(i), row[0])
                        .isEqualTo(row[i]);
            }
        }
        assertThat(read.next()).isFalse();
    }
}
