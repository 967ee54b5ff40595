package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Foreign keys as statements meet them: checks, actions, schema changes, and the log. */
class ForeignKeyTest {
    /** Replicated parents; children that share a partitioning column; an index for some of the searches. */
    private static final String SCHEMA = """
            CREATE TABLE country (code VARCHAR(2) NOT NULL PRIMARY KEY, number INTEGER UNIQUE);
            CREATE TABLE customer (id BIGINT NOT NULL PRIMARY KEY,
                country VARCHAR(2) REFERENCES country ON DELETE SET NULL ON UPDATE CASCADE);
            PARTITION TABLE customer ON COLUMN id;
            CREATE TABLE purchase (customer BIGINT NOT NULL REFERENCES customer (id) ON DELETE CASCADE,
                number INTEGER NOT NULL, shipped_to INTEGER REFERENCES country (number) ON UPDATE SET NULL,
                PRIMARY KEY (customer, number));
            PARTITION TABLE purchase ON COLUMN customer;
            CREATE TABLE line (customer INTEGER NOT NULL, purchase SMALLINT, line INTEGER NOT NULL,
                CONSTRAINT of_purchase FOREIGN KEY (customer, purchase) REFERENCES purchase (customer, number)
                    ON DELETE CASCADE ON UPDATE CASCADE);
            PARTITION TABLE line ON COLUMN customer;
            CREATE TABLE payment (customer BIGINT NOT NULL, purchase INTEGER, amount INTEGER,
                CONSTRAINT paid FOREIGN KEY (customer, purchase) REFERENCES purchase (customer, number));
            PARTITION TABLE payment ON COLUMN customer;
            CREATE INDEX payment_of ON payment (customer, purchase);
            CREATE TABLE part (id INTEGER NOT NULL PRIMARY KEY, inside INTEGER REFERENCES part ON DELETE CASCADE);
            """;

    private static Options options(int partitions) {
        return Options.create()
                .partitions(partitions)
                .memoryPerPartition(64 << 20)
                .ddl(SCHEMA);
    }

    private static void fill(Reprise engine) {
        engine.sql("INSERT INTO country VALUES ('FR', 33), ('DE', 49), ('IT', NULL)");
        engine.sql("INSERT INTO customer VALUES (1, 'FR'), (2, 'DE'), (3, 'FR'), (4, NULL)");
        engine.sql("INSERT INTO purchase VALUES (1, 1, 33), (1, 2, 49), (2, 1, 33), (3, 7, NULL)");
        engine.sql("INSERT INTO line VALUES (1, 1, 1), (1, 1, 2), (1, 2, 1), (2, 1, 1), (2, NULL, 2)");
    }

