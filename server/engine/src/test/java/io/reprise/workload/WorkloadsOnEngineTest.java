package io.reprise.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The workloads end to end on the embedded engine: load, run with rollbacks and multi-partition transactions, check. */
class WorkloadsOnEngineTest {
    private static final long MEMORY = 256L << 20;

    static Stream<Arguments> workloads() {
        List<Workload> workloads = List.of(
                new Tpcc(TpccOptions.small(4).withSizes(200, 60).withRemote(10, 30)),
                new Smallbank(SmallbankOptions.uniform(500).withDistributed(50)),
                new Voter(VoterOptions.STANDARD),
                new Tatp(TatpOptions.standard(200)),
                new Tatp(new TatpOptions(200, true, 2)),
                new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.A, 200)),
                new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.D, 200)),
                new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.E, 200)),
                new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.F, 200)));
        return Stream.of(1, 3)
                .flatMap(partitions ->
                        workloads.stream().map(workload -> Arguments.of(workload.name(), partitions, workload)));
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("workloads")
    void shouldKeepItsInvariantsWhenRun(String name, int partitions, Workload workload) {
        try (Reprise engine = open(workload, partitions)) {
            EngineDatabase database = new EngineDatabase(engine);
            workload.load(database);
            SerialRun run = new SerialRun(workload, database, 1);
            assertThat(run.check()).as("after loading").isEmpty();

            run.run(5_000);

            assertThat(run.check()).as("after the run").isEmpty();
            assertThat(run.committed()).isGreaterThan(3_500);
        }
    }

    /** H2 runs the same procedures: both answer the same, call by call. */
    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("workloads")
    void shouldAnswerAsAnotherDatabaseDoesWhenCallsAreTheSame(String name, int partitions, Workload workload)
            throws Exception {
        try (Reprise engine = open(workload, partitions);
                JdbcDatabase other = new JdbcDatabase(workload, new EngineDatabase(engine).placement())) {
            EngineDatabase database = new EngineDatabase(engine);
            workload.load(database);
            workload.load(other);
            SerialRun here = new SerialRun(workload, database, 1);
            SerialRun there = new SerialRun(workload, other, 1);

            for (int i = 0; i < 1_000; i++) {
                int generator = i % partitions;
                String answer = here.next(here.generators().get(generator));
                String expected = there.next(there.generators().get(generator));
                assertThat(answer).as("call " + i + ": " + here.lastCall()).isEqualTo(expected);
            }
        }
    }

    private static Reprise open(Workload workload, int partitions) {
        return Options.create()
                .partitions(partitions)
                .memoryPerPartition(MEMORY)
                .threads(Options.Threads.CALLER)
                .ddl(workload.ddl())
                .open();
    }
}
