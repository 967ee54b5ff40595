package io.reprise.recovery.closure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The dependency graph of a small log, for reports: the transactions that follow each one, in log order. A transaction follows the last writer of
 * each piece that it touches, and, if it writes a piece, all its readers since that writer. A data record reads nothing. Coarse transactions
 * are not followed by rows; a graph with some is refused.
 *
 * <p>Groups are those of the paper "Adaptive Logging", algorithms 1 and 2: one for each transaction that follows none, with all that is
 * reachable from it. A transaction may be in several.
 */
public final class DependencyGraph {
    private static final int PIECES = Long.SIZE;

    private final List<LoggedTransaction> transactions = new ArrayList<>();

    /** By transaction, the numbers of those that it follows: the backward links. */
    private final List<BitSet> before = new ArrayList<>();

    /** By table and row, the touches of each piece. */
    private final Map<RowOfTable, Pieces> rows =
            new TreeMap<>(Comparator.comparingInt(RowOfTable::table).thenComparingLong(RowOfTable::row));

    private record RowOfTable(int table, long row) {}

    /** By piece, the last writer and the readers since; -1: none. */
    private static final class Pieces {
        private final int[] writers = new int[PIECES];
        private final BitSet[] readers = new BitSet[PIECES];

        Pieces() {
            Arrays.fill(writers, -1);
        }

        void read(int piece, int reader, BitSet before) {
            if (writers[piece] >= 0) {
                before.set(writers[piece]);
            }
            if (readers[piece] == null) {
                readers[piece] = new BitSet();
            }
            readers[piece].set(reader);
        }

        void write(int piece, int writer, BitSet before) {
            if (writers[piece] >= 0) {
                before.set(writers[piece]);
            }
            if (readers[piece] != null) {
                before.or(readers[piece]);
                readers[piece] = null;
            }
            writers[piece] = writer;
        }
    }

    /** An empty graph. */
    public DependencyGraph() {}

    /** Adds the next transaction of the log. */
    public void add(LoggedTransaction transaction) {
        if (transaction.isCoarse()) {
            throw new IllegalArgumentException(
                    "transaction " + transaction.id()
                            + " has no footprint, so its edges are not known; log footprints (log.footprints), and call procedures");
        }
        int number = transactions.size();
        BitSet follows = new BitSet();
        for (int i = 0; i < transaction.size(); i++) {
            Pieces pieces =
                    rows.computeIfAbsent(new RowOfTable(transaction.table(i), transaction.row(i)), key -> new Pieces());
            for (int piece = 0; piece < PIECES; piece++) {
                long bit = 1L << piece;
                if ((transaction.read(i) & bit) != 0 && !transaction.isData()) {
                    pieces.read(piece, number, follows);
                }
                if ((transaction.written(i) & bit) != 0) {
                    pieces.write(piece, number, follows);
                }
            }
        }
        follows.clear(number);
        transactions.add(transaction);
        before.add(follows);
    }

    /** The number of transactions. */
    public int size() {
        return transactions.size();
    }

    /** The id of a transaction, by its number in the log. */
    public long id(int number) {
        return transactions.get(number).id();
    }

    /** The backward links of a transaction: numbers of those that it follows directly. */
    public BitSet before(int number) {
        return (BitSet) before.get(number).clone();
    }

    /** The groups by their first transactions, in log order: each with the numbers of its members. */
    public List<BitSet> groups() {
        List<BitSet> groups = new ArrayList<>();
        for (int first = 0; first < size(); first++) {
            if (before.get(first).isEmpty()) {
                groups.add(reachable(first));
            }
        }
        return groups;
    }

    private BitSet reachable(int first) {
        BitSet members = new BitSet();
        members.set(first);
        for (int number = first + 1; number < size(); number++) {
            if (before.get(number).intersects(members)) {
                members.set(number);
            }
        }
        return members;
    }

    /** The inverted index: by transaction, the numbers of its groups. */
    public List<BitSet> groupsOf(List<BitSet> groups) {
        List<BitSet> index = new ArrayList<>();
        for (int number = 0; number < size(); number++) {
            BitSet of = new BitSet();
            for (int group = 0; group < groups.size(); group++) {
                of.set(group, groups.get(group).get(number));
            }
            index.add(of);
        }
        return index;
    }

    /** The number of transactions of the longest path. */
    public int criticalPath() {
        int[] lengths = new int[size()];
        int longest = 0;
        for (int number = 0; number < size(); number++) {
            BitSet follows = before.get(number);
            for (int each = follows.nextSetBit(0); each >= 0; each = follows.nextSetBit(each + 1)) {
                lengths[number] = Math.max(lengths[number], lengths[each]);
            }
            lengths[number]++;
            longest = Math.max(longest, lengths[number]);
        }
        return longest;
    }

    /** The graph in the language of Graphviz. Data records have boxes. */
    public String dot() {
        StringBuilder dot = new StringBuilder("digraph log {\n  rankdir=LR;\n");
        for (int number = 0; number < size(); number++) {
            dot.append("  t")
                    .append(number + 1)
                    .append(" [label=\"")
                    .append(id(number))
                    .append('"');
            if (transactions.get(number).isData()) {
                dot.append(", shape=box");
            }
            dot.append("];\n");
        }
        for (int number = 0; number < size(); number++) {
            BitSet follows = before.get(number);
            for (int each = follows.nextSetBit(0); each >= 0; each = follows.nextSetBit(each + 1)) {
                dot.append("  t")
                        .append(each + 1)
                        .append(" -> t")
                        .append(number + 1)
                        .append(";\n");
            }
        }
        return dot.append("}\n").toString();
    }
}
