package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.sql.parse.CatalogScript;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of an index that each partition reads downwards, behind a lookup of one row that all of them have. */
final class OrderOfJoinsAcrossPartitionsTest {
    private static final String FROM = " FROM c JOIN o ON o.cid = c.id WHERE c.id = ?";

    private final PartitionedDatabase database = new PartitionedDatabase(CatalogScript.load("""
            CREATE TABLE c (id BIGINT NOT NULL PRIMARY KEY);
            CREATE TABLE o (id BIGINT NOT NULL, cid BIGINT NOT NULL, due INTEGER, PRIMARY KEY (id));
            PARTITION TABLE o ON COLUMN id;
            CREATE INDEX o_due ON o (cid, due);
            """), 3);

    @BeforeEach
    void fill() {
        run("INSERT INTO c VALUES (?)", 1L);
        run("INSERT INTO c VALUES (?)", 2L);
        for (long id = 1; id <= 12; id++) {
            database.run(
                    database.plan("INSERT INTO o VALUES (?, ?, ?)"),
                    Arrays.asList(id, 1L, id % 4 == 0 ? null : (Object) (id * 10)));
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private List<List<Object>> run(String sql, Object... parameters) {
        return database.run(database.plan(sql), List.of(parameters)).rows();
    }

    @Test
    void shouldGiveTheLastOfTheOrderWhenPartitionsReadAnIndexDownwards() {
        StatementPlan plan = database.plan("SELECT o.due" + FROM + " ORDER BY o.due DESC LIMIT 2");

        assertThat(plan.explanation()).contains("scope: ALL", "descending");
        assertThat(database.run(plan, List.of(1L)).rows()).isEqualTo(List.of(List.of(110L), List.of(100L)));
        assertThat(run("SELECT o.due" + FROM + " ORDER BY o.due DESC", 1L))
                .hasSize(12)
                .startsWith(List.of(110L), List.of(100L), List.of(90L));
    }

    @Test
    void shouldFindTheGreatestWhenPartitionsReadAnIndexDownwards() {
        assertThat(run("SELECT MAX(o.due)" + FROM, 1L)).isEqualTo(List.of(List.of(110L)));
        assertThat(run("SELECT MIN(o.due)" + FROM, 1L)).isEqualTo(List.of(List.of(10L)));
        assertThat(run("SELECT MAX(o.due)" + FROM, 2L)).isEqualTo(List.of(Arrays.asList((Object) null)));
    }
}
