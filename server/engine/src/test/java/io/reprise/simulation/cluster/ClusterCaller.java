package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Reply;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.Randomness;
import io.reprise.simulation.cluster.CallDoor.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client with an account of its own. It opens the account, deposits ones, writes notes, and reads balances of all accounts.
 *
 * <p>A read lies between the deposits acknowledged before it began and those sent when it ended, and no read sees less than
 * another one that ended before it began.
 */
final class ClusterCaller extends RepeatingCaller {
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
    private int calls;
    private int made;

    private String procedure;
    private CompletableFuture<Reply> read;
    private Account readOf;
    private long leastRead;
    private int leader = -1;

    ClusterCaller(Account own, List<Account> all, List<ClusterMachine> nodes, Randomness random, int calls) {
        super(nodes, random);
        this.own = own;
        this.all = all;
        this.calls = calls;
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
        if (waits()) {
            return takeAnswer(nowNs);
        }
        if (rests(nowNs) || made >= calls && procedure == null) {
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
        ClusterMachine node =
                leader >= 0 && random.chance(0.8) ? nodes.get(leader) : nodes.get(random.nextInt(nodes.size()));
        leader = -1;
        return choose(node, nowNs);
    }

    // ---- Writes

    private int send(long nowNs) {
        if (!choose(nowNs)) {
            return 0;
        }
        long[] numbers = procedure.equals("Deposit") ? new long[] {1, own.id} : new long[] {own.id};
        String text = procedure.equals("Note") ? "note " + sequence : null;
        send(procedure, text, numbers);
        return 1;
    }

    @Override
    void succeeded(Call answered) {
        if (procedure.equals("Deposit")) {
            assertThat(answered.result)
                    .as("rows of a deposit to account %d", own.id)
                    .isEqualTo(1);
            own.acknowledged++;
        }
        own.notes += procedure.equals("Note") ? 1 : 0;
        own.open = true;
        procedure = null;
    }

    @Override
    void refused(ErrorCode error, String message) {
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

    /** The end of the run: acknowledged writes are there, each numbered call once. */
    void check(long balance, long notes) {
        assertThat(balance).as("deposits to account %d", own.id).isEqualTo(own.acknowledged);
        assertThat(own.acknowledged).isEqualTo(own.sent);
        assertThat(notes).as("notes of account %d", own.id).isEqualTo(own.notes);
    }

    Account own() {
        return own;
    }
}
