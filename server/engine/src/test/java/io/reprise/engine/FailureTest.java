package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Statement;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.Cancellation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Misbehaviour costs its own transaction only. */
class FailureTest {
    private static final String DDL = """
            CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            PARTITION TABLE item ON COLUMN id;
            CREATE PROCEDURE PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.FailureTest$Loop;
            CREATE PROCEDURE PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.FailureTest$Recurse;
            CREATE PROCEDURE PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.FailureTest$Crash;
            CREATE PROCEDURE PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.FailureTest$RecurseAndWrite;
            CREATE PROCEDURE PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.FailureTest$RecurseRoundabout;
            CREATE PROCEDURE FROM CLASS io.reprise.engine.FailureTest$LoopEverywhere;
            CREATE PROCEDURE CountItems AS SELECT COUNT(*) FROM item;
            CREATE PROCEDURE Put AS INSERT INTO item VALUES (?, ?);
            """;

    private static Options options(int partitions) {
        return Options.create()
                .partitions(partitions)
                .memoryPerPartition(64 << 20)
                .ddl(DDL);
    }

    /** Never ends. */
    public static final class Loop extends Procedure {
        private final Statement insert = sql("INSERT INTO item VALUES (?, ?)");

        /** Writes, then loops, catching what it can. */
        public long run(long id, boolean stubborn) {
            insert.set(0, id).set(1, 1).update();
            long n = id;
            while (n >= 0) {
                try {
                    while (n >= 0) {
                        n = (n * 31 + 1) & 0xFFFF;
                    }
                } catch (ProcedureException e) {
                    if (!stubborn) {
                        throw e;
                    }
                    return -1;
                }
            }
            return n;
        }
    }

    /** Never ends, over all partitions. */
    public static final class LoopEverywhere extends Procedure {
        private final Statement update = sql("UPDATE item SET n = n + 1");

        /** Loops. */
        public void run() {
            while (true) {
                update.update();
            }
        }
    }

    /** Recurses without end. */
    public static final class Recurse extends Procedure {
        private final Statement insert = sql("INSERT INTO item VALUES (?, ?)");

        /** Writes, then recurses. */
        public long run(long id) {
            insert.set(0, id).set(1, 1).update();
            return deeper(id);
        }

        private long deeper(long n) {
            return n < 0 ? n : deeper(n + 1) + 1;
        }
    }

    /** Recurses without end, and writes at every step. */
    public static final class RecurseAndWrite extends Procedure {
        private final Statement insert = sql("INSERT INTO item VALUES (?, ?)");
        private final Statement update = sql("UPDATE item SET n = n + 1 WHERE id = ?");

        /** Recurses by two methods in turn. */
        public long run(long id) {
            insert.set(0, id).set(1, 1).update();
            return odd(id, 0);
        }

        private long odd(long id, long n) {
            update.set(0, id).update();
            return n < 0 ? n : even(id, n + 1) + 1;
        }

        private long even(long id, long n) {
            return odd(id, n) + update.update();
        }
    }

    /** Recurses without end by ways that the JDK or an interface lies on, and writes at every step. */
    public static final class RecurseRoundabout extends Procedure {
        private interface Step {
            long take(long id);
        }

        private final class Direct implements Step {
            @Override
            public long take(long id) {
                return next.take(id) + write(id);
            }
        }

        private final class Ordered implements Comparator<Long> {
            @Override
            public int compare(Long a, Long b) {
                write(a);
                return new TreeSet<>(this).add(b) ? 1 : 0;
            }
        }

        private final Statement insert = sql("INSERT INTO item VALUES (?, ?)");
        private final Statement update = sql("UPDATE item SET n = n + 1 WHERE id = ?");
        private final Step next = new Direct();
        private LongUnaryOperator self;

        /** Recurses by an interface, a lambda, a comparator, or a long chain of the JDK's. */
        public long run(long id, String way) {
            insert.set(0, id).set(1, 1).update();
            return switch (way) {
                case "interface" -> next.take(id);
                case "lambda" -> {
                    self = n -> self.applyAsLong(n) + write(n);
                    yield self.applyAsLong(id);
                }
                case "comparator" -> new TreeSet<>(new Ordered()).add(id) ? 1 : 0;
                default -> chain(id);
            };
        }