    private static void assertViolation(Reprise engine, String key, String sql) {
        assertThatThrownBy(() -> engine.sql(sql)).as(sql).isInstanceOfSatisfying(ProcedureException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
            assertThat(e.subject().kind()).isEqualTo(ErrorSubject.Kind.FOREIGN_KEY);
            assertThat(e.subject().constraint()).isEqualTo(key);
        });
    }

    private static List<String> rows(Reprise engine, String sql) {
        List<String> found = new ArrayList<>();
        Rows rows = engine.sql(sql).rows();
        while (rows.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < rows.columns(); i++) {
                row.append(i == 0 ? "" : " ").append(rows.isNull(i) ? "-" : String.valueOf(rows.valueAt(i)));
            }
            found.add(row.toString());
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldRejectChildrenWithoutParents(int partitions) {
        try (Reprise engine = options(partitions).open()) {
            fill(engine);

            assertViolation(engine, "CUSTOMER_COUNTRY_FKEY", "INSERT INTO customer VALUES (9, 'XX')");
            assertViolation(engine, "CUSTOMER_COUNTRY_FKEY", "UPDATE customer SET country = 'XX'");
            assertViolation(engine, "PURCHASE_CUSTOMER_FKEY", "INSERT INTO purchase VALUES (1, 8, 33), (8, 1, 33)");
            assertViolation(engine, "PURCHASE_SHIPPED_TO_FKEY", "UPSERT INTO purchase VALUES (1, 1, 7)");
            assertViolation(engine, "OF_PURCHASE", "INSERT INTO line SELECT customer, 9, line FROM line");
            assertThat(rows(engine, "SELECT id, country FROM customer ORDER BY id"))
                    .containsExactly("1 FR", "2 DE", "3 FR", "4 -");
            assertThat(rows(engine, "SELECT COUNT(*) FROM purchase")).containsExactly("4");
            engine.sql("UPDATE customer SET country = 'IT' WHERE id = 4");
            engine.sql("UPDATE line SET purchase = NULL WHERE customer = 1 AND purchase = 2");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldCascadeDeletions(int partitions) {
        try (Reprise engine = options(partitions).open()) {
            fill(engine);

            engine.sql("DELETE FROM customer WHERE id = 1");
            assertThat(rows(engine, "SELECT customer, number FROM purchase ORDER BY 1, 2"))
                    .containsExactly("2 1", "3 7");
            assertThat(rows(engine, "SELECT customer, purchase, line FROM line ORDER BY 3"))
                    .containsExactly("2 1 1", "2 - 2");
            engine.sql("INSERT INTO payment VALUES (2, 1, 10)");
            assertViolation(engine, "PAID", "DELETE FROM customer");
            assertViolation(engine, "PAID", "DELETE FROM purchase WHERE customer = 2 AND number = 1");
            assertThat(rows(engine, "SELECT COUNT(*) FROM customer")).containsExactly("3");
            engine.sql("DELETE FROM payment");
            engine.sql("DELETE FROM customer");
            assertThat(rows(engine, "SELECT COUNT(*) FROM purchase")).containsExactly("0");
            assertThat(rows(engine, "SELECT customer, purchase, line FROM line"))
                    .containsExactly("2 - 2");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldSetChildrenOfReplicatedParentsToNull(int partitions) {
        try (Reprise engine = options(partitions).open()) {
            fill(engine);

            assertViolation(engine, "PURCHASE_SHIPPED_TO_FKEY", "DELETE FROM country WHERE code = 'FR'");
            engine.sql("UPDATE country SET number = number + 1");
            assertThat(rows(engine, "SELECT COUNT(*), COUNT(shipped_to) FROM purchase"))
                    .containsExactly("4 0");
            engine.sql("DELETE FROM country WHERE code = 'FR'");
            assertThat(rows(engine, "SELECT id, country FROM customer ORDER BY id"))
                    .containsExactly("1 -", "2 DE", "3 -", "4 -");
            engine.sql("UPDATE country SET code = 'D' WHERE code = 'DE'");
            assertThat(rows(engine, "SELECT country FROM customer WHERE id = 2"))
                    .containsExactly("D");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldPassChangedKeysOn(int partitions) {
        try (Reprise engine = options(partitions).open()) {
            fill(engine);

            engine.sql("UPDATE purchase SET number = number + 1 WHERE customer = 1");
            assertThat(rows(engine, "SELECT customer, purchase, line FROM line ORDER BY 1, 2, 3"))
                    .containsExactlyInAnyOrder("1 2 1", "1 2 2", "1 3 1", "2 1 1", "2 - 2");
            assertThatThrownBy(
                            () -> engine.sql("UPDATE purchase SET number = 100000 WHERE customer = 1 AND number = 2"))
                    .hasMessageContaining("does not fit LINE.PURCHASE");
            engine.sql("INSERT INTO payment VALUES (1, 3, 10)");
            assertViolation(engine, "PAID", "UPDATE purchase SET number = 5 WHERE customer = 1 AND number = 3");
        }
    }

    @Test
    void shouldSettleATableThatNamesItself() {
        try (Reprise engine = options(2).open()) {
            engine.sql("INSERT INTO part VALUES (2, 1), (3, 2), (1, NULL), (4, 4), (5, 3)");

            assertViolation(engine, "PART_INSIDE_FKEY", "INSERT INTO part VALUES (6, 7)");
            assertViolation(engine, "PART_INSIDE_FKEY", "UPDATE part SET id = 10 WHERE id = 2");
            engine.sql("UPDATE part SET id = 40, inside = 40 WHERE id = 4");
            engine.sql("DELETE FROM part WHERE id = 2");
            assertThat(rows(engine, "SELECT id FROM part ORDER BY id")).containsExactly("1", "40");
        }
    }

    @Test
    void shouldRejectTruncationOfParentsThatAreNamed() {
        try (Reprise engine = options(2).open()) {
            fill(engine);

            assertViolation(engine, "PURCHASE_CUSTOMER_FKEY", "TRUNCATE TABLE customer");
            engine.sql("TRUNCATE TABLE line");
            engine.sql("TRUNCATE TABLE purchase");
            engine.sql("TRUNCATE TABLE customer");
            assertThat(rows(engine, "SELECT COUNT(*) FROM customer")).containsExactly("0");
        }
    }

    @Test
    void shouldCheckRowsThatAreThereWhenAKeyBeginsToBeEnforced() {
        String ddl = """
                CREATE TABLE p (id INTEGER NOT NULL PRIMARY KEY);
                CREATE TABLE c (id INTEGER NOT NULL, p INTEGER);
                CREATE PROCEDURE RemoveParent AS DELETE FROM p WHERE id = ?;
                """;
        try (Reprise engine = Options.create().partitions(2).ddl(ddl).open()) {
            engine.sql("INSERT INTO p VALUES (1)");
            engine.sql("INSERT INTO c VALUES (1, 1), (2, 2)");

            assertThatThrownBy(() -> engine.ddl("ALTER TABLE c ADD CONSTRAINT k FOREIGN KEY (p) REFERENCES p"))
                    .hasMessageContaining("a row of C violates foreign key K");
            engine.ddl("ALTER TABLE c ADD CONSTRAINT k FOREIGN KEY (p) REFERENCES p NOT ENFORCED");
            engine.sql("INSERT INTO c VALUES (3, 3)");
            engine.sql("DELETE FROM c WHERE p > 1");
            engine.ddl("ALTER TABLE c DROP CONSTRAINT k; ALTER TABLE c ADD CONSTRAINT k FOREIGN KEY (p) REFERENCES p");
            assertThatThrownBy(() -> engine.call("RemoveParent", 1)).hasMessageContaining("foreign key K of table C");
            engine.ddl("ALTER TABLE c DROP CONSTRAINT k");
            engine.call("RemoveParent", 1);
            assertThat(rows(engine, "SELECT COUNT(*) FROM p")).containsExactly("0");
        }
    }

    @Test
    void shouldNotEnforceAKeyWhoseParentIsElsewhere() {
        String ddl = """
                CREATE TABLE p (id INTEGER NOT NULL PRIMARY KEY);
                CREATE TABLE c (id INTEGER NOT NULL, p INTEGER REFERENCES p);
                PARTITION TABLE p ON COLUMN id;
                PARTITION TABLE c ON COLUMN id;
                """;
        try (Reprise engine = Options.create().partitions(2).ddl(ddl).open()) {
            engine.sql("INSERT INTO c VALUES (1, 7)");

            assertThat(rows(engine, "SELECT p FROM c")).containsExactly("7");
        }
    }

    @Test
    void shouldTellInAnExplanationWhereKeysAreLookedUp() {
        try (Reprise engine = options(1).open()) {
            assertThat(rows(engine, "EXPLAIN DELETE FROM purchase WHERE customer = 1 AND number = 2"))
                    .contains(
                            "foreign key OF_PURCHASE: searches LINE by a scan, across buckets",
                            "foreign key PAID: searches PAYMENT by PAYMENT_OF");
            assertThat(rows(engine, "EXPLAIN INSERT INTO customer VALUES (1, 'FR')"))
                    .contains("foreign key CUSTOMER_COUNTRY_FKEY: looks up COUNTRY");
        }
    }

    private static List<String> everything(Reprise engine) {
        List<String> all = new ArrayList<>();
        for (String table : List.of("country", "customer", "purchase", "line", "payment", "part")) {
            all.addAll(rows(engine, "SELECT '" + table + "', t.* FROM " + table + " AS t").stream()
                    .sorted()
                    .toList());
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"COMMAND, 1", "COMMAND, 3", "PHYSIOLOGICAL, 3"})
    void shouldReplayActions(LoggingMethod method, int partitions) {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        Options options =
                options(partitions).files(disk).durability(Durability.standard().with(method));
        List<String> before;
        try (Reprise engine = options.open()) {
            fill(engine);
            engine.sql("INSERT INTO part VALUES (1, NULL), (2, 1), (3, 2)");
            engine.snapshot();
            engine.sql("UPDATE country SET number = 34 WHERE code = 'FR'");
            engine.sql("DELETE FROM country WHERE code = 'FR'");
            engine.sql("UPDATE purchase SET number = number + 1");
            engine.sql("DELETE FROM customer WHERE id = 1");
            engine.sql("DELETE FROM part WHERE id = 1");
            assertViolation(engine, "PURCHASE_CUSTOMER_FKEY", "INSERT INTO purchase VALUES (99, 1, NULL)");
            before = everything(engine);
        }

        try (Reprise engine = options.open()) {
            assertThat(everything(engine)).isEqualTo(before);
            assertViolation(engine, "OF_PURCHASE", "INSERT INTO line VALUES (3, 9, 1)");
            engine.sql("DELETE FROM customer WHERE id = 2");
            assertThat(rows(engine, "SELECT COUNT(*) FROM line")).containsExactly("1");
        }
    }
}
