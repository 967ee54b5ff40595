package io.reprise.recovery.closure;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.footprint.AccessTable;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The backward pass, against the paper's example and a naive closure. */
final class BackwardPassTest {
    private static final int TABLE = 1;
    private static final long EXISTS = 1L << 63;

    /** Node 1 has bucket 1, node 2 bucket 2. */
    private static long x(int node, int number) {
        return (long) node << RowLayout.SEQUENCE_BITS | number;
    }

    private static LoggedTransaction transaction(int id, boolean data, long[] reads, long... writes) {
        LoggedTransaction transaction = new LoggedTransaction(id, data, null);
        for (long row : reads) {
            transaction.add(TABLE, 0, row, 1, 0);
        }
        for (long row : writes) {
            transaction.add(TABLE, AccessTable.UPDATE, row, data ? 0 : 1, 1);
        }
        return transaction;
    }

    private static long[] rows(long... rows) {
        return rows;
    }

    /** Figure 2: t2 meets t1 at x1, t4 meets t2 at x3, t7 meets t6 at x7; t3 and t5 keep to node 2. */
    static List<LoggedTransaction> figure2(boolean t2IsData, boolean t7IsData) {
        return List.of(
                transaction(1, false, rows(), x(2, 1)),
                transaction(2, t2IsData, t2IsData ? rows() : rows(x(2, 1)), x(2, 1), x(1, 3)),
                transaction(3, false, rows(x(2, 1)), x(2, 5)),
                transaction(4, false, rows(x(1, 3)), x(1, 4)),
                transaction(5, false, rows(x(2, 5)), x(2, 6)),
                transaction(6, false, rows(), x(2, 7)),
                transaction(7, t7IsData, t7IsData ? rows() : rows(x(2, 7)), x(1, 8)));
    }

    private static TreeSet<Long> closure(BackwardPass pass, List<LoggedTransaction> history) {
        TreeSet<Long> needed = new TreeSet<>();
        for (LoggedTransaction transaction : history.reversed()) {
            if (pass.visit(transaction)) {
                needed.add(transaction.id());
            }
        }
        return needed;
    }

    @Test
    void shouldFindTheRecoverySetOfATransaction() {
        List<LoggedTransaction> history = figure2(false, false);
        BackwardPass pass = new BackwardPass(100);
        TreeSet<Long> needed = new TreeSet<>();

        for (LoggedTransaction transaction : history.reversed()) {
            if (transaction.id() == 4) {
                pass.visitNeeded(transaction);
                needed.add(4L);
            } else if (pass.visit(transaction)) {
                needed.add(transaction.id());
            }
        }

        assertThat(needed).containsExactly(1L, 2L, 4L);
    }

    @Test
    void shouldFindTheRecoverySetOfANode() {
        BackwardPass pass = new BackwardPass(100);
        pass.needBucket(1);

        assertThat(closure(pass, figure2(false, false))).containsExactly(1L, 2L, 4L, 6L, 7L);
    }

    @Test
    void shouldCutTheRecoverySetAtDataRecords() {
        BackwardPass pass = new BackwardPass(100);
        pass.needBucket(1);

        assertThat(closure(pass, figure2(true, true))).containsExactly(2L, 4L, 7L);
        assertThat(pass.counts().dataRecords()).isEqualTo(2);
        assertThat(pass.counts().commands()).isEqualTo(1);
    }

    @Test
    void shouldNeedThePiecesThatADataRecordGivesInPart() {
        BackwardPass pass = new BackwardPass(100);
        pass.needBucket(1);
        LoggedTransaction whole = new LoggedTransaction(2, true, null).add(TABLE, AccessTable.UPDATE, x(2, 1), 4, 1);
        LoggedTransaction part = new LoggedTransaction(3, true, null).add(TABLE, AccessTable.UPDATE, x(2, 2), 4 | 1, 1);
        LoggedTransaction reader = transaction(4, false, rows(x(2, 1), x(2, 2)), x(1, 1));

        closure(pass, List.of(whole, part, reader));

        assertThat(pass.needs(TABLE, x(2, 1))).isZero();
        assertThat(pass.needs(TABLE, x(2, 2))).isEqualTo(1);
    }

    @Test
    void shouldNotNeedARowBeforeItsInsert() {
        BackwardPass pass = new BackwardPass(100);
        pass.needBucket(1);
        LoggedTransaction insert = new LoggedTransaction(1, false, null).add(TABLE, AccessTable.INSERT, x(2, 1), 0, -1);

        assertThat(closure(pass, List.of(insert, transaction(2, false, rows(x(2, 1)), x(1, 1)))))
                .containsExactly(1L, 2L);
        assertThat(pass.neededRows()).isZero();
    }

    @Test
    void shouldNeedBucketsOfACoarseCommandWhole() {
        BackwardPass pass = new BackwardPass(100);
        pass.needBucket(1);
        LoggedTransaction apart = transaction(1, false, rows(), x(3, 1));
        LoggedTransaction beside = transaction(2, false, rows(), x(2, 1));
        LoggedTransaction coarse = new LoggedTransaction(3, false, new int[] {1, 2});

        assertThat(closure(pass, List.of(apart, beside, coarse))).containsExactly(2L, 3L);
        assertThat(pass.counts().untold()).isEqualTo(1);
    }

    @Test
    void shouldNeedEverythingBeforeACoarseCommandOfNoBuckets() {
        BackwardPass pass = new BackwardPass(100);
        pass.needBucket(1);

        assertThat(closure(
                        pass,
                        List.of(
                                transaction(1, false, rows(), x(3, 1)),
                                new LoggedTransaction(2, false, null),
                                transaction(3, false, rows(), x(3, 1)))))
                .containsExactly(1L, 2L);
        assertThat(pass.needsEverything()).isTrue();
    }

