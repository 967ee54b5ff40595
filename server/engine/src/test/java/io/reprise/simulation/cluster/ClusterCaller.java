package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Reply;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.agent.Agent;
import io.reprise.simulation.cluster.CallDoor.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client with an account of its own. It opens the account, deposits ones and writes notes by numbered calls, each repeated
 * at any node until its outcome is known, and reads balances of all accounts.
 *
 * <p>A read lies between the deposits acknowledged before it began and those sent when it ended, and no read sees less than
 * another one that ended before it began.
 */
final class ClusterCaller implements Agent {
    private static final long PATIENCE_NS = 3_000_000_000L;

    /** The truth about an account, as its owner and all readers know it. */
    static final class Account {
        final int id;
        boolean open;
        long sent;
        long acknowledged;
        long notes;
        long mostRead;

        Account(int id) {
            this.id = id;
        }
    }

    private final Account own;
    private final List<Account> all;
    private final List<ClusterMachine> nodes;
    private final Randomness random;
    private int calls;
    private final long client;
    private int made;
    private long sequence;

    private String procedure;
    private Call call;
    private CompletableFuture<Reply> read;
    private Account readOf;
    private long leastRead;
    private ClusterMachine at;
    private long incarnation;
    private long sinceNs;
    private long restUntilNs;
    private int leader = -1;

    ClusterCaller(Account own, List<Account> all, List<ClusterMachine> nodes, Randomness random, int calls) {
        this.own = own;
        this.all = all;
        this.nodes = nodes;
        this.random = random;
        this.calls = calls;
        client = random.nextLong() | 1;
    }

    @Override
    public String roleName() {
        return "caller-" + own.id;
    }

    /** Begins no further call. */
    void stop() {
        calls = made;
    }

    boolean isDone() {
        return made >= calls && procedure == null && read == null;
    }

    @Override
    public String toString() {
        return roleName() + " made " + made + " of " + calls + ", waits for " + procedure + " at "
                + (at == null ? "no node" : "node " + at.number());
    }

    @Override
    public int doWork(long nowNs) {
        if (read != null) {
            return takeRead(nowNs);
        }
        if (call != null) {
            return takeAnswer(nowNs);
        }
        if (nowNs < restUntilNs || made >= calls && procedure == null) {
            return 0;
        }
        if (procedure == null) {
            made++;
            if (own.open && random.chance(0.4)) {
                return read(nowNs);
            }
            procedure = !own.open ? "OpenAccount" : random.chance(0.7) ? "Deposit" : "Note";
            sequence++;
            own.sent += procedure.equals("Deposit") ? 1 : 0;
        }
        return send(nowNs);
    }

    private boolean choose(long nowNs) {
        at = leader >= 0 && random.chance(0.8) ? nodes.get(leader) : nodes.get(random.nextInt(nodes.size()));
        leader = -1;
        if (!at.isUp()) {
            rest(nowNs);
            return false;
        }
        incarnation = at.member().incarnation();
        sinceNs = nowNs;
        return true;
    }

    private void rest(long nowNs) {
        restUntilNs = nowNs + 1_000_000 + random.nextLong(20_000_000);
    }

    private boolean hasEnded(long nowNs) {
        return !at.isUp() || at.member().incarnation() != incarnation || nowNs - sinceNs > PATIENCE_NS;
    }

    // ---- Writes

    private int send(long nowNs) {
        if (!choose(nowNs)) {
            return 0;
        }
        long[] numbers = procedure.equals("Deposit") ? new long[] {1, own.id} : new long[] {own.id};
        String text = procedure.equals("Note") ? "note " + sequence : null;
        call = new Call(at.engine().procedure(procedure), client, sequence, text, numbers);
        at.door().send(call, random.nextInt(8));
        return 1;
    }

    private int takeAnswer(long nowNs) {
        if (!call.isAnswered) {
            if (hasEnded(nowNs)) {
                call = null;
                return 1;
            }
            return 0;
        }
        Call answered = call;
        call = null;
        if (answered.error == null) {
            if (procedure.equals("Deposit")) {
                assertThat(answered.result)
                        .as("rows of a deposit to account %d", own.id)
                        .isEqualTo(1);
                own.acknowledged++;
            }
            own.notes += procedure.equals("Note") ? 1 : 0;
            own.open = true;
            procedure = null;
        } else {
            assertThat(answered.error)
                    .as("%s of account %d: %s", procedure, own.id, answered.message)
                    .isIn(
                            ErrorCode.MOVED,
                            ErrorCode.PARTITION_UNAVAILABLE,
                            ErrorCode.OUTCOME_UNKNOWN,
                            ErrorCode.OVERLOADED,
                            ErrorCode.SHUTTING_DOWN);
            follow(answered.error, answered.message);
            rest(nowNs);
        }
        return 1;
    }

    private void follow(ErrorCode error, String message) {
        if (error == ErrorCode.MOVED) {
            int from = message.indexOf("led by node ") + "led by node ".length();
            leader = message.charAt(from) - '0';
        }
    }

    // ---- Reads

    private int read(long nowNs) {
        if (!choose(nowNs)) {
            return 0;
        }
        readOf = all.get(random.nextInt(all.size()));
        leastRead = Math.max(readOf.acknowledged, readOf.mostRead);
        read = at.engine().callAsync("Balance", (long) readOf.id);
        return 1;
    }

    private int takeRead(long nowNs) {
        if (!read.isDone()) {
            if (hasEnded(nowNs)) {
                read = null;
                return 1;
            }
            return 0;
        }
        CompletableFuture<Reply> ended = read;
        read = null;
        if (ended.isCompletedExceptionally()) {
            return 1;
        }
        Reply reply = ended.join();
        if (reply.committed()) {
            long balance = reply.rows().next() ? reply.rows().longAt(0) : 0;
            assertThat(balance)
                    .as("account %d, read at node %d", readOf.id, at.number())
                    .isBetween(leastRead, readOf.sent);
            readOf.mostRead = Math.max(readOf.mostRead, balance);
        }
        return 1;
    }

    /** The end of the run: what was acknowledged is there, each numbered call once. */
    void check(long balance, long notes) {
        assertThat(balance).as("deposits to account %d", own.id).isEqualTo(own.acknowledged);
        assertThat(own.acknowledged).isEqualTo(own.sent);
        assertThat(notes).as("notes of account %d", own.id).isEqualTo(own.notes);
    }

    Account own() {
        return own;
    }
}
