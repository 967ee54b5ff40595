package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.transaction.Outcome;
import io.reprise.cluster.transaction.TransactionHistory;
import io.reprise.cluster.transaction.TransactionHistory.ListKey;
import io.reprise.engine.Reply;
import io.reprise.procedure.Rows;
import io.reprise.runtime.Randomness;
import io.reprise.simulation.cluster.CallDoor.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A client that appends values to two chains in one transaction, which tells their lengths before, and reads all chains.
 *
 * <p>A history without a cycle, in which each append found just the values before its own, is that of a serial execution.
 */
final class ChainCaller extends RepeatingCaller {
    /** The chains of a run. */
    static final int CHAINS = 4;

    /** The tables and procedures of this client. */
    static final String DDL = """
            CREATE TABLE chain (id BIGINT NOT NULL PRIMARY KEY, items VARCHAR(4000) NOT NULL);
            PARTITION TABLE chain ON COLUMN id;
            CREATE PROCEDURE Append PARTITION ON TABLE chain COLUMN id PARAMETER 0
                AND ON TABLE chain COLUMN id PARAMETER 1 FROM CLASS io.reprise.simulation.cluster.Bank$Append;
            CREATE PROCEDURE Chains AS SELECT id, items FROM chain;
            """;

    private static final long CLIENTS = 100;

    private final int number;
    private final TransactionHistory history;
    private final List<Told> told = new ArrayList<>();
    private int calls;
    private long appends;
    private long reads;
    private long nowNs;

    private TransactionHistory.Call append;
    private TransactionHistory.Call reader;
    private CompletableFuture<Reply> read;

    /** The lengths that an append found. */
    private record Told(TransactionHistory.Call call, long lengths) {}

    ChainCaller(int number, List<ClusterMachine> nodes, Randomness random, int calls, TransactionHistory history) {
        super(nodes, random);
        this.number = number;
        this.calls = calls;
        this.history = history;
    }

    @Override
    public String roleName() {
        return "chain-" + number;
    }

    /** Begins no further call. */
    void stop() {
        calls = (int) appends;
    }

    boolean isDone() {
        return append == null && read == null && appends >= calls;
    }

    @Override
    public String toString() {
        return roleName() + " appended " + appends + (append == null ? "" : ", waits for " + append);
    }

    @Override
    public int doWork(long now) {
        nowNs = now;
        if (waits()) {
            return takeAnswer(now);
        }
        if (read != null) {
            return takeRead();
        }
        if (rests(now) || append == null && appends >= calls) {
            return 0;
        }
        if (!choose(nodes.get(random.nextInt(nodes.size())), now)) {
            return 0;
        }
        if (append == null && random.chance(0.3)) {
            reader = history.begin(-(++reads * CLIENTS + number), "read", now);
            read = at.engine().callAsync("Chains");
            return 1;
        }
        if (append == null) {
            begin();
        }
        send(
                "Append",
                null,
                append.appends.getFirst().key(),
                append.appends.getLast().key(),
                append.value);
        return 1;
    }

    private void begin() {
        sequence++;
        appends++;
        append = history.begin(sequence * CLIENTS + number, "append", nowNs);
        int first = random.nextInt(CHAINS);
        append.appends.add(new ListKey(0, first));
        append.appends.add(new ListKey(0, (first + 1 + random.nextInt(CHAINS - 1)) % CHAINS));
    }

    @Override
    void succeeded(Call answered) {
        append.toldNs = nowNs;
        append.outcome = Outcome.Kind.DONE;
        told.add(new Told(append, answered.result));
        append = null;
    }

    private int takeRead() {
        if (!read.isDone()) {
            read = hasEnded(nowNs) ? null : read;
            return read == null ? 1 : 0;
        }
        CompletableFuture<Reply> ended = read;
        read = null;
        if (!ended.isCompletedExceptionally() && ended.join().committed()) {
            for (int chain = 0; chain < CHAINS; chain++) {
                reader.reads.put(new ListKey(0, chain), new ArrayList<>());
            }
            chains(ended.join().rows()).forEach((chain, values) -> reader.reads.put(new ListKey(0, chain), values));
            reader.toldNs = nowNs;
            reader.outcome = Outcome.Kind.DONE;
        }
        rest(nowNs);
        return 1;
    }

    /** The values of each chain in rows of Chains. */
    static TreeMap<Integer, List<Long>> chains(Rows rows) {
        TreeMap<Integer, List<Long>> chains = new TreeMap<>();
        while (rows.next()) {
            List<Long> values = new ArrayList<>();
            for (String value : rows.stringAt(1).split(",")) {
                values.add(Long.parseLong(value));
            }
            assertThat(chains.put((int) rows.longAt(0), values))
                    .as("another row of a chain")
                    .isNull();
        }
        return chains;
    }

    /** Compares the lengths that appends were told of with the chains at the end, and brings them into the history. */
    void check(TreeMap<Integer, List<Long>> ends) {
        for (Told each : told) {
            check(each.call, each.call.appends.getFirst(), each.lengths / Bank.Append.FIRST, ends);
            check(each.call, each.call.appends.getLast(), each.lengths % Bank.Append.FIRST, ends);
        }
    }

    private static void check(
            TransactionHistory.Call call, ListKey chain, long length, TreeMap<Integer, List<Long>> ends) {
        List<Long> end = ends.getOrDefault(chain.key(), List.of());
        assertThat(end.indexOf(call.value)).as("place of %s in %s", call, end).isEqualTo((int) length);
        call.reads.put(chain, end.subList(0, (int) length));
    }
}