    @Test
    void shouldAlwaysNeedWritersOfReplicatedTables() {
        BackwardPass pass = new BackwardPass(100);
        pass.needBucket(1);
        LoggedTransaction writer = transaction(2, false, rows(x(2, 9))).add(TABLE, AccessTable.REPLICATED, 0, 0, 0);

        assertThat(closure(pass, List.of(transaction(1, false, rows(), x(2, 9)), writer)))
                .containsExactly(1L, 2L);
    }

    @Test
    void shouldNeedWholeRowsBeforeACatalogChange() {
        BackwardPass pass = new BackwardPass(100);
        pass.needBucket(1);
        pass.visit(transaction(2, false, rows(x(2, 1)), x(1, 1)));

        pass.visitCatalogChange();

        assertThat(pass.needs(TABLE, x(2, 1))).isEqualTo(-1);
    }

    /** Small histories of commands and data records that insert, update, read and delete pieces of a few rows. */
    static List<LoggedTransaction> history(SeededRandomness random) {
        List<LoggedTransaction> history = new ArrayList<>();
        int[] live = new int[12];
        int count = 2 + random.nextInt(40);
        for (int id = 1; id <= count; id++) {
            boolean data = random.nextInt(3) == 0;
            LoggedTransaction transaction = new LoggedTransaction(id, data, null);
            BitSet touched = new BitSet();
            for (int i = random.nextInt(4); i >= 0; i--) {
                int row = random.nextInt(live.length);
                if (touched.get(row)) {
                    continue;
                }
                touched.set(row);
                step(random, transaction, data, live, row);
            }
            if (transaction.size() == 0) {
                transaction.add(TABLE, 0, x(3, 100), 1, 0);
            }
            history.add(transaction);
        }
        return history;
    }

    private static void step(
            SeededRandomness random, LoggedTransaction transaction, boolean data, int[] live, int row) {
        long id = x(row % 4, row);
        long pieces = 1L + random.nextInt(7);
        if (live[row] == 0) {
            transaction.add(TABLE, AccessTable.INSERT, id, 0, -1);
            live[row] = 1;
        } else if (live[row] == 2) {
            return;
        } else if (random.nextInt(5) == 0) {
            transaction.add(TABLE, AccessTable.DELETE, id, data ? 0 : EXISTS, -1);
            live[row] = 2;
        } else if (random.nextInt(2) == 0) {
            transaction.add(
                    TABLE, AccessTable.UPDATE, id, data ? 0 : EXISTS | pieces, pieces & (1 + random.nextInt(7)));
        } else if (!data) {
            transaction.add(TABLE, 0, id, EXISTS | pieces, 0);
        }
    }

    /** The least set that holds the writers of F, and with each command the last writers of all pieces that it reads or changes. */
    private static TreeSet<Long> naive(List<LoggedTransaction> history, int bucket) {
        TreeSet<Long> needed = new TreeSet<>();
        for (LoggedTransaction transaction : history) {
            for (int i = 0; i < transaction.size(); i++) {
                if (transaction.written(i) != 0 && NeededRows.bucketOf(transaction.row(i)) == bucket) {
                    needed.add(transaction.id());
                }
            }
        }
        for (int before = -1; before < needed.size(); ) {
            before = needed.size();
            for (long id : List.copyOf(needed)) {
                LoggedTransaction transaction = history.get((int) id - 1);
                for (int i = 0; !transaction.isData() && i < transaction.size(); i++) {
                    addWriters(history, transaction, i, needed);
                }
            }
        }
        return needed;
    }

    private static void addWriters(
            List<LoggedTransaction> history, LoggedTransaction of, int element, TreeSet<Long> needed) {
        if (of.inserted(element)) {
            return;
        }
        long pieces = of.read(element) | (of.deleted(element) ? 0 : of.written(element));
        for (int j = (int) of.id() - 2; j >= 0 && pieces != 0; j--) {
            LoggedTransaction earlier = history.get(j);
            for (int k = 0; k < earlier.size(); k++) {
                if (earlier.row(k) == of.row(element) && (earlier.written(k) & pieces) != 0) {
                    needed.add(earlier.id());
                    // A command reads what it changes, and is followed from there; its other pieces come from before.
                    pieces &= ~earlier.written(k);
                }
            }
        }
    }

    @Test
    void shouldBeWhatANaiveClosureFinds() {
        Seeds.forEach(300, seed -> {
            SeededRandomness random = new SeededRandomness(seed);
            List<LoggedTransaction> history = history(random);
            int bucket = random.nextInt(4);
            BackwardPass pass = new BackwardPass(1 << 20);
            pass.needBucket(bucket);

            assertThat(closure(pass, history)).isEqualTo(naive(history, bucket));
        });
    }

    @Test
    void shouldBeLargerAndNeverSmallerWhenItIsCoarsened() {
        Seeds.forEach(100, seed -> {
            SeededRandomness random = new SeededRandomness(seed);
            List<LoggedTransaction> history = history(random);
            BackwardPass pass = new BackwardPass(0);
            pass.needBucket(0);
            // More rows than the table of single rows holds, so that they are coarsened.
            LoggedTransaction wide = new LoggedTransaction(history.size() + 1L, false, null)
                    .add(TABLE, AccessTable.UPDATE, x(0, 0), 1, 1);
            for (int i = 0; i < 600; i++) {
                wide.add(TABLE, 0, x(1 + i % 3, i), -1, 0);
            }
            history.add(wide);

            TreeSet<Long> coarsened = closure(pass, history);

            assertThat(pass.coarsened()).isPositive();
            assertThat(coarsened).containsAll(naive(history, 0));
        });
    }
}
