package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogPrinter;
import io.reprise.catalog.Column;
import io.reprise.catalog.Sequence;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.Rows;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.sql.parse.CatalogScript;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** CREATE SCHEMA and DROP SCHEMA: the same after a restart from log and snapshot, printed and read again. */
final class NamedSchemasTest {
    private static final String DDL = """
            CREATE SCHEMA shop;
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY);
            CREATE TABLE shop.t (id BIGSERIAL PRIMARY KEY, name VARCHAR(10) UNIQUE, n INTEGER DEFAULT 1 CHECK (n < 9));
            PARTITION TABLE t ON COLUMN id;
            CREATE TABLE shop.line (t BIGINT REFERENCES shop.t ON DELETE CASCADE, CONSTRAINT k UNIQUE (t));
            CREATE INDEX i ON shop.line (t);
            CREATE VIEW v AS SELECT name FROM shop.t;
            CREATE VIEW shop.w AS IN SCHEMA shop SELECT name FROM t;
            CREATE PROCEDURE number_of AS IN SCHEMA shop, public SELECT n FROM t WHERE name = ?;
            CREATE PROCEDURE find PARTITION ON TABLE t COLUMN id AS SELECT id FROM t WHERE id = ?;
            """;

    private static Reprise open(SimulatedFileStore disk, LoggingMethod method) {
        return Options.create()
                .partitions(2)
                .memoryPerPartition(64 << 20)
                .files(disk)
                .durability(Durability.standard().with(method))
                .open();
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldHaveSchemasAfterRestarts(LoggingMethod method) {
        SimulatedFileStore files = new SimulatedFileStore(7);
        Catalog catalog;
        try (Reprise engine = open(files, method)) {
            engine.ddl(DDL);
            engine.sql("INSERT INTO t VALUES (1), (2)");
            engine.sql("INSERT INTO shop.t (name) VALUES ('a'), ('b')");
            engine.sql("IN SCHEMA shop UPDATE t SET n = 3 WHERE name = 'b'");
            engine.sql("INSERT INTO shop.line VALUES (1), (2)");
            assertThat(ResultText.of(engine, "IN SCHEMA shop SELECT NEXTVAL('t_id_seq')"))
                    .isEqualTo("3;");
            assertThat(ResultText.of(engine, "SELECT NEXTVAL('shop.t_id_seq'), NEXT VALUE FOR shop.t_id_seq"))
                    .isEqualTo("4 5;");
            engine.snapshot();
            engine.sql("DELETE FROM shop.t WHERE name = 'a'");
            engine.ddl("IN SCHEMA shop, public CREATE TABLE late AS SELECT id, n FROM t");
            engine.ddl("IN SCHEMA shop ALTER TABLE line RENAME TO lines");
            catalog = engine.catalog();
        }
        try (Reprise engine = open(files, method)) {
            assertThat(engine.catalog()).isEqualTo(catalog);
            assertThat(ResultText.of(engine, "SELECT id, name, n FROM shop.t")).isEqualTo("2 b 3;");
            assertThat(ResultText.of(engine, "SELECT t FROM shop.lines")).isEqualTo("2;");
            assertThat(ResultText.of(engine, "SELECT * FROM shop.late")).isEqualTo("2 3;");
            assertThat(ResultText.of(engine, "SELECT * FROM v")).isEqualTo("b;");
            assertThat(ResultText.of(engine, "SELECT * FROM shop.w")).isEqualTo("b;");
            assertThat(engine.call("find", 2).rows().count()).isEqualTo(1);
            assertThat(engine.call("number_of", "b").rows().count()).isEqualTo(1);
            engine.ddl("DROP PROCEDURE number_of");
            assertThatThrownBy(() -> engine.sql("INSERT INTO shop.t (name) VALUES ('b')"))
                    .hasMessageContaining("SHOP.T");
            engine.ddl("DROP SCHEMA shop CASCADE");
        }
        try (Reprise engine = open(files, method)) {
            assertThat(engine.catalog().schemas()).isEmpty();
            assertThat(engine.catalog().tables()).containsOnlyKeys("T");
            assertThat(engine.catalog().views()).isEmpty();
            assertThat(ResultText.of(engine, "SELECT COUNT(*) FROM t")).isEqualTo("2;");
        }
    }

    @Test
    void shouldReadAPrintedCatalogAgain() {
        Catalog catalog = CatalogScript.load(DDL);

        Catalog again = CatalogScript.load(CatalogPrinter.print(catalog));

        assertThat(again.withCounters(catalog.version(), catalog.nextTableId())).isEqualTo(catalog);
        assertThat(catalog.tableOfIndex("SHOP.T_PK")).isPresent();
        assertThat(catalog.tableOfIndex("SHOP.K")).isPresent();
        assertThat(catalog.tableOfIndex("SHOP.I")).isPresent();
    }

    @Test
    void shouldPlanAProcedureAgainWhenATableStandsInFrontOfItsOwn() {
        try (Reprise engine = Options.create()
                .partitions(1)
                .ddl("CREATE SCHEMA s; CREATE TABLE t (a INTEGER);"
                        + "CREATE PROCEDURE p AS IN SCHEMA s, public SELECT COUNT(*) FROM t")
                .open()) {
            engine.sql("INSERT INTO t VALUES (1)");
            assertThat(engine.call("p").rows().count()).isEqualTo(1);
            assertThat(count(engine)).isEqualTo(1);

            engine.ddl("CREATE TABLE s.t (a INTEGER)");

            assertThat(count(engine)).isZero();
        }
    }

    private static long count(Reprise engine) {
        Rows rows = engine.call("p").rows();
        rows.next();
        return rows.longAt(0);
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldDrawDefaultsFromTheSequenceOfTheirDefinition(LoggingMethod method) {
        SimulatedFileStore files = new SimulatedFileStore(8);
        Catalog catalog;
        try (Reprise engine = open(files, method)) {
            engine.ddl("CREATE SCHEMA s; CREATE SEQUENCE q START 100; CREATE SEQUENCE s.q START 7; CREATE SEQUENCE p;");
            engine.ddl(
                    "IN SCHEMA s, public CREATE TABLE t (id BIGINT DEFAULT NEXTVAL('q') PRIMARY KEY,"
                            + " a BIGINT DEFAULT (NEXTVAL('q') * 10), b BIGINT DEFAULT (1 + NEXT VALUE FOR q),"
                            + " c BIGINT DEFAULT NEXTVAL('p'), d BIGINT DEFAULT NEXTVAL('public.q'), e VARCHAR(9) DEFAULT 'NEXTVAL')");
            engine.ddl("IN SCHEMA s ALTER TABLE t ADD COLUMN f BIGINT");
            engine.ddl("IN SCHEMA s ALTER TABLE t ALTER COLUMN f SET DEFAULT NEXTVAL('q') - (NEXT VALUE FOR public.q)");
            engine.sql("INSERT INTO s.t (e) VALUES (DEFAULT)");
            engine.sql("IN SCHEMA public INSERT INTO s.t (e) VALUES ('x')");
            catalog = engine.catalog();
        }
        try (Reprise engine = open(files, method)) {
            assertThat(engine.catalog()).isEqualTo(catalog);
            assertThat(CatalogScript.load(CatalogPrinter.print(catalog))
                            .withCounters(catalog.version(), catalog.nextTableId()))
                    .isEqualTo(catalog);
            assertThat(ResultText.of(engine, "SELECT * FROM s.t ORDER BY id"))
                    .isEqualTo("7 80 10 1 100 NEXTVAL -91;11 120 14 2 102 x -89;");
            assertThatThrownBy(() -> engine.ddl("DROP SEQUENCE s.q")).hasMessageContaining("takes its values");
            engine.ddl("DROP SEQUENCE s.q CASCADE");
            assertThat(engine.catalog().table("S.T").orElseThrow().columns())
                    .filteredOn(column -> column.defaultValue().isPresent())
                    .extracting(Column::name)
                    .containsExactly("C", "D", "E");
        }
    }

    @Test
    void shouldReadLongNamesOfSequences() {
        String longName = "q".repeat(100_000);

        assertThat(Sequence.named('"' + longName + '"')).isEqualTo(longName);
        assertThat(Sequence.named("s.\"" + longName + "\"\"\"")).isEqualTo("S." + longName + '"');
        assertThat(Sequence.ofDefault("(NEXTVAL('" + longName + "''s'))"))
                .contains(longName.toUpperCase(Locale.ROOT) + "'S");
    }

    @Test
    void shouldKeepOtherSchemasWhenOneIsDropped() {
        Catalog catalog = CatalogScript.load("CREATE SCHEMA a; CREATE SCHEMA b; CREATE TABLE t (x INT);"
                + "CREATE TABLE a.t (x INT); CREATE VIEW b.of_a AS SELECT x FROM a.t; CREATE VIEW b.own AS SELECT x FROM t;"
                + "CREATE SEQUENCE a.s; DROP SCHEMA IF EXISTS c; DROP SCHEMA a CASCADE;");

        assertThat(catalog.schemas()).containsExactly("B");
        assertThat(catalog.tables()).containsOnlyKeys("T");
        assertThat(catalog.views()).containsOnlyKeys("B.OWN");
    }

    @Test
    void shouldRefuseWhatHasNoPlace() {
        assertRefused("CREATE TABLE nowhere.t (a INT)", "there is no schema NOWHERE");
        assertRefused("CREATE SCHEMA a; CREATE SCHEMA a", "schema A exists already");
        assertRefused("CREATE SCHEMA a; CREATE SEQUENCE a.s; DROP SCHEMA a", "it is not empty");
        assertRefused("IN SCHEMA a CREATE TABLE t (x INT)", "there is no schema A");
        assertRefused("DROP SCHEMA a", "there is no schema A");
        assertRefused("DROP SCHEMA public", "it always exists");
        assertRefused("CREATE TABLE \"a.b\" (a INT)", "can't have a dot");
        assertRefused("CREATE SCHEMA a; CREATE TABLE a.t (x INT); DROP TABLE t", "there is no table T");
    }

    private static void assertRefused(String script, String reason) {
        assertThatThrownBy(() -> CatalogScript.load(script)).hasMessageContaining(reason);
    }
}
