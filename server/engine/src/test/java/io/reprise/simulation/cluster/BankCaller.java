package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Reply;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Rows;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.agent.Agent;
import io.reprise.simulation.cluster.CallDoor.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client that pays from an account of its own to others by numbered calls, each repeated at any node until its outcome is
 * known, and reads the sum of all accounts of the bank, which is always zero.
 */
final class BankCaller implements Agent {
    /** The bank's accounts have numbers from here on; payers come first. */
    static final int FIRST = 100;

    private static final int RECEIVERS = 6;
    private static final long PATIENCE_NS = 3_000_000_000L;

    private final int payer;
    private final int payers;
    private final List<ClusterMachine> nodes;
    private final Randomness random;
    private long calls;
    private final long client;
    private long sequence;
    private boolean opened;
    private long paid;
    private long to;
    private Call call;
    private CompletableFuture<Reply> sum;
    private ClusterMachine at;
    private long incarnation;
    private long sinceNs;
    private long restUntilNs;

    BankCaller(int payer, int payers, List<ClusterMachine> nodes, Randomness random, int calls) {
        this.payer = payer;
        this.payers = payers;
        this.nodes = nodes;
        this.random = random;
        this.calls = calls;
        client = random.nextLong() | 1;
    }

    @Override
    public String roleName() {
        return "payer-" + payer;
    }

    /** Begins no further payment. */
    void stop() {
        calls = paid;
    }

    boolean isDone() {
        return paid >= calls && call == null && sum == null;
    }

    long account() {
        return (long) FIRST + payer;
    }

    long paid() {
        return paid;
    }

    @Override
    public String toString() {
        return roleName() + " paid " + paid + " of " + calls + (call == null ? "" : ", waits at " + at.number());
    }

    @Override
    public int doWork(long nowNs) {
        if (call != null) {
            return takeAnswer(nowNs);
        }
        if (sum != null) {
            return takeSum(nowNs);
        }
        if (nowNs < restUntilNs || paid >= calls && to == 0) {
            return 0;
        }
        at = nodes.get(random.nextInt(nodes.size()));
        if (!at.isUp()) {
            rest(nowNs);
            return 0;
        }
        incarnation = at.member().incarnation();
        sinceNs = nowNs;
        if (opened && to == 0 && random.chance(0.3)) {
            sum = at.engine().callAsync("BankTotal");
            return 1;
        }
        send();
        return 1;
    }

    private void send() {
        if (to == 0) {
            sequence++;
            to = (long) FIRST + payers + random.nextInt(RECEIVERS);
        }
        if (opened) {
            call = new Call(at.engine().procedure("Pay"), client, sequence, null, account(), to, 1);
        } else {
            call = new Call(at.engine().procedure("OpenAccount"), client, sequence, null, account());
        }
        at.door().send(call, random.nextInt(8));
    }

    private void rest(long nowNs) {
        restUntilNs = nowNs + 1_000_000 + random.nextLong(20_000_000);
    }

    private boolean hasEnded(long nowNs) {
        return !at.isUp() || at.member().incarnation() != incarnation || nowNs - sinceNs > PATIENCE_NS;
    }

    private int takeAnswer(long nowNs) {
        if (!call.isAnswered) {
            call = hasEnded(nowNs) ? null : call;
            return call == null ? 1 : 0;
        }
        Call answered = call;
        call = null;
        if (answered.error == null) {
            paid += opened ? 1 : 0;
            opened = true;
            to = 0;
        } else {
            assertThat(answered.error)
                    .as("%s: %s", this, answered.message)
                    .isIn(
                            ErrorCode.MOVED,
                            ErrorCode.PARTITION_UNAVAILABLE,
                            ErrorCode.OUTCOME_UNKNOWN,
                            ErrorCode.OVERLOADED,
                            ErrorCode.SHUTTING_DOWN);
            rest(nowNs);
        }
        return 1;
    }

    private int takeSum(long nowNs) {
        if (!sum.isDone()) {
            sum = hasEnded(nowNs) ? null : sum;
            return sum == null ? 1 : 0;
        }
        CompletableFuture<Reply> ended = sum;
        sum = null;
        if (!ended.isCompletedExceptionally() && ended.join().committed()) {
            Rows rows = ended.join().rows();
            assertThat(rows.next()).isTrue();
            assertThat(rows.longAt(0)).as("sum of the bank, read by %s", this).isZero();
        }
        rest(nowNs);
        return 1;
    }
}
