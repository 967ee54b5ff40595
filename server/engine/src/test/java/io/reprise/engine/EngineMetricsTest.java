package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.SlowTransaction;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.runtime.time.Clock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EngineMetricsTest {
    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL);
            PARTITION TABLE account ON COLUMN id;
            """;

    /** Takes from an account, and aborts when there is not enough. */
    public static final class Take extends Procedure {
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement write = sql("UPDATE account SET balance = ? WHERE id = ?");

        public long run(long account, long amount) {
            Rows rows = read.set(0, account).query();
            rows.next();
            long balance = rows.longAt(0);
            if (balance < amount) {
                throw abort("not enough");
            }
            write.set(0, balance - amount).set(1, account).update();
            return balance - amount;
        }
    }

    @TempDir
    Path directory;

    private static Options options() {
        return Options.create()
                .threads(Options.Threads.CALLER)
                .partitions(2)
                .ddl(DDL)
                .ddl("CREATE PROCEDURE PARTITION ON TABLE account COLUMN id PARAMETER 0 FROM CLASS "
                        + Take.class.getName());
    }

    @Test
    void shouldCountCallsByOutcomeWhenProceduresAreCalled() {
        try (Reprise engine = options().open()) {
            for (long id = 0; id < 10; id++) {
                engine.sql("INSERT INTO account VALUES (?, 100)", id);
            }

            for (long id = 0; id < 10; id++) {
                engine.call("Take", id, 60);
            }
            assertThatThrownBy(() -> engine.call("Take", 3, 60)).isInstanceOf(ProcedureException.class);
            assertThatThrownBy(() -> engine.call("Take", 3, "x")).isInstanceOf(ProcedureException.class);

            EngineMetrics metrics = engine.metrics();
            EngineMetrics.ProcedureMetrics take = procedure(metrics, "Take");
            assertThat(take.committed()).isEqualTo(10);
            assertThat(take.failed()).isEqualTo(Map.of(ErrorCode.USER_ABORT, 1L));
            assertThat(take.latency().count()).isEqualTo(11);
            assertThat(take.execution().count()).isPositive();
            assertThat(procedure(metrics, EngineMetrics.AD_HOC).committed()).isEqualTo(10);
            assertThat(metrics.refused()).isEqualTo(Map.of(ErrorCode.INVALID_VALUE, 1L));
        }
    }

    @Test
    void shouldKeepCountingWhenAProcedureIsReplaced() {
        try (Reprise engine = options().open()) {
            engine.sql("INSERT INTO account VALUES (1, 100)");
            engine.call("Take", 1, 10);
            engine.ddl("CREATE OR REPLACE PROCEDURE PARTITION ON TABLE account COLUMN id PARAMETER 0 FROM CLASS "
                    + Take.class.getName());

            engine.call("Take", 1, 10);

            assertThat(procedure(engine.metrics(), "Take").committed()).isEqualTo(2);
        }
    }

    @Test
    void shouldTellWhatPartitionsHoldWhenSomeTimeHasPassed() {
        SteppingClock clock = new SteppingClock(Duration.ofMillis(1));
        try (Reprise engine = options().clock(clock).open()) {
            for (long id = 0; id < 10; id++) {
                engine.sql("INSERT INTO account VALUES (?, 100)", id);
            }
            clock.nowNs += Duration.ofSeconds(1).toNanos();

            engine.runSites();

            List<EngineMetrics.PartitionMetrics> partitions = engine.metrics().partitions();
            assertThat(partitions).hasSize(2);
            assertThat(partitions.stream()
                            .mapToLong(p -> p.tables().get("ACCOUNT").rows())
                            .sum())
                    .isEqualTo(10);
            assertThat(partitions).allSatisfy(p -> {
                assertThat(p.memoryUsed()).isBetween(1L, p.memoryLimit());
                assertThat(p.queued()).isZero();
                assertThat(p.waitingReplies()).isZero();
            });
        }
    }

    @Test
    void shouldNotCountAReplayAsCallsWhenAnEngineIsOpenedAgain() {
        try (Reprise engine = options().directory(directory).open()) {
            engine.sql("INSERT INTO account VALUES (1, 100)");
            engine.call("Take", 1, 10);
        }

        try (Reprise engine = options().directory(directory).open()) {
            assertThat(procedure(engine.metrics(), "Take").committed()).isZero();
            assertThat(procedure(engine.metrics(), "Take").latency().count()).isZero();
            engine.call("Take", 1, 10);
            assertThat(procedure(engine.metrics(), "Take").latency().count()).isEqualTo(1);
            assertThat(engine.metrics().log().orElseThrow().flushTimes().count())
                    .isPositive();
        }
    }

    @Test
    void shouldTellOfSlowTransactionsWhenTheyTakeLongerThanTheLimit() {
        SteppingClock clock = new SteppingClock(Duration.ofMillis(30));
        try (Reprise engine =
                options().clock(clock).slowAfter(Duration.ofMillis(20)).open()) {
            engine.sql("INSERT INTO account VALUES (1, 100)");

            engine.call("Take", 1, 10);
            engine.runSites();

            assertThat(engine.slowTransactions())
                    .extracting(SlowTransaction::procedure)
                    .contains("Take");
            SlowTransaction slow = engine.slowTransactions().getLast();
            assertThat(slow.tookNs())
                    .isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
            assertThat(SlowTransactionLog.describe(slow)).contains("Take", "queued", "executing", "committed");
        }
    }

    @Test
    void shouldTellOfNoTransactionWhenThereIsNoLimit() {
        SteppingClock clock = new SteppingClock(Duration.ofSeconds(1));
        try (Reprise engine = options().clock(clock).open()) {
            engine.sql("INSERT INTO account VALUES (1, 100)");
            engine.runSites();

            assertThat(engine.slowTransactions()).isEmpty();
        }
    }

    private static EngineMetrics.ProcedureMetrics procedure(EngineMetrics metrics, String name) {
        return metrics.procedures().stream()
                .filter(procedure -> procedure.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Goes on by a step with each look. */
    private static final class SteppingClock implements Clock {
        private final long stepNs;
        private long nowNs;

        SteppingClock(Duration step) {
            stepNs = step.toNanos();
        }

        @Override
        public long nanoTime() {
            nowNs += stepNs;
            return nowNs;
        }

        @Override
        public long epochMicros() {
            return nowNs / 1000;
        }
    }
}
