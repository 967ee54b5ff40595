package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that join rows of different partitions, against the same ones over replicated copies of the tables. */
final class AdHocJoinsTest {
    private static final String SCHEMA = """
            CREATE TABLE customer (id INTEGER NOT NULL PRIMARY KEY, city VARCHAR(20), age INTEGER);
            PARTITION TABLE customer ON COLUMN id;
            CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer INTEGER, item INTEGER, price DECIMAL(8, 2));
            PARTITION TABLE orders ON COLUMN id;
            CREATE INDEX orders_customer ON orders (customer);
            CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20));
            CREATE TABLE all_customer (id INTEGER NOT NULL PRIMARY KEY, city VARCHAR(20), age INTEGER);
            CREATE TABLE all_orders (id INTEGER NOT NULL PRIMARY KEY, customer INTEGER, item INTEGER, price DECIMAL(8, 2));
            """;

    private static final List<String> QUERIES = List.of(
            "SELECT o.id, c.city FROM orders o JOIN customer c ON c.id = o.customer",
            "SELECT c.id, o.id, o.price FROM customer c LEFT JOIN orders o ON o.customer = c.id AND o.price > 20",
            "SELECT c.id FROM customer c WHERE EXISTS (SELECT * FROM orders o WHERE o.customer = c.id AND o.item = 2)",
            "SELECT c.id FROM customer c WHERE c.id NOT IN (SELECT o.customer FROM orders o WHERE o.customer IS NOT NULL)",
            "SELECT c.id, (SELECT SUM(o.price) FROM orders o WHERE o.customer = c.id) FROM customer c",
            "SELECT c.city, COUNT(*), SUM(o.price), AVG(c.age) FROM customer c, orders o WHERE o.customer = c.id GROUP BY c.city",
            "SELECT a.id, b.id FROM customer a JOIN customer b ON a.city = b.city AND a.id < b.id",
            "SELECT a.id, b.id FROM orders a JOIN orders b ON a.price BETWEEN b.price - 1 AND b.price WHERE b.customer = 3",
            "SELECT o.id, i.name, c.city FROM orders o JOIN item i ON i.id = o.item JOIN customer c ON c.id = o.customer"
                    + " WHERE c.age > 30",
            "SELECT c.city FROM customer c UNION SELECT i.name FROM item i JOIN orders o ON o.item = i.id"
                    + " JOIN customer d ON d.id = o.customer AND d.age < 40");

    private static final List<String> ORDERED = List.of(
            "SELECT o.id, c.id FROM customer c JOIN orders o ON o.customer = c.id ORDER BY o.id",
            "SELECT o.customer, o.id, c.city FROM orders o JOIN customer c ON c.id = o.customer ORDER BY o.customer, o.id"
                    + " LIMIT 7 OFFSET 3",
            "SELECT c.age, o.price, o.id FROM customer c JOIN orders o ON o.customer = c.id ORDER BY c.age DESC, o.id"
                    + " LIMIT 5");

    private static Reprise engine(int partitions) {
        Reprise engine = Options.create().partitions(partitions).ddl(SCHEMA).open();
        for (String copy : List.of("", "all_")) {
            for (int i = 0; i < 60; i++) {
                String city = i % 7 == 0 ? null : "city " + i % 5;
                engine.sql("INSERT INTO " + copy + "customer VALUES (?, ?, ?)", i, city, 20 + i % 31);
            }
            for (int i = 0; i < 150; i++) {
                Integer customer = i % 11 == 0 ? null : i % 50;
                engine.sql("INSERT INTO " + copy + "orders VALUES (?, ?, ?, ?)", i, customer, i % 4, i * 7 % 90);
            }
        }
        for (int i = 0; i < 4; i++) {
            engine.sql("INSERT INTO item VALUES (?, ?)", i, "item " + i);
        }
        return engine;
    }

    private static List<List<String>> rows(Reprise engine, String sql, Object... arguments) {
        Rows rows = engine.sql(sql, arguments).rows();
        List<List<String>> all = new ArrayList<>();
        while (rows.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 0; i < rows.columns(); i++) {
                row.add(Dump.value(rows, i));
            }
            all.add(Collections.unmodifiableList(row));
        }
        return all;
    }

    private static String overCopies(String sql) {
        return sql.replaceAll("(?<=FROM |JOIN |, )(customer|orders)(?= [a-d o])", "all_$1");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldFindWhatQueriesOverReplicatedCopiesFind(int partitions) {
        try (Reprise engine = engine(partitions)) {
            for (String sql : QUERIES) {
                assertThat(rows(engine, sql))
                        .as(sql)
                        .isNotEmpty()
                        .containsExactlyInAnyOrderElementsOf(rows(engine, overCopies(sql)));
            }
            for (String sql : ORDERED) {
                assertThat(rows(engine, sql)).as(sql).isNotEmpty().isEqualTo(rows(engine, overCopies(sql)));
            }
            String byParameter =
                    "SELECT o.id, c.city FROM orders o JOIN customer c ON c.id = o.customer WHERE o.price > ?";
            assertThat(rows(engine, byParameter, 50))
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(rows(engine, overCopies(byParameter), 50));
        }
    }

    @Test
    void shouldExplainThatRowsAreGathered() {
        try (Reprise engine = engine(2)) {
            assertThat(engine.explain(QUERIES.getFirst()))
                    .startsWith(
                            "joins rows of different partitions: gathers all of them in one place, which is slow\n");
            assertThat(engine.explain("SELECT COUNT(*) FROM orders")).doesNotContain("gathers");
        }
    }

    @Test
    void shouldStillRefuseWritesThatNeedOtherPartitions() {
        try (Reprise engine = engine(2)) {
            assertThatThrownBy(
                            () -> engine.sql(
                                    "DELETE FROM customer WHERE EXISTS (SELECT * FROM orders o WHERE o.customer = customer.id)"))
                    .isInstanceOf(ProcedureException.class);
        }
    }

    @Test
    void shouldEndAQueryThatGathersMoreThanTheWorkMemory() {
        try (Reprise engine =
                Options.create().partitions(2).workMemory(1 << 20).ddl(SCHEMA).open()) {
            for (int from = 0; from < 40_000; from += 10_000) {
                StringBuilder insert = new StringBuilder("INSERT INTO orders VALUES ");
                for (int i = from; i < from + 10_000; i++) {
                    insert.append(i == from ? "(" : ", (")
                            .append(i)
                            .append(", ")
                            .append(i)
                            .append(", 1, 1)");
                }
                engine.sql(insert.toString());
            }

            assertThatThrownBy(() -> engine.sql("SELECT COUNT(*) FROM orders a JOIN orders b ON a.customer = b.item"))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageContaining("work memory");
        }
    }
}
