package io.reprise.execution.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogPrinter;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.ProcedureDefinition.FromClass;
import io.reprise.procedure.Procedure;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.workload.Ddl;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.tatp.Tatp;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.voter.Voter;
import io.reprise.workload.ycsb.Ycsb;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The workloads' schemas and procedures are what we have in the way of real ones: all of them must deploy. */
final class WorkloadDeploymentTest {
    static Stream<Arguments> schemas() {
        return Stream.of(
                Arguments.of(Tpcc.class, "tpcc.sql"),
                Arguments.of(Smallbank.class, "smallbank.sql"),
                Arguments.of(Voter.class, "voter.sql"),
                Arguments.of(Ycsb.class, "ycsb.sql"),
                Arguments.of(Tatp.class, "tatp.sql"));
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldDeployEveryProcedureOfAWorkload(Class<?> workload, String resource) {
        Catalog catalog = CatalogScript.load(Ddl.resource(workload, resource));
        ProcedureLoader loader = ProcedureLoader.ofClasses(Procedure.class.getClassLoader());

        int deployed = 0;
        for (ProcedureDefinition procedure : catalog.procedures().values()) {
            if (procedure.source() instanceof FromClass(String className)) {
                assertThat(loader.load(procedure.name(), className).signature().parameters())
                        .hasSizeGreaterThan(procedure.routing().stream()
                                .mapToInt(ProcedureDefinition.Routing::parameter)
                                .max()
                                .orElse(-1));
                deployed++;
            }
        }

        assertThat(deployed).isPositive();
        assertThat(CatalogScript.load(CatalogPrinter.print(catalog))
                        .withCounters(catalog.version(), catalog.nextTableId()))
                .isEqualTo(catalog);
    }
}
