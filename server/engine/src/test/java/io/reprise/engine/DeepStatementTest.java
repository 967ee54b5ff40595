package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements as deep as they may be, and those that are planned for too long. */
final class DeepStatementTest {
    private static final String SCHEMA =
            "CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, n INTEGER, s VARCHAR(100)); PARTITION TABLE t ON COLUMN id;";

    /** Deep in each of the ways in which the planner recurses. */
    private static Map<String, String> deepStatements() {
        Map<String, String> statements = new LinkedHashMap<>();
        statements.put("parentheses", insert("(".repeat(1500) + "1" + ")".repeat(1500)));
        statements.put("sum", insert("1" + " + 0".repeat(1900)));
        statements.put("function", insert("ABS(".repeat(1500) + "1" + ")".repeat(1500)));
        statements.put("sign", insert("- ".repeat(1800) + "1"));
        statements.put("or", "DELETE FROM t WHERE n = -1" + " OR s = 'x'".repeat(1000));
        statements.put("not", "DELETE FROM t WHERE " + "NOT ".repeat(1801) + "n = 1");
        return statements;
    }

    private static String insert(String expression) {
        return "UPSERT INTO t VALUES (1, " + expression + ", 'a')";
    }

    @Test
    void shouldReplayDeepStatementsInAProcessThatHasCompiledNothing(@TempDir Path directory) throws Exception {
        try (Reprise engine = durable(directory).ddl(SCHEMA).open()) {
            for (Map.Entry<String, String> statement : deepStatements().entrySet()) {
                assertThat(engine.sql(statement.getValue()).longValue())
                        .as(statement.getKey())
                        .isNotNegative();
            }
        }

        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xint", "-Xss512k"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), Opening.class.getName(), directory.toString()));
        File output = directory.resolve("output").toFile();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(output).content().contains("rows: 1");
    }

    private static Options durable(Path directory) {
        return Options.create().directory(directory.resolve("data")).partitions(2);
    }

    /** The other process. */
    static final class Opening {
        private Opening() {}

        public static void main(String[] arguments) {
            try (Reprise engine = durable(Path.of(arguments[0])).open()) {
                Rows rows = engine.sql("SELECT COUNT(*) FROM t").rows();
                rows.next();
                System.out.println("rows: " + rows.longAt(0));
            }
        }
    }

    @Test
    void shouldRefuseWhatIsTooDeepOrTooLong() {
        try (Reprise engine = Options.create().ddl(SCHEMA).open()) {
            assertThatThrownBy(() -> engine.sql(insert("1" + " + 0".repeat(2100))))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageStartingWith("the statement is nested too deeply to be planned: split it");
            assertThatThrownBy(() -> engine.sql("SELECT 1 -- " + "x".repeat(8 << 20)))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageStartingWith("the statement has 8388620 characters, and at most 8388608 are planned");
        }
    }

    @Test
    void shouldEndPlanningAtItsLimit() {
        String large = "SELECT " + "n + 1, ".repeat(1000) + "n FROM t";
        try (Reprise engine =
                Options.create().ddl(SCHEMA).planningLimit(Duration.ofNanos(1)).open()) {
            for (Runnable planning : List.<Runnable>of(() -> engine.sql(large), () -> engine.explain(large))) {
                assertThatThrownBy(planning::run)
                        .isInstanceOfSatisfying(
                                ProcedureException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.TIME_LIMIT))
                        .hasMessageStartingWith("planning the statement took longer than the limit of 0 ms");
            }
        }
    }

    @Test
    void shouldEndPlanningThatNobodyWaitsFor() {
        String large = "SELECT " + "n + 1, ".repeat(1000) + "n FROM t";
        try (Reprise engine = Options.create().ddl(SCHEMA).open()) {
            assertThatThrownBy(() -> engine.plan(large, () -> false))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessage("the connection has ended; the statement was not planned");
            assertThat(engine.isPlanned(large)).isFalse();
        }
    }
}
