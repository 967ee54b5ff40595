package io.reprise.execution.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.ProcedureLoader;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Statements of an earlier process are used by the same program with the same tables, and by nothing else. */
final class StoredStatementsTest {
    /** Texts of such a length are not shared within a process. */
    private static final String PADDING = " ".repeat(20_000);

    private static final String TABLE =
            "CREATE TABLE stored (k BIGINT NOT NULL PRIMARY KEY, v INTEGER); PARTITION TABLE stored ON COLUMN k;";
    private static final String PROCEDURE =
            "CREATE PROCEDURE get_stored AS SELECT v" + PADDING + " FROM stored WHERE k = ? AND v IN (1, 2, 3);";
    private static final String PROGRAM = "program 1";

    private final Catalog catalog = CatalogScript.load(TABLE + PROCEDURE);

    private static Map<String, Work> works(Catalog of, StatementCollector collector) {
        ProcedureLoader loader = ProcedureLoader.ofClasses(StoredStatementsTest.class.getClassLoader());
        Map<String, Work> works = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (ProcedureDefinition definition : of.procedures().values()) {
            works.put(definition.name(), WorkFactory.procedure(of, definition, loader::load, collector));
        }
        return works;
    }

    private static byte[] stored(Catalog of) {
        StatementCollector collector = new StatementCollector();
        return StoredStatements.encode(PROGRAM, of, works(of, collector), collector);
    }

    private static int found(byte[] stored, String program, Catalog of) {
        StoredStatements statements = StoredStatements.decode(stored, program);
        StatementCollector collector = new StatementCollector();
        collector.use(statements);
        works(of, collector);
        return statements.found();
    }

    @Test
    void shouldFindStatementsWhenProgramAndTablesAreTheSame() {
        assertThat(found(stored(catalog), PROGRAM, CatalogScript.load(TABLE + PROCEDURE)))
                .isEqualTo(1);
    }

    @Test
    void shouldFindNothingWhenTheProgramIsAnother() {
        assertThat(found(stored(catalog), "program 2", catalog)).isZero();
    }

    @Test
    void shouldFindNothingWhenTheTablesAreOthers() {
        byte[] stored = stored(catalog);

        assertThat(found(stored, PROGRAM, CatalogScript.load(TABLE + "CREATE INDEX i ON stored (v);" + PROCEDURE)))
                .isZero();
        assertThat(found(stored, PROGRAM, CatalogScript.load("CREATE TABLE before (k BIGINT);" + TABLE + PROCEDURE)))
                .isZero();
    }

    @Test
    void shouldFindNothingWhenAnyByteIsDamaged() {
        byte[] stored = stored(CatalogScript.load(TABLE + PROCEDURE.replace(PADDING, "")));

        for (int i = 0; i < stored.length; i++) {
            stored[i] ^= 1;
            assertThat(StoredStatements.decode(stored, PROGRAM))
                    .as("byte %d", i)
                    .isSameAs(StoredStatements.NONE);
            stored[i] ^= 1;
        }
        for (int length = 0; length < stored.length; length += 7) {
            assertThat(StoredStatements.decode(java.util.Arrays.copyOf(stored, length), PROGRAM))
                    .as("the first %d bytes", length)
                    .isSameAs(StoredStatements.NONE);
        }
    }

    @Test
    void shouldFindAllStatementsOfTpcc() {
        Catalog tpcc = CatalogScript.load(new Tpcc(TpccOptions.small(1)).ddl());
        StoredStatements statements = StoredStatements.decode(stored(tpcc), PROGRAM);
        StatementCollector collector = new StatementCollector();

        works(tpcc, collector).forEach((name, work) -> {
            List<String> texts = work.statements().stream()
                    .map(factory -> factory.traits().sql())
                    .toList();
            List<StatementFactory> found = statements.find(tpcc, CompiledStatements.Use.IN_CLASS, false, texts);
            assertThat(found).as(name).hasSameSizeAs(texts);
            for (int i = 0; i < texts.size(); i++) {
                assertThat(found.get(i).traits())
                        .isEqualTo(work.statements().get(i).traits());
            }
        });
    }
}
