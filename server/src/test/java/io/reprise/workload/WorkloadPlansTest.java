package io.reprise.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.procedure.Binding;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Statement;
import io.reprise.procedure.TransactionRandom;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.plan.StatementPlan;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.sql.plan.StatementScope;
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
    void shouldStayInOneBucketAndUseIndexesWhenPlanned(Workload workload) throws Exception {
        for (StatementPlan plan : plans(workload)) {
            assertThat(plan.scope()).as(plan.sql()).isInstanceOfAny(StatementScope.Key.class, StatementScope.Any.class);
            assertThat(plan.explanation()).as(plan.sql()).doesNotContain("scan ");
            assertThat(plan.merge()).as(plan.sql()).isEmpty();
        }
    }

    @Test
    void shouldSortOnlyCustomersByFirstNameWhenTpccIsPlanned() throws Exception {
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
    void shouldNotSortForOneSequenceOfRows(Workload workload) throws Exception {
        Catalog catalog = CatalogScript.load(workload.ddl());
        for (StatementPlan plan : plans(workload)) {
            StatementPlan forWriter = StatementPlanner.planForWriter(catalog, plan.sql());

            assertThat(forWriter.explanation().contains("sort "))
                    .as(forWriter.explanation())
                    .isEqualTo(plan.explanation().contains("sort "));
        }
    }

    @Test
    void shouldTakeOnlyTheFirstRowsOfEachPartitionWhenYcsbScans() throws Exception {
        Workload scans = new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.E, 10));

        StatementPlan scan = plans(scans).stream()
                .filter(plan -> plan.sql().contains("LIMIT"))
                .findFirst()
                .orElseThrow();

        assertThat(scan.scope()).isInstanceOf(StatementScope.All.class);
        assertThat(scan.explanation()).containsSubsequence("limit first", "range USERTABLE", "over their results");
    }

    /** The plans of all statements of the procedures that generators call. */
    private static List<StatementPlan> plans(Workload workload) throws ReflectiveOperationException {
        Catalog catalog = CatalogScript.load(workload.ddl());
        List<StatementPlan> plans = new ArrayList<>();
        for (String name : workload.procedures()) {
            ProcedureDefinition procedure = catalog.procedure(name).orElseThrow();
            Class<?> type = Class.forName(((ProcedureDefinition.FromClass) procedure.source()).className());
            for (String sql : statements(type.asSubclass(Procedure.class))) {
                plans.add(StatementPlanner.plan(catalog, sql));
            }
        }
        assertThat(plans).isNotEmpty();
        return plans;
    }

    private static List<String> statements(Class<? extends Procedure> type) {
        Collector collector = new Collector();
        collector.during(() -> {
            try {
                return type.getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
        return collector.texts;
    }

    private static final class Collector extends Binding {
        private final List<String> texts = new ArrayList<>();

        @Override
        protected Statement statement(String text) {
            texts.add(text);
            return null;
        }

        @Override
        protected ResultTable table(String... columnNames) {
            return null;
        }

        @Override
        protected long timestampMicros() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected long transactionId() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected TransactionRandom random() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void flush() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected int savepoint() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void rollbackTo(int savepoint) {
            throw new UnsupportedOperationException();
        }
    }
}
