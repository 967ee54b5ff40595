package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Reply;
import io.reprise.procedure.Rows;
import io.reprise.runtime.Randomness;
import io.reprise.simulation.cluster.CallDoor.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client that pays from its own account to others, and reads the sum of all accounts of the bank, which is always zero. */
final class BankCaller extends RepeatingCaller {
    /** The bank's accounts have numbers from here on; payers come first. */
    static final int FIRST = 100;

    private static final int RECEIVERS = 6;

    private final int payer;
    private final int payers;
    private final String procedure;
    private long calls;
    private boolean opened;
    private long paid;
    private long to;
    private CompletableFuture<Reply> sum;

    BankCaller(int payer, int payers, List<ClusterMachine> nodes, Randomness random, int calls, String procedure) {
        super(nodes, random);
        this.procedure = procedure;
        this.payer = payer;
        this.payers = payers;
        this.calls = calls;
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
        return paid >= calls && to == 0 && !waits() && sum == null;
    }

    /** Whether its own account is known to be there. */
    boolean isOpened() {
        return opened;
    }

    long account() {
        return (long) FIRST + payer;
    }

    long paid() {
        return paid;
    }

    @Override
    public String toString() {
        return roleName() + " paid " + paid + " of " + calls + (waits() ? ", waits at " + at.number() : "");
    }

    @Override
    public int doWork(long nowNs) {
        if (waits()) {
            return takeAnswer(nowNs);
        }
        if (sum != null) {
            return takeSum(nowNs);
        }
        if (rests(nowNs) || paid >= calls && to == 0) {
            return 0;
        }
        if (!choose(nodes.get(random.nextInt(nodes.size())), nowNs)) {
            return 0;
        }
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
            send(procedure, null, account(), to, 1);
        } else {
            send("OpenAccount", null, account());
        }
    }

    @Override
    void succeeded(Call answered) {
        paid += opened ? 1 : 0;
        opened = true;
        to = 0;
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
