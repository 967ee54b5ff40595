package io.reprise.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.ProcedureLoader;
import io.reprise.execution.work.StatementCollector;
import io.reprise.execution.work.WorkFactory;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.place.StatementScope;
import io.reprise.sql.plan.StatementPlan;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.workload.tatp.Tatp;
import io.reprise.workload.tatp.TatpOptions;
import io.reprise.workload.ycsb.Ycsb;
import io.reprise.workload.ycsb.YcsbOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The planner finds what the workloads' speed rests on: each statement stays in one bucket and goes through an index. */
class WorkloadPlansTest {
    static Stream<Workload> workloads() {
        return WorkloadSchemaTest.workloads()
                .filter(workload -> !workload.name().equals("ycsb-e"))
                .map(workload -> workload instanceof Tatp ? new Tatp(new TatpOptions(10, true, 1)) : workload);
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldStayInOneBucketAndUseIndexesWhenPlanned(Workload workload) {
        for (StatementPlan plan : plans(workload)) {
            assertThat(plan.scope()).as(plan.sql()).isInstanceOfAny(StatementScope.Key.class, StatementScope.Any.class);
            assertThat(plan.explanation()).as(plan.sql()).doesNotContain("scan ");
            assertThat(plan.merge()).as(plan.sql()).isEmpty();
        }
    }

    @Test
    void shouldSortOnlyCustomersByFirstNameWhenTpccIsPlanned() {
        List<StatementPlan> plans =
                plans(WorkloadSchemaTest.workloads().findFirst().orElseThrow());

        assertThat(plans)
                .filteredOn(plan -> plan.explanation().contains("sort "))
                .isNotEmpty()
                .allMatch(plan -> plan.sql().contains("ORDER BY c_first"));
    }

    /** Procedures that write get their rows in one sequence; here it costs no sort that is not there anyway. */
    @ParameterizedTest
    @MethodSource("workloads")
    void shouldNotSortForOneSequenceOfRows(Workload workload) {
        Catalog catalog = CatalogScript.load(workload.ddl());
        for (StatementPlan plan : plans(workload)) {
            StatementPlan forReader = StatementPlanner.plan(catalog, plan.sql());

            assertThat(plan.explanation().contains("sort "))
                    .as(plan.explanation())
                    .isEqualTo(forReader.explanation().contains("sort "));
        }
    }

    @Test
    void shouldTakeOnlyTheFirstRowsOfEachPartitionWhenYcsbScans() {
        Workload scans = new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.E, 10));

        StatementPlan scan = plans(scans).stream()
                .filter(plan -> plan.sql().contains("LIMIT"))
                .findFirst()
                .orElseThrow();

        assertThat(scan.scope()).isInstanceOf(StatementScope.All.class);
        assertThat(scan.explanation()).containsSubsequence("limit first", "range USERTABLE", "over their results");
    }

    /** The plans of all statements of the procedures that generators call. */
    private static List<StatementPlan> plans(Workload workload) {
        Catalog catalog = CatalogScript.load(workload.ddl());
        List<StatementPlan> plans = new ArrayList<>();
        ProcedureLoader loader = ProcedureLoader.ofClasses(WorkloadPlansTest.class.getClassLoader());
        for (String name : workload.procedures()) {
            Work work = WorkFactory.procedure(
                    catalog, catalog.procedure(name).orElseThrow(), loader::load, new StatementCollector());
            boolean writes = !work.readOnly();
            work.statements()
                    .forEach(statement -> plans.add(
                            writes
                                    ? StatementPlanner.planForWriter(
                                            catalog, statement.traits().sql())
                                    : StatementPlanner.plan(
                                            catalog, statement.traits().sql())));
        }
        assertThat(plans).isNotEmpty();
        return plans;
    }
}
