package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The document of limits has the numbers of the code, and names keys of the configuration that there are. */
final class LimitsDocumentTest {
    private static final Path DOCUMENT = Path.of("../../docs/reference/limits.md");
    private static final Path KEYS = Path.of("../../cluster-config/samples/node.yaml");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| ([0-9,]+|`[a-zA-Z.]+`) \\|$");
    private static final int ROWS = 31;

    /** The constant of each limit, by the last words of its class's name. */
    private static final Map<String, String> CONSTANTS = Map.ofEntries(
            Map.entry("columns of a table", "catalog.Limits.COLUMNS"),
            Map.entry("indexes of a table", "catalog.Limits.INDEXES"),
            Map.entry("columns of an index", "catalog.Limits.KEY_COLUMNS"),
            Map.entry("rows of a table in a partition", "storage.row.RowSpace.MOST_ROWS"),
            Map.entry("characters of a name", "catalog.Limits.NAME_LENGTH"),
            Map.entry("digits of a DECIMAL", "catalog.SqlType.MAX_DECIMAL_PRECISION"),
            Map.entry("characters of a VARCHAR(n)", "catalog.Limits.VARCHAR_CHARACTERS"),
            Map.entry("bytes of a string, a binary value or an array", "catalog.SqlType.MAX_STRING_BYTES"),
            Map.entry("nested arrays and objects of a JSON value", "sql.compile.runtime.JsonText.MOST_DEPTH"),
            Map.entry("values that a sequence reserves (CACHE)", "sql.parse.SequenceParser.MOST_CACHED"),
            Map.entry("characters of a statement", "sql.bind.StatementSize.MOST_CHARACTERS"),
            Map.entry("levels of its syntax tree", "sql.bind.StatementSize.MOST_DEPTH"),
            Map.entry("bytes of a string literal", "catalog.SqlType.MAX_STRING_BYTES"),
            Map.entry(
                    "characters of a regular expression",
                    "sql.compile.runtime.RegularExpressionParser.MOST_CHARACTERS"),
            Map.entry(
                    "repetitions in a regular expression, as in `{255}`",
                    "sql.compile.runtime.RegularExpressionParser.MOST_REPETITIONS"),
            Map.entry("rows of partitioned tables that CREATE TABLE AS inserts", "engine.TableFromQuery.MOST_ROWS"),
            Map.entry("number of a routing parameter of a procedure", "sql.parse.ProcedureParser.MAX_PARAMETER"),
            Map.entry("statements of a transaction", "session.Transaction.MOST_STEPS"),
            Map.entry("bytes of these statements", "session.Transaction.MOST_BYTES"),
            Map.entry("rows of COPY in a transaction", "session.Transaction.MOST_COPIED_ROWS"),
            Map.entry("bytes of these rows", "session.Transaction.MOST_COPIED_BYTES"),
            Map.entry("cursors", "session.Cursors.MOST"),
            Map.entry("partitions", "id.PartitionId.MOST"),
            Map.entry("buckets", "configuration.NodeConfiguration.MOST_BUCKETS"),
            Map.entry("nodes of a cluster", "engine.ClusterOptions.MOST_NODES"));

    /** The limits of the document, in its order. */
    private static Map<String, String> limits() throws IOException {
        Map<String, String> limits = new LinkedHashMap<>();
        for (Matcher row = ROW.matcher(Files.readString(DOCUMENT)); row.find(); ) {
            limits.put(row.group(1), row.group(2));
        }
        return limits;
    }

    @Test
    void shouldHaveTheNumbersOfTheCode() throws Exception {
        Map<String, String> limits = limits();

        assertThat(limits)
                .hasSizeGreaterThanOrEqualTo(ROWS)
                .containsKeys(CONSTANTS.keySet().toArray(String[]::new));
        for (Map.Entry<String, String> limit : limits.entrySet()) {
            if (!limit.getValue().startsWith("`")) {
                assertThat(CONSTANTS).containsKey(limit.getKey());
                assertThat(limit.getValue())
                        .as(limit.getKey())
                        .isEqualTo(String.format(Locale.ROOT, "%,d", constant(CONSTANTS.get(limit.getKey()))));
            }
        }
    }

    @Test
    void shouldNameKeysOfTheConfiguration() throws IOException {
        String keys = Files.readString(KEYS);

        List<String> named = limits().values().stream()
                .filter(limit -> limit.startsWith("`"))
                .toList();
        assertThat(named).hasSizeGreaterThan(4).allSatisfy(name -> {
            String[] parts = name.replace("`", "").split("\\.");
            int section = keys.indexOf("\n" + parts[0] + ":\n");
            assertThat(section).as(name).isNotNegative();
            String rest = keys.substring(section + 1).split("\n(?=[a-z])")[0];
            assertThat(rest).containsPattern("(?m)^  (# )?" + parts[1] + ":");
        });
    }

    private static long constant(String name) throws ReflectiveOperationException {
        int end = name.lastIndexOf('.');
        Field field = Class.forName("io.reprise." + name.substring(0, end)).getDeclaredField(name.substring(end + 1));
        field.setAccessible(true);
        return ((Number) field.get(null)).longValue();
    }
}
