package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.Execution;
import io.reprise.execution.Work;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.runtime.agent.Agent;
import io.reprise.txn.initiator.ClientPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine as an application uses it. */
class RepriseTest {
    private static final int ACCOUNTS = 40;

    private static Reprise bank(int partitions, Options.Threads threads) {
        Reprise engine = Options.create()
                .partitions(partitions)
                .threads(threads)
                .memoryPerPartition(256 << 20)
                .ddl(Bank.DDL)
                .open();
        for (int id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 1000, "owner " + id);
        }
        return engine;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldConserveMoneyWhenTransfersCrossPartitions(int partitions) {
        try (Reprise engine = bank(partitions, Options.Threads.SITE)) {
            List<CompletableFuture<Reply>> calls = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                calls.add(engine.callAsync("Transfer", i % ACCOUNTS, (i * 7 + 1) % ACCOUNTS, i % 1500));
            }
            int committed = 0;
            for (CompletableFuture<Reply> call : calls) {
                Reply response = call.join();
                committed += response.committed() ? 1 : 0;
                assertThat(response.error()).isIn(null, ErrorCode.USER_ABORT);
            }

            assertThat(committed).isPositive().isLessThan(2000);
            assertThat(engine.call("Total").longValue()).isEqualTo(ACCOUNTS * 1000);
            assertThat(sum(engine)).isEqualTo(ACCOUNTS * 1000);
        }
    }

    private static long sum(Reprise engine) {
        Rows rows = engine.sql("SELECT SUM(balance), COUNT(*), MIN(balance) FROM account")
                .rows();
        assertThat(rows.next()).isTrue();
        assertThat(rows.longAt(1)).isEqualTo(ACCOUNTS);
        assertThat(rows.longAt(2)).isNotNegative();
        return rows.longAt(0);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReturnEveryKindOfResultWhenCalled(Options.Threads threads) {
        try (Reprise engine = bank(2, threads)) {
            assertThat(engine.call("Balance", 7).longValue()).isEqualTo(1000);
            engine.call("Transfer", 7, 8, 100);
            engine.call("Transfer", 9, 10, 250);

            Rows report = engine.call("Report", 1001).rows();
            assertThat(report.count()).isEqualTo(2);
            assertThat(report.next()).isTrue();
            assertThat(report.stringAt(1)).isEqualTo("owner 10");
            assertThat(report.longAt(2)).isEqualTo(1250);
            assertThat(report.columnName(0)).isEqualTo("RANK");

            assertThat(engine.call("SetRate", "base", 3).longValue()).isEqualTo(1);
            Rows rate = engine.call("GetRate", "base").rows();
            assertThat(rate.next()).isTrue();
            assertThat(rate.longAt(0)).isEqualTo(3);

            Rows found = engine.call("Find", 8).rows();
            assertThat(found.next()).isTrue();
            assertThat(found.longAt(1)).isEqualTo(1100);
            assertThat(found.stringAt(2)).isEqualTo("owner 8");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldSayWhatIsExpectedWhenCallIsWrong(int partitions) {
        try (Reprise engine = bank(partitions, Options.Threads.SITE)) {
            assertThatThrownBy(() -> engine.call("Blance", 1))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageContaining("there is no procedure Blance; did you mean BALANCE?")
                    .hasMessageContaining("BALANCE");
            assertThatThrownBy(() -> engine.call("Balance"))
                    .hasMessageContaining("takes 1 argument (long id), but 0 were given");
            assertThatThrownBy(() -> engine.call("Balance", "x")).hasMessageContaining("parameter id");
            assertThatThrownBy(() -> engine.call("Balance", 777)).hasMessageContaining("no account 777");
            assertThatThrownBy(() -> engine.call("OpenAccount", 1, 0, "again"))
                    .isInstanceOfSatisfying(
                            ProcedureException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION));
            assertThatThrownBy(() -> engine.call("Find", 1, 2)).hasMessageContaining("1 parameter");
        }
    }

    @Test
    void shouldRefuseToWaitWhenCalledFromSiteThread() {
        CountDownLatch chained = new CountDownLatch(1);
        Options options = Options.create()
                .ddl(Bank.DDL)
                .memoryPerPartition(64 << 20)
                .replies(reply -> {
                    awaitQuietly(chained);
                    reply.run();
                });
        try (Reprise engine = options.open()) {
            CompletableFuture<Reply> nested = engine.callAsync("Total").thenApply(response -> engine.call("Total"));
            chained.countDown();

            assertThatThrownBy(nested::join)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("callAsync");
        }
    }

    /** Submits one right and one wrong call, and collects the answers. */
    private static final class PortAgent implements Agent {
        private final ClientPort port;
        private final CompletableFuture<String> answers = new CompletableFuture<>();
        private final StringBuilder collected = new StringBuilder();
        private Work work;
        private int underWay;

        PortAgent(ClientPort port) {
            this.port = port;
        }

        @Override
        public String roleName() {
            return "port";
        }

        @Override
        public int doWork(long nowNs) {
            if (work == null) {
                return 0;
            }
            if (underWay == 0 && collected.isEmpty()) {
                Execution right = port.acquire(work, 1);
                right.request().arguments().add(7);
                port.submit(right);
                Execution wrong = port.acquire(work, 2);
                port.submit(wrong);
                assertThat(port.acquire(work, 3)).isNull();
                underWay = 2;
            }
            for (Execution answer = port.poll(); answer != null; answer = port.poll()) {
                collected
                        .append(answer.cookie())
                        .append(
                                answer.outcome().succeeded()
                                        ? "=" + answer.outcome().result().word()
                                        : "!" + answer.outcome().error())
                        .append(' ');
                port.release(answer);
                if (--underWay == 0) {
                    answers.complete(collected.toString());
                }
            }
            return underWay;
        }
    }

    @Test
    void shouldAnswerEveryInvocationWhenAgentUsesPort() {
        List<PortAgent> agents = new ArrayList<>();
        Options options = Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .siteAgent((site, ports) -> {
                    agents.add(new PortAgent(ports.apply(2)));
                    return agents.getLast();
                });
        try (Reprise engine = options.open()) {
            engine.call("OpenAccount", 7, 1000, "x");
            agents.forEach(agent -> agent.work = engine.procedure("Balance"));

            engine.runSites();

            for (PortAgent agent : agents) {
                assertThat(agent.answers.join()).contains("1=1000").contains("2!INVALID_REQUEST");
            }
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Together they must not reserve more address space than a process has. */
    @Test
    void shouldOpenWhenThereAreManyPartitions() {
        Options options = Options.create()
                .partitions(64)
                .threads(Options.Threads.CALLER)
                .memoryPerPartition(4 << 20)
                .ddl(Bank.DDL);
        try (Reprise engine = options.open()) {
            engine.call("OpenAccount", 7, 1000, "x");

            assertThat(engine.call("Balance", 7).longValue()).isEqualTo(1000);
        }
    }

    /** A page takes milliseconds where the machine's host has to find it, and nobody takes the core away meanwhile. */
    @Test
    void shouldMakePagesInTheBackgroundWhenTransactionsRun() throws IOException {
        try (Reprise engine = bank(1, Options.Threads.SITE)) {
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (backgroundThreads() == 0 && System.nanoTime() < endNs) {
                engine.call("Total");
            }

            assertThat(backgroundThreads()).isPositive();
        }
    }

    /** The number of threads of this process in Linux's class SCHED_IDLE. */
    private static long backgroundThreads() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.filter(RepriseTest::isInBackground).count();
        }
    }

    private static boolean isInBackground(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[38].equals("5");
        } catch (IOException ended) {
            return false;
        }
    }
}
