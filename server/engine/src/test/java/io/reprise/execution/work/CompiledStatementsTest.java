package io.reprise.execution.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Catalog;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.parse.CatalogScript;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CompiledStatementsTest {
    private static final String TABLE = "CREATE TABLE compiled_statements (k BIGINT NOT NULL PRIMARY KEY, v INTEGER);";
    private static final String PARTITION = "PARTITION TABLE compiled_statements ON COLUMN k;";
    private static final StatementCollector TELLING = new StatementCollector(true);
    private static final String QUERY = "SELECT v FROM compiled_statements WHERE k = ?";

    @Test
    void shouldShareStatementsWhenTheTablesAreEqual() {
        Catalog other = CatalogScript.load(TABLE + PARTITION + "CREATE PROCEDURE p AS SELECT 1")
                .withCounters(77, 99);

        assertThat(adHoc(other)).isSameAs(adHoc(CatalogScript.load(TABLE + PARTITION)));
    }

    @Test
    void shouldCompileAnewWhenATableDiffers() {
        List<StatementFactory> replicated = adHoc(CatalogScript.load(TABLE));

        List<StatementFactory> partitioned = adHoc(CatalogScript.load(TABLE + PARTITION));

        assertThat(partitioned).isNotSameAs(replicated);
        assertThat(partitioned.getFirst().traits().reach())
                .isNotEqualTo(replicated.getFirst().traits().reach());
    }

    @Test
    void shouldCompileAnewWhenAWriterFollowsTheQuery() {
        Catalog catalog = CatalogScript.load(TABLE + PARTITION);
        String update = "UPDATE compiled_statements SET v = 1 WHERE k = ?";

        StatementFactory alone =
                CompiledStatements.alone(catalog, "p", QUERY, TELLING).getFirst();
        StatementFactory inReader = CompiledStatements.inClass(catalog, "p", List.of(QUERY), TELLING)
                .getFirst();
        StatementFactory inWriter = CompiledStatements.inClass(catalog, "p", List.of(QUERY, update), TELLING)
                .getFirst();

        assertThat(alone.tellsReads()).isFalse();
        assertThat(inReader.tellsReads()).isFalse();
        assertThat(inWriter.tellsReads()).isTrue();
        assertThat(CompiledStatements.inClass(catalog, "q", List.of(QUERY, update), new StatementCollector())
                        .getFirst()
                        .tellsReads())
                .isFalse();
    }

    @Test
    void shouldNameTheProcedureEachTimeWhenAStatementIsWrong() {
        Catalog catalog = CatalogScript.load(TABLE);

        for (String procedure : List.of("one", "two")) {
            assertThatThrownBy(() -> CompiledStatements.alone(
                            catalog, procedure, "SELECT w FROM compiled_statements", new StatementCollector()))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageStartingWith("procedure " + procedure + " can't be deployed: ");
        }
    }

    @Test
    void shouldNotKeepAStatementWhenItsTextIsLong() {
        Catalog catalog = CatalogScript.load(TABLE + PARTITION);
        String padded = QUERY + " ".repeat(20_000);

        assertThat(CompiledStatements.adHoc(catalog, padded, Optional::empty))
                .isNotSameAs(CompiledStatements.adHoc(catalog, padded, Optional::empty));
    }

    private static List<StatementFactory> adHoc(Catalog catalog) {
        return CompiledStatements.adHoc(catalog, QUERY, Optional::empty);
    }
}
