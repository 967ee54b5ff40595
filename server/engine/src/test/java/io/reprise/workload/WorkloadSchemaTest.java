package io.reprise.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import io.reprise.workload.tatp.Tatp;
import io.reprise.workload.tatp.TatpOptions;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import io.reprise.workload.voter.Voter;
import io.reprise.workload.voter.VoterOptions;
import io.reprise.workload.ycsb.Ycsb;
import io.reprise.workload.ycsb.YcsbOptions;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The engine's own DDL parser reads the workloads' schemas. */
class WorkloadSchemaTest {
    static Stream<Workload> workloads() {
        return Stream.of(
                new Tpcc(TpccOptions.small(1)),
                new Smallbank(SmallbankOptions.uniform(10)),
                new Voter(VoterOptions.STANDARD),
                new Tatp(TatpOptions.standard(10)),
                new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.A, 10)),
                new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.E, 10)));
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldHaveAllProceduresWhenTheSchemaIsLoaded(Workload workload) {
        Catalog catalog = CatalogScript.load(workload.ddl());

        assertThat(catalog.procedures().keySet()).containsAll(workload.procedures());
        assertThat(catalog.tables()).isNotEmpty();
    }
}
