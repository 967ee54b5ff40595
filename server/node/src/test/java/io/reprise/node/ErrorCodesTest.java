package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.ErrorCode;
import io.reprise.session.SqlStates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The document of error codes has all of them. */
final class ErrorCodesTest {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "reference", "error-codes.md");

    /** The cells of each row, by its code without "(client)". */
    private static Map<String, List<String>> rows() throws IOException {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (line.matches("\\| [A-Z_]+( \\(client\\))? \\|.*")) {
                List<String> cells = Arrays.stream(line.split("\\|"))
                        .skip(1)
                        .map(String::strip)
                        .toList();
                rows.put(cells.getFirst().split(" ")[0], cells);
            }
        }
        return rows;
    }

    @Test
    void shouldListAllCodesOfClients() throws IOException {
        assertThat(rows().keySet())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(io.reprise.client.ErrorCode.values())
                        .map(Enum::name)
                        .toList());
    }

    @Test
    void shouldTellTheStateThatClientsOfPostgresGet() throws IOException {
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(rows().get(code.name()).get(5)).as(code.name()).contains(SqlStates.of(code, ""));
        }
    }

    @Test
    void shouldSayWhichCallsMayBeMadeAgain() throws IOException {
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(rows().get(code.name()).get(3)).as(code.name()).isEqualTo(code.retryable() ? "yes" : "no");
            assertThat(io.reprise.client.ErrorCode.values())
                    .extracting(Enum::name)
                    .contains(code.name());
        }
    }
}