        private long chain(long id) {
            LongUnaryOperator chain = this::write;
            long sum = 0;
            for (int i = 0; i < 1_000_000; i++) {
                chain = chain.andThen(n -> n);
                if (i % 37 == 0) {
                    sum += chain.applyAsLong(id);
                }
            }
            return sum;
        }

        private long write(long id) {
            return update.set(0, id).update();
        }
    }

    /** Throws what it should not. */
    public static final class Crash extends Procedure {
        private final Statement insert = sql("INSERT INTO item VALUES (?, ?)");

        /** Writes, then fails. */
        public long run(long id, int[] values) {
            insert.set(0, id).set(1, 1).update();
            return values[10];
        }
    }

    private static void assertCode(ErrorCode code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static long count(Reprise engine) {
        var rows = engine.call("CountItems").rows();
        rows.next();
        return rows.longAt(0);
    }

    @Test
    void shouldRollBackWithTimeLimitWhenProcedureLoops() {
        try (Reprise engine = Unhurried.call(
                () -> options(2).timeLimit(Duration.ofMillis(100)).open())) {
            Unhurried.call(() -> engine.call("Put", 1, 1));

            assertCode(ErrorCode.TIME_LIMIT, () -> engine.call("Loop", 5, false));
            assertCode(ErrorCode.TIME_LIMIT, () -> engine.call("Loop", 6, true));
            assertCode(ErrorCode.TIME_LIMIT, () -> engine.call("LoopEverywhere"));

            assertThat(Unhurried.call(() -> count(engine))).isEqualTo(1);
            assertThat(Unhurried.call(() -> engine.call("Put", 5, 1)).longValue())
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldRollBackWhenTheClientCancels() {
        try (Reprise engine = Unhurried.call(
                () -> options(2).timeLimit(Duration.ofMinutes(10)).open())) {
            Unhurried.call(() -> engine.call("Put", 1, 1));
            Object[][] calls = {{"Loop", 5, false}, {"Loop", 6, true}, {"LoopEverywhere"}};
            for (Object[] call : calls) {
                Cancellation cancellation = new Cancellation();
                CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS)
                        .execute(() -> cancellation.cancel("enough"));
                Object[] arguments = Arrays.copyOfRange(call, 1, call.length);
                assertCode(
                        ErrorCode.CANCELED,
                        () -> engine.callWithin(
                                new RunLimits(Long.MAX_VALUE, cancellation), (String) call[0], arguments));
            }

            Cancellation before = new Cancellation();
            before.cancel("at once");
            assertCode(ErrorCode.CANCELED, () -> engine.callWithin(new RunLimits(Long.MAX_VALUE, before), "Put", 9, 1));

            assertThat(Unhurried.call(() -> count(engine))).isEqualTo(1);
            assertThat(Unhurried.call(() -> engine.call("Put", 5, 1)).longValue())
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldRollBackAndSayWhereWhenProcedureThrows() {
        try (Reprise engine = options(2).open()) {
            assertThatThrownBy(() -> engine.call("Crash", 5, new int[3]))
                    .hasMessageContaining("ArrayIndexOutOfBoundsException")
                    .hasMessageContaining("Index 10 out of bounds for length 3")
                    .hasMessageContaining("FailureTest.java:");
            assertCode(ErrorCode.PROCEDURE_FAILURE, () -> engine.call("Crash", 5, new int[3]));
            assertCode(ErrorCode.PROCEDURE_FAILURE, () -> engine.call("Recurse", 5));
            assertThatThrownBy(() -> engine.call("Recurse", 6))
                    .hasMessageContaining("recursed too deeply")
                    .hasMessageContaining("FailureTest$Recurse.deeper(FailureTest.java:");

            assertThat(count(engine)).isZero();
            assertThat(engine.call("Put", 5, 1).longValue()).isEqualTo(1);
        }
    }

    /** When compiled code has thrown the same exception often, the JVM throws one without message and line, unless told not to. */
    @Test
    void shouldSayWhereHoweverOftenProcedureThrows() {
        try (Reprise engine = options(1).threads(Options.Threads.CALLER).open()) {
            for (int i = 0; i < 100_000; i++) {
                assertThatThrownBy(() -> engine.call("Crash", 5, new int[3]))
                        .hasMessageContaining("Index 10 out of bounds for length 3")
                        .hasMessageContaining("FailureTest.java:");
            }
        }
    }

    @Test
    void shouldKeepStorageWholeWhenStackOverflowsWhileWriting() {
        try (Reprise engine = options(2).open()) {
            engine.call("Put", 1, 1);
            long[] before = engine.contentHashes();

            for (int i = 0; i < 20; i++) {
                int id = 5 + i % 7;
                assertCode(ErrorCode.PROCEDURE_FAILURE, () -> engine.call("RecurseAndWrite", id));
            }

            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(engine.call("Put", 5, 1).longValue()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"interface", "lambda", "comparator", "chain"})
    void shouldKeepStorageWholeWhenRecursionGoesRoundabout(String way) {
        try (Reprise engine = options(2).open()) {
            engine.call("Put", 1, 1);
            long[] before = engine.contentHashes();

            for (int i = 0; i < 20; i++) {
                int id = 5 + i % 7;
                assertThatThrownBy(() -> engine.call("RecurseRoundabout", id, way))
                        .hasMessageStartingWith("procedure RecurseRoundabout recursed too deeply at ")
                        .hasMessageEndingWith("; its transaction was rolled back");
            }

            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(engine.call("Put", 5, 1).longValue()).isEqualTo(1);
        }
    }

    @Test
    void shouldRefuseAtOnceWhenTooManyWait() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        Agent blocker = new Agent() {
            @Override
            public String roleName() {
                return "blocker";
            }

            @Override
            public int doWork(long nowNs) {
                blocked.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return 0;
            }
        };
        Options options =
                options(1).sites(Sites.Settings.usual().withInboundCapacity(64)).siteAgent((site, ports) -> blocker);
        try (Reprise engine = options.open()) {
            blocked.await();
            List<CompletableFuture<Reply>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(engine.callAsync("Put", i, i));
            }
            List<Reply> refused = new ArrayList<>();
            for (CompletableFuture<Reply> call : calls.subList(64, 100)) {
                refused.add(call.join());
            }
            release.countDown();

            assertThat(refused).allSatisfy(r -> {
                assertThat(r.error()).isEqualTo(ErrorCode.OVERLOADED);
                assertThat(r.error().retryable()).isTrue();
            });
            for (CompletableFuture<Reply> call : calls.subList(0, 64)) {
                assertThat(call.join().committed()).isTrue();
            }
            assertThat(count(engine)).isEqualTo(64);
        }
    }

    @Test
    void shouldRefuseCallsWhenClosed() {
        Reprise engine = options(2).open();
        CompletableFuture<Reply> before = engine.callAsync("Put", 1, 1);
        engine.close();
        engine.close();

        assertThat(before.join().committed()).isTrue();
        assertCode(ErrorCode.SHUTTING_DOWN, () -> engine.call("Put", 2, 2));
    }

    @Test
    void shouldEndEngineWhenAgentFails() {
        // An engine that ends before it is open fails to open.
        AtomicBoolean open = new AtomicBoolean();
        Options options = options(2).siteAgent((site, ports) -> new Agent() {
            private int cycles;

            @Override
            public String roleName() {
                return "doomed";
            }

            @Override
            public int doWork(long nowNs) {
                if (site == 1 && open.get() && cycles++ > 1000) {
                    throw new IllegalStateException("doomed");
                }
                return 1;
            }
        });
        try (Reprise engine = options.open()) {
            open.set(true);
            assertThatThrownBy(() -> {
                        while (true) {
                            engine.call("CountItems");
                        }
                    })
                    .isInstanceOfSatisfying(
                            ProcedureException.class,
                            e -> assertThat(e.code()).isIn(ErrorCode.SHUTTING_DOWN, ErrorCode.OUTCOME_UNKNOWN))
                    .hasMessageContaining("doomed");
        }
    }
}
