package io.reprise.recovery.closure;

import io.reprise.runtime.Randomness;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Chooses the transactions of a recorded log that had better been logged as data, within a budget of bytes: the comparison for the choice at
 * run time. The cost of a choice is the replay time of the closure of some buckets, by {@link BackwardPass}; of several sites that may be lost,
 * the average. Confined to one thread.
 */
public final class OfflineChooser {
    /** The most transactions of an exact search. */
    public static final int MOST_EXACT = 20;

    private final List<LoggedTransaction> history;
    private final int[][] sites;
    private final BitSet candidates;
    private final Costs costs;
    private final double budget;

    /**
     * Costs of records, by the number of a transaction's rows.
     *
     * @param commandNs replay of a command, without its rows
     * @param commandRowNs replay of a command for each row that it touches
     * @param dataNs replay of a data record, without its rows
     * @param dataRowNs replay of a data record for each row that it has
     * @param bytes size of a data record, without its rows
     * @param rowBytes size of a row in it
     */
    public record Costs(
            double commandNs, double commandRowNs, double dataNs, double dataRowNs, double bytes, double rowBytes) {
        /** Costs of a usual machine. */
        public static final Costs USUAL = new Costs(2000, 300, 300, 100, 24, 24);

        double replayNs(LoggedTransaction transaction) {
            return transaction.isData()
                    ? dataNs + dataRowNs * transaction.size()
                    : commandNs + commandRowNs * transaction.size();
        }

        /** The size of a transaction as data. */
        public double bytes(LoggedTransaction transaction) {
            return bytes + rowBytes * written(transaction);
        }

        private static int written(LoggedTransaction transaction) {
            int rows = 0;
            for (int i = 0; i < transaction.size(); i++) {
                rows += transaction.written(i) == 0 ? 0 : 1;
            }
            return rows;
        }
    }

    /**
     * A choice.
     *
     * @param data numbers of the transactions that are logged as data
     * @param recoveryNs replay time of the closure
     * @param bytes bytes of the data records
     */
    public record Plan(BitSet data, double recoveryNs, double bytes) {}

    private record Candidate(int number, double benefit) {}

    /**
     * A chooser.
     *
     * @param history the transactions in log order
     * @param buckets the buckets that a recovery rebuilds
     * @param budget bytes that data records may take
     */
    public OfflineChooser(List<LoggedTransaction> history, int[] buckets, Costs costs, double budget) {
        this(history, new int[][] {buckets}, all(history.size()), costs, budget);
    }

    /**
     * A chooser for the loss of any one of several sites.
     *
     * @param history the transactions in log order
     * @param sites by site, the buckets that a recovery rebuilds
     * @param candidates numbers of the transactions that may be logged as data
     * @param budget bytes that data records may take
     */
    public OfflineChooser(
            List<LoggedTransaction> history, int[][] sites, BitSet candidates, Costs costs, double budget) {
        this.history = List.copyOf(history);
        this.sites = sites.clone();
        this.candidates = (BitSet) candidates.clone();
        this.costs = costs;
        this.budget = budget;
    }

    private static BitSet all(int count) {
        BitSet all = new BitSet();
        all.set(0, count);
        return all;
    }

    /** The log as it is. */
    public Plan none() {
        return plan(new BitSet());
    }

    /**
     * The paper's algorithm 5: always the transaction that saves the most time for each byte. A benefit that was computed for an earlier
     * choice is renewed before it is used. Stops when nothing saves time or fits.
     */
    public Plan greedy() {
        BitSet data = new BitSet();
        Plan now = plan(data);
        PriorityQueue<Candidate> candidates = new PriorityQueue<>((a, b) -> a.benefit() == b.benefit()
                ? Integer.compare(a.number(), b.number())
                : Double.compare(b.benefit(), a.benefit()));
        for (int number : commands()) {
            candidates.add(new Candidate(number, benefit(number, data, now)));
        }
        while (!candidates.isEmpty()) {
            Candidate top = candidates.poll();
            if (now.bytes() + costs.bytes(history.get(top.number())) > budget) {
                continue;
            }
            Candidate renewed = new Candidate(top.number(), benefit(top.number(), data, now));
            if (!candidates.isEmpty() && renewed.benefit() < candidates.peek().benefit()) {
                candidates.add(renewed);
            } else if (renewed.benefit() > 0) {
                data.set(renewed.number());
                now = plan(data);
            }
        }
        return now;
    }

    private double benefit(int number, BitSet data, Plan now) {
        BitSet more = (BitSet) data.clone();
        more.set(number);
        return (now.recoveryNs() - plan(more).recoveryNs()) / costs.bytes(history.get(number));
    }

    /** The best choice, by a search over all. Only for histories with at most {@link #MOST_EXACT} commands. */
    public Plan exact() {
        List<Integer> candidates = commands();
        if (candidates.size() > MOST_EXACT) {
            throw new IllegalArgumentException(
                    "an exact search takes at most " + MOST_EXACT + " commands, and the log has " + candidates.size());
        }
        return best(candidates, 0, new BitSet(), 0, none());
    }

    private Plan best(List<Integer> candidates, int next, BitSet data, double bytes, Plan best) {
        if (next == candidates.size()) {
            Plan plan = plan(data);
            return plan.recoveryNs() < best.recoveryNs() ? plan : best;
        }
        Plan without = best(candidates, next + 1, data, bytes, best);
        int number = candidates.get(next);
        double more = bytes + costs.bytes(history.get(number));
        if (more > budget) {
            return without;
        }
        data.set(number);
        Plan with = best(candidates, next + 1, data, more, without);
        data.clear(number);
        return with;
    }

    /** Transactions by chance, as many as the budget allows. */
    public Plan random(Randomness random) {
        List<Integer> left = commands();
        BitSet data = new BitSet();
        double bytes = 0;
        while (!left.isEmpty()) {
            // By its place: the last one takes it.
            int place = random.nextInt(left.size());
            int number = left.get(place);
            left.set(place, left.getLast());
            left.removeLast();
            if (bytes + costs.bytes(history.get(number)) <= budget) {
                bytes += costs.bytes(history.get(number));
                data.set(number);
            }
        }
        return plan(data);
    }

    private List<Integer> commands() {
        List<Integer> commands = new ArrayList<>();
        for (int number = 0; number < history.size(); number++) {
            if (candidates.get(number)
                    && !history.get(number).isData()
                    && !history.get(number).isCoarse()) {
                commands.add(number);
            }
        }
        return commands;
    }

    /** The plan of a choice that was made elsewhere, whatever its bytes are. */
    public Plan plan(BitSet data) {
        double recoveryNs = 0;
        for (int[] buckets : sites) {
            recoveryNs += recoveryNs(data, buckets);
        }
        double bytes = 0;
        for (int number = data.nextSetBit(0); number >= 0; number = data.nextSetBit(number + 1)) {
            bytes += costs.bytes(history.get(number));
        }
        return new Plan((BitSet) data.clone(), recoveryNs / sites.length, bytes);
    }

    private double recoveryNs(BitSet data, int... buckets) {
        BackwardPass pass = new BackwardPass(BackwardPass.MOST_ROWS);
        for (int bucket : buckets) {
            pass.needBucket(bucket);
        }
        double recoveryNs = 0;
        for (int number = history.size() - 1; number >= 0; number--) {
            LoggedTransaction transaction = history.get(number);
            if (data.get(number)) {
                transaction = transaction.asData();
            }
            if (pass.visit(transaction)) {
                recoveryNs += costs.replayNs(transaction);
            }
        }
        return recoveryNs;
    }
}
