package io.reprise.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The data of COPY, whole and cut at any place. */
final class CopyRowsTest {
    private static final List<String> COLUMNS = List.of("a", "b");

    private static CopyFormat format(String options) {
        ClientStatement statement =
                ClientStatement.split("COPY t (a, b) FROM STDIN " + options).getFirst();
        return CopyStatement.parse(statement).format();
    }

    private static String shown(byte[][] fields, long line) {
        StringBuilder row = new StringBuilder().append(line).append(':');
        for (byte[] field : fields) {
            row.append(field == null ? "null" : "[" + new String(field, StandardCharsets.UTF_8) + "]");
        }
        return row.toString();
    }

    private static List<String> rows(String options, String data, int pieceBytes) {
        List<String> rows = new ArrayList<>();
        CopyLines lines = new CopyLines(format(options), COLUMNS, (fields, line) -> rows.add(shown(fields, line)));
        feed(lines, data.getBytes(StandardCharsets.UTF_8), pieceBytes);
        return rows;
    }

    private static void feed(CopyRows rows, byte[] data, int pieceBytes) {
        for (int from = 0; from < data.length; from += pieceBytes) {
            rows.take(Arrays.copyOfRange(data, from, Math.min(data.length, from + pieceBytes)));
        }
        rows.finish();
    }

    private static void assertRows(String options, String data, String... expected) {
        for (int pieceBytes : new int[] {1, 2, 3, 7, 1000}) {
            assertThat(rows(options, data, pieceBytes))
                    .as("in pieces of %d", pieceBytes)
                    .containsExactly(expected);
        }
    }

    private static void assertRejected(String options, String data, String message) {
        assertThatThrownBy(() -> rows(options, data, 3))
                .isInstanceOf(SessionException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldSplitText() {
        assertRows("", "1\tx\n2\t\\N\n3\t", "1:[1][x]", "2:[2]null", "3:[3][]");
        assertRows("", "1\ta\\tb\\nc\\\\d\n\\x41\\101\tß\r\n", "1:[1][a\tb\nc\\d]", "2:[AA][ß]");
        assertRows("", "1\ta\\\nb\n2\tc\n", "1:[1][a\nb]", "3:[2][c]");
        assertRows("", "1\tx\n\\.\n2\ty\n", "1:[1][x]");
        assertRows("(DELIMITER '|', NULL '-', HEADER)", "p|q\n1|-\n-|2\n", "2:[1]null", "3:null[2]");
        assertRejected("", "1\n", "missing data for column \"b\"");
        assertRejected("", "1\t2\t3\n", "extra data after last expected column");
    }

    @Test
    void shouldSplitCsv() {
        assertRows("CSV", "1,x\n2,\n3,\"\"\n", "1:[1][x]", "2:[2]null", "3:[3][]");
        assertRows("CSV", "1,\"a,\"\"b\"\"\nc\"\r\n2,y", "1:[1][a,\"b\"\nc]", "3:[2][y]");
        assertRows("CSV ESCAPE '\\'", "1,\"a\\\"b\\\\c\"\n", "1:[1][a\"b\\c]");
        assertRows("(FORMAT csv, HEADER match, FORCE_NULL (b), FORCE_NOT_NULL (a))", "a,b\n,\"\"\n", "2:[]null");
        assertRows("CSV DELIMITER ';' QUOTE ''''", "'1;';'x'\n", "1:[1;][x]");
        assertRejected("CSV", "1,\"x\n", "unterminated CSV quoted field");
        assertRejected("(FORMAT csv, HEADER match)", "b,a\n", "column name mismatch");
    }

    @Test
    void shouldSplitTuples() {
        byte[] data = ("PGCOPY\n\u00ff\r\n\0" + "\0\0\0\0" + "\0\0\0\0" + "\0\2" + "\0\0\0\1x"
                        + "\u00ff\u00ff\u00ff\u00ff" + "\0\2" + "\0\0\0\0" + "\0\0\0\3abc" + "\u00ff\u00ff")
                .getBytes(StandardCharsets.ISO_8859_1);
        for (int pieceBytes : new int[] {1, 4, 1000}) {
            List<String> rows = new ArrayList<>();
            feed(new CopyTuples(2, (fields, line) -> rows.add(shown(fields, line))), data, pieceBytes);
            assertThat(rows).containsExactly("1:[x]null", "2:[][abc]");
        }
        assertThatThrownBy(() -> feed(new CopyTuples(3, (fields, line) -> {}), data, 1000))
                .hasMessageContaining("row field count is 2, expected 3");
        assertThatThrownBy(() -> feed(new CopyTuples(2, (fields, line) -> {}), new byte[40], 1000))
                .hasMessageContaining("signature");
        assertThatThrownBy(
                        () -> feed(new CopyTuples(2, (fields, line) -> {}), Arrays.copyOf(data, data.length - 6), 1000))
                .hasMessageContaining("unexpected EOF");
    }

    @Test
    void shouldKeepLongRows() {
        String value = "v".repeat(100_000);
        assertThat(rows("", "1\t" + value + "\n2\tx\n", 4096)).containsExactly("1:[1][" + value + "]", "2:[2][x]");
    }

    @Test
    void shouldRejectMalformedStatements() {
        for (String sql : new String[] {
            "COPY",
            "COPY t",
            "COPY t FROM",
            "COPY t FROM 'file'",
            "COPY (SELECT 1) FROM STDIN",
            "COPY t FROM STDIN (FORMAT x)",
            "COPY t FROM STDIN WITH (DELIMITER 'ab')",
            "COPY t TO STDOUT CSV QUOTE ','",
            "COPY t TO STDOUT x"
        }) {
            assertThatThrownBy(
                            () -> CopyStatement.parse(ClientStatement.split(sql).getFirst()))
                    .as(sql)
                    .isInstanceOf(SessionException.class);
        }
    }
}
