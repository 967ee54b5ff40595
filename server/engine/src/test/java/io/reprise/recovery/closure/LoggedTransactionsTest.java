package io.reprise.recovery.closure;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.footprint.AccessTable;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The flat arrays of a closure: transactions, and the rows that are needed. */
final class LoggedTransactionsTest {
    private static String text(LoggedTransaction of) {
        StringBuilder text = new StringBuilder();
        text.append(of.id())
                .append(of.isData())
                .append(of.isTold())
                .append(of.isCoarse())
                .append(of.isReplicated());
        for (int i = 0; of.isConfined() && i < of.bucketCount(); i++) {
            text.append(" bucket ").append(of.bucket(i));
        }
        for (int i = 0; i < of.size(); i++) {
            text.append(' ')
                    .append(of.table(i))
                    .append('/')
                    .append(of.flags(i))
                    .append('@')
                    .append(of.row(i))
                    .append(':')
                    .append(of.read(i))
                    .append(':')
                    .append(of.written(i));
        }
        return text.toString();
    }

    private static LoggedTransaction random(SeededRandomness random, int id) {
        int[] buckets = random.nextInt(3) == 0 ? null : new int[random.nextInt(3)];
        for (int i = 0; buckets != null && i < buckets.length; i++) {
            buckets[i] = random.nextInt(100);
        }
        LoggedTransaction transaction = new LoggedTransaction(id, random.nextInt(2) == 0, buckets);
        for (int i = random.nextInt(12); i > 0; i--) {
            int flag = random.nextInt(10) == 0 ? AccessTable.REPLICATED : random.nextInt(8);
            transaction.add(random.nextInt(5), flag, random.nextInt(1000), random.nextInt(9), random.nextInt(9));
        }
        return transaction;
    }

    @Test
    void shouldShowEachEntryAsItWasAdded() {
        Seeds.forEach(20, seed -> {
            SeededRandomness random = new SeededRandomness(seed);
            LoggedTransactions flat = new LoggedTransactions();
            List<String> expected = new ArrayList<>();
            List<LoggedTransaction> kept = new ArrayList<>();
            for (int id = 1; id <= 700; id++) {
                if (random.nextInt(50) == 0) {
                    flat.addCatalogChange();
                    expected.add("");
                    continue;
                }
                LoggedTransaction transaction = random(random, id);
                flat.add(transaction);
                expected.add(text(transaction));
                kept.add(flat.at(flat.size() - 1).copy());
            }

            int copies = 0;
            for (int i = 0; i < expected.size(); i++) {
                LoggedTransaction view = flat.at(i);
                assertThat(view == null ? "" : text(view)).isEqualTo(expected.get(i));
                if (view != null) {
                    assertThat(flat.find(view.id())).isEqualTo(i);
                    assertThat(text(kept.get(copies++))).isEqualTo(expected.get(i));
                }
            }
            assertThat(flat.find(0)).isEqualTo(-1);
            assertThat(flat.find(1_000_000)).isEqualTo(-1);
        });
    }

    @Test
    void shouldBeEmptyAfterItIsCleared() {
        LoggedTransactions flat = new LoggedTransactions();
        flat.add(random(new SeededRandomness(1), 7));
        assertThat(flat.find(7)).isZero();

        flat.clear();

        assertThat(flat.size()).isZero();
        assertThat(flat.find(7)).isEqualTo(-1);
    }

    @Test
    void shouldNeedTheRowsThatASortedMapNeeds() {
        Seeds.forEach(30, seed -> {
            SeededRandomness random = new SeededRandomness(seed);
            // Dense rows share groups; scattered ones have one each.
            int spread = 1 << 2 * random.nextInt(6);
            NeededRows rows = new NeededRows(1 << 20);
            TreeMap<String, Long> expected = new TreeMap<>();
            for (int i = 0; i < 4000; i++) {
                int table = random.nextInt(3);
                long row = (long) random.nextInt(4) << 44 | (long) random.nextInt(300) * spread;
                long mask = 1L << random.nextInt(4);
                String key = table + "@" + row;
                if (random.nextInt(3) > 0) {
                    rows.add(table, row, mask);
                    expected.merge(key, mask, (a, b) -> a | b);
                } else {
                    rows.remove(table, row, mask);
                    expected.computeIfPresent(key, (k, old) -> (old & ~mask) == 0 ? null : old & ~mask);
                }
                assertThat(rows.mask(table, row)).isEqualTo(expected.getOrDefault(key, 0L));
                assertThat(rows.rows()).isEqualTo(expected.size());
            }
            assertThat(rows.touches(9)).isFalse();
        });
    }
}
