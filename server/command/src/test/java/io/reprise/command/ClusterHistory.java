package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ErrorCode;
import io.reprise.client.Reply;
import io.reprise.client.Rows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Load on a cluster of processes, and a checker of what its clients see. It has three kinds of chains, each with one call under way:
 *
 * <ul>
 *   <li>A counter's chain adds one by numbered calls. The end value is the number of acknowledged calls.
 *   <li>A reader's chain reads a counter. A read sees each addition that was acknowledged before it began, none that began after
 *       it ended, and nothing older than the read before it. With one writer for each counter that is linearizability.
 *   <li>Payers move money between accounts of different partitions, and an auditor reads their sum, which stays zero.
 * </ul>
 *
 * <p>A call may fail by a code that the test allows, which says that it was not run. Any other failure is kept for {@link #stop}.
 */
final class ClusterHistory {
    static final String SCHEMA = """
            CREATE TABLE counters (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            PARTITION TABLE counters ON COLUMN id;
            CREATE PROCEDURE Make PARTITION ON TABLE counters COLUMN id AS INSERT INTO counters VALUES (?, 0);
            CREATE PROCEDURE Bump PARTITION ON TABLE counters COLUMN id AS UPDATE counters SET n = n + 1 WHERE id = ?;
            CREATE PROCEDURE Look PARTITION ON TABLE counters COLUMN id AS SELECT n FROM counters WHERE id = ?;
            CREATE TABLE accounts (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            PARTITION TABLE accounts ON COLUMN id;
            CREATE PROCEDURE OpenAccount PARTITION ON TABLE accounts COLUMN id AS INSERT INTO accounts VALUES (?, 0);
            CREATE PROCEDURE Pay AS
                UPDATE accounts SET n = n + CASE WHEN id = ? THEN -1 ELSE 1 END WHERE id = ? OR id = ?;
            CREATE PROCEDURE Total AS SELECT SUM(n) FROM accounts;
            """;

    private static final int KEYS = 12;
    private static final int ACCOUNTS = 6;
    private static final int PAYERS = 2;
    private static final long PATIENCE_NS = 120_000_000_000L;
    private static final long PAUSE_MS = 20;

    private final List<Counter> counters = new ArrayList<>();
    private final AtomicLong payments = new AtomicLong();
    private final AtomicLong audits = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean loading = new AtomicBoolean(true);
    private final AtomicLong refusals = new AtomicLong();
    private volatile Set<ErrorCode> allowed = Collections.unmodifiableSet(EnumSet.noneOf(ErrorCode.class));
    private volatile String refusal = "";

    ClusterHistory() {
        for (int key = 0; key < KEYS; key++) {
            counters.add(new Counter(key));
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long beganNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - beganNs).as(what).isLessThan(PATIENCE_NS);
            LockSupport.parkNanos(20_000_000);
        }
    }

    /** Makes the rows, and begins all chains. */
    void begin(Client client) {
        for (long key = 0; key < KEYS; key++) {
            client.call("Make", key);
        }
        for (long account = 0; account < ACCOUNTS; account++) {
            client.call("OpenAccount", account);
        }
        for (Counter counter : counters) {
            counter.bump(client);
            counter.look(client);
        }
        for (int payer = 0; payer < PAYERS; payer++) {
            pay(client, new Random(payer));
        }
        audit(client);
    }

    /** From now on calls may fail by these codes, which say that the call was not run. */
    void allow(ErrorCode... codes) {
        allowed = codes.length == 0 ? Set.of() : EnumSet.copyOf(List.of(codes));
    }

    /** The number of calls that failed by an allowed code. */
    long refusals() {
        return refusals.get();
    }

    /** The message of the last of them. */
    String refusal() {
        return refusal;
    }

    /** Waits until each chain has moved on. */
    void awaitProgress(String when) {
        for (Counter counter : counters) {
            counter.awaitProgress(when);
        }
        awaitMore(when + ": payments", payments);
        awaitMore(when + ": audits", audits);
    }

    /** Waits until the counters that can be written have moved on; those of a full disk may stand. */
    void awaitSomeProgress(String when, int least) {
        long[] before =
                counters.stream().mapToLong(each -> each.acknowledged.get()).toArray();
        await(when + ", failure " + failure.get(), () -> {
            int moved = 0;
            for (int key = 0; key < KEYS; key++) {
                moved += counters.get(key).acknowledged.get() > before[key] + 1 ? 1 : 0;
            }
            return moved >= least || failure.get() != null;
        });
    }

    private void awaitMore(String what, AtomicLong count) {
        long before = count.get();
        await(what + ", failure " + failure.get(), () -> count.get() > before + 1 || failure.get() != null);
        assertThat(failure.get()).as(what).isNull();
    }

    /** By counter, the additions that are acknowledged. */
    long[] acknowledged() {
        return counters.stream().mapToLong(each -> each.acknowledged.get()).toArray();
    }

    /** Ends all chains: no call has failed, and nothing wrong was read. */
    void stop(Client client) {
        loading.set(false);
        await("an end of all calls", () -> client.metrics().underWay() == 0);
        assertThat(failure.get()).isNull();
    }

    /** Ends the chains whatever they see. */
    void abandon() {
        loading.set(false);
    }

    /** Each acknowledged addition is there once, and the money is there. */
    void check(Client client) {
        for (Counter counter : counters) {
            long value = number(client.call("Look", counter.key));
            assertThat(value).as("counter " + counter.key).isEqualTo(counter.acknowledged.get());
        }
        assertThat(number(client.call("Total"))).as("the sum of all accounts").isZero();
    }

    /** The same of an older state, in which additions up to some counts are there. */
    void check(Client client, long... least) {
        for (Counter counter : counters) {
            long value = number(client.call("Look", counter.key));
            assertThat(value)
                    .as("counter " + counter.key)
                    .isBetween(least[(int) counter.key], counter.acknowledged.get());
        }
        assertThat(number(client.call("Total"))).as("the sum of all accounts").isZero();
    }

    private static long number(Reply reply) {
        Rows rows = reply.rows();
        assertThat(rows.next()).isTrue();
        return rows.longAt(0);
    }

    // ---- Chains

    private interface Taker {
        void take(Reply reply);
    }

    /** Makes a call, and takes its reply or notes its failure; then the chain goes on. */
    private void call(Client client, Taker taker, Runnable next, String procedure, Object... arguments) {
        client.callAsync(procedure, arguments).whenComplete((reply, problem) -> {
            try {
                if (problem == null) {
                    taker.take(reply);
                    next.run();
                } else if (isAllowed(problem)) {
                    refusals.incrementAndGet();
                    refusal = problem.getMessage();
                    later(next);
                } else {
                    failure.compareAndSet(null, problem);
                }
            } catch (AssertionError | RuntimeException wrong) {
                failure.compareAndSet(null, wrong);
            }
        });
    }

    private boolean isAllowed(Throwable problem) {
        Throwable cause = problem instanceof CallException || problem.getCause() == null ? problem : problem.getCause();
        return cause instanceof CallException call && allowed.contains(call.code());
    }

    private static void later(Runnable next) {
        CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS).execute(next);
    }

    private void pay(Client client, Random random) {
        if (!loading.get()) {
            return;
        }
        long from = random.nextInt(ACCOUNTS);
        long to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        call(client, reply -> payments.incrementAndGet(), () -> pay(client, random), "Pay", from, from, to);
    }

    private void audit(Client client) {
        if (!loading.get()) {
            return;
        }
        Taker taker = reply -> {
            assertThat(number(reply)).as("the sum of all accounts").isZero();
            audits.incrementAndGet();
        };
        call(client, taker, () -> audit(client), "Total");
    }

    /** One counter: its writer, and its reader. */
    private final class Counter {
        private final long key;
        private final AtomicLong begun = new AtomicLong();
        private final AtomicLong acknowledged = new AtomicLong();
        private final AtomicLong reads = new AtomicLong();
        private long lastRead;

        Counter(long key) {
            this.key = key;
        }

        void bump(Client client) {
            if (!loading.get()) {
                return;
            }
            begun.set(acknowledged.get() + 1);
            call(client, reply -> acknowledged.incrementAndGet(), () -> bump(client), "Bump", key);
        }

        void look(Client client) {
            if (!loading.get()) {
                return;
            }
            long before = Math.max(lastRead, acknowledged.get());
            Taker taker = reply -> {
                long value = number(reply);
                assertThat(value).as("a read of counter " + key).isBetween(before, begun.get());
                lastRead = value;
                reads.incrementAndGet();
            };
            call(client, taker, () -> look(client), "Look", key);
        }

        void awaitProgress(String when) {
            awaitMore(when + ": counter " + key, acknowledged);
            awaitMore(when + ": reads of counter " + key, reads);
        }
    }
}
