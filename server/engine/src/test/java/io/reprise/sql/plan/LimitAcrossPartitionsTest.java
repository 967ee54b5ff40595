package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.ErrorCode;
import io.reprise.sql.parse.CatalogScript;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LimitAcrossPartitionsTest {
    private static final List<String> QUERIES = List.of(
            "SELECT id FROM p ORDER BY id LIMIT ? OFFSET ?", "SELECT id FROM p ORDER BY n, id LIMIT ? OFFSET ?");

    private final PartitionedDatabase database = new PartitionedDatabase(CatalogScript.load("""
            CREATE TABLE p (id BIGINT NOT NULL, n INTEGER, PRIMARY KEY (id) USING ORDERED);
            PARTITION TABLE p ON COLUMN id;
            """), 3);

    @BeforeEach
    void fill() {
        for (long id = 1; id <= 4; id++) {
            database.run(database.plan("INSERT INTO p VALUES (?, ?)"), List.of(id, id / 2));
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private PartitionedDatabase.Outcome run(String query, long limit, long offset) {
        return database.run(database.plan(query), List.of(limit, offset));
    }

    @Test
    void shouldGiveAllRowsBehindAnOffsetWhenTheLimitIsTheLargestNumber() {
        for (String query : QUERIES) {
            assertThat(run(query, Long.MAX_VALUE, 1).rows())
                    .as(query)
                    .isEqualTo(List.of(List.of(2L), List.of(3L), List.of(4L)));
            assertThat(run(query, Long.MAX_VALUE, Long.MAX_VALUE).rows()).isEmpty();
            assertThat(run(query, 2, 1).rows()).isEqualTo(List.of(List.of(2L), List.of(3L)));
        }
    }

    @Test
    void shouldRefuseWhatIsNegative() {
        for (String query : QUERIES) {
            assertThat(run(query, Long.MIN_VALUE, 1).error()).isEqualTo(ErrorCode.INVALID_VALUE);
            assertThat(run(query, 1, Long.MIN_VALUE).error()).isEqualTo(ErrorCode.INVALID_VALUE);
            assertThat(run(query, 5, -1).error()).isEqualTo(ErrorCode.INVALID_VALUE);
        }
    }
}
