package io.reprise.sql.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogPrinter;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.ProcedureDefinition.Logging;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** LOGGED AS of procedures and tables. */
final class LoggedClauseTest {
    private static final String TABLE =
            "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, logged BIGINT); PARTITION TABLE t ON COLUMN id;";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE PROCEDURE P LOGGED AS DATA FROM CLASS a.P",
                "CREATE PROCEDURE LOGGED AS DATA FROM CLASS a.P",
                "CREATE PROCEDURE FROM CLASS a.P LOGGED AS DATA",
                "CREATE PROCEDURE P LOGGED AS DATA PARTITION ON TABLE t COLUMN id FROM CLASS a.P",
                "CREATE PROCEDURE P PARTITION ON TABLE t COLUMN id FROM CLASS a.P LOGGED AS DATA",
                "CREATE PROCEDURE P LOGGED AS DATA AS DELETE FROM t WHERE id = ?",
                "CREATE PROCEDURE P AS DELETE FROM t WHERE id = ? LOGGED AS DATA PARTITION ON TABLE t COLUMN id",
                "CREATE PROCEDURE P AS DELETE FROM t WHERE id = ? PARTITION ON TABLE t COLUMN id LOGGED AS DATA"
            })
    void shouldPinTheLoggingAndPrintIt(String ddl) {
        Catalog catalog = CatalogScript.load(TABLE + ddl);

        assertThat(catalog.procedure("P")).map(ProcedureDefinition::logging).contains(Logging.DATA);
        assertThat(CatalogScript.load(CatalogPrinter.print(catalog)).procedures())
                .isEqualTo(catalog.procedures());
    }

    @Test
    void shouldPinTheLoggingOfATableAndPrintIt() {
        Catalog catalog = CatalogScript.load("CREATE TABLE d (id BIGINT) LOGGED AS DATA;"
                + "CREATE TABLE c (id BIGINT) WITH ID 7 LOGGED AS COMMAND; CREATE TABLE a (id BIGINT);"
                + "ALTER TABLE a LOGGED AS DATA; ALTER TABLE c LOGGED AS CONFIGURED; ALTER TABLE d ADD n BIGINT");

        assertThat(catalog.table("D").orElseThrow().logging()).isEqualTo(Logging.DATA);
        assertThat(catalog.table("C").orElseThrow().logging()).isEqualTo(Logging.AS_CONFIGURED);
        assertThat(catalog.table("A").orElseThrow().logging()).isEqualTo(Logging.DATA);
        assertThat(CatalogScript.load(CatalogPrinter.print(catalog)).tables()).isEqualTo(catalog.tables());
    }

    @Test
    void shouldLeaveWordsOfAStatementAlone() {
        Catalog catalog = CatalogScript.load(TABLE + "CREATE PROCEDURE P AS SELECT logged AS data_logged FROM t");

        assertThat(catalog.procedure("P").orElseThrow())
                .isEqualTo(new ProcedureDefinition(
                        "P",
                        new ProcedureDefinition.FromStatement("SELECT logged AS data_logged FROM t"),
                        java.util.List.of()));
    }

    @Test
    void shouldRefuseWhatIsNoMethodAndASecondClause() {
        assertThatThrownBy(() -> CatalogScript.load("CREATE PROCEDURE P LOGGED AS ROWS FROM CLASS a.P"))
                .hasMessageContaining("DATA");
        assertThatThrownBy(() -> CatalogScript.load("CREATE PROCEDURE P LOGGED AS DATA FROM CLASS a.P LOGGED AS DATA"))
                .hasMessageContaining("there is a LOGGED clause already");
    }
}
