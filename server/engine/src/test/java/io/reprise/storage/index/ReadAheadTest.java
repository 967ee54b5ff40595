package io.reprise.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.TableStore;
import io.reprise.storage.TestTables;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private static final int ROWS = 5_000;

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 28));
    private final TableStore table = store.createTable(TestTables.table(1, "T")
            .column("ID", SqlType.of(Kind.INTEGER), false)
            .column("S", SqlType.varchar(60), false)
            .primaryKey(Index.Kind.HASH, 0)
            .build());
    private final HashIndex index = table.hashIndex(0);
    private final ReadAhead readAhead = store.readAhead();
    private final long[] rows = new long[ROWS];

    @BeforeEach
    void fill() {
        RowAccess access = new RowAccess(store, table);
        store.begin(1);
        for (int i = 0; i < ROWS; i++) {
            rows[i] = access.insert(0, List.of((long) i, RowAccess.Bytes.of("row " + i)));
        }
        store.commit();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static long word(int id) {
        return (long) id << 32 ^ Long.MIN_VALUE;
    }

    @Test
    void shouldReadTheAskedWordsOfNearlyEveryAnnouncedRow() {
        int read = 0;

        for (int i = 0; i < ROWS; i++) {
            index.prefetch(word(i), 0b1_0000_0001);
            read += readAhead.fetch();
        }

        // A row whose entry is in an overflow bucket is left out.
        assertThat(read / 2.0 / ROWS).isBetween(0.85, 1.0);
    }

    @Test
    void shouldTakeNumbersAsTheKeysThatTheyAre() {
        assertThat(index.isOfOneNumber()).isTrue();
        int read = 0;

        for (int i = 0; i < ROWS; i++) {
            index.prefetchNumber(i);
            read += readAhead.fetch();
        }

        assertThat(read / 2.0 / ROWS).isBetween(0.85, 1.0);
    }

    @Test
    void shouldReadNoRowWhenTheKeyIsMissing() {
        int read = 0;

        for (int i = ROWS; i < 2 * ROWS; i++) {
            index.prefetch(word(i), 1);
            read += readAhead.fetch();
        }

        assertThat(read).isZero();
    }

    @Test
    void shouldFetchByItselfWhenMoreIsAnnouncedThanItHolds() {
        for (int i = 0; i < ROWS; i++) {
            index.prefetch(word(i), -1L);
        }

        int left = readAhead.fetch();

        assertThat(left).isLessThan(ROWS);
        assertThat(readAhead.fetch()).as("nothing is announced any more").isZero();
    }

    @Test
    void shouldFetchWithTheNextLookup() {
        index.prefetch(word(1), 1);

        long row = index.find(word(2));

        assertThat(row).isEqualTo(rows[2]);
        assertThat(readAhead.fetch()).isZero();
    }

    @Test
    void shouldNotBotherWhenTheTableIsSmall() {
        RowAccess access = new RowAccess(store, table);
        store.begin(2);
        table.truncate();
        store.commit();
        store.begin(3);
        access.insert(0, List.of(1L, RowAccess.Bytes.of("one")));
        store.commit();

        index.prefetch(word(1), 1);
        index.prefetchNumber(1);

        assertThat(readAhead.fetch()).isZero();
        assertThat(index.find(word(1))).isNotZero();
    }

    @Test
    void shouldDoNoHarmWhenRowsAndIndexHaveGoneInTheMeantime() {
        for (int i = 0; i < 50; i++) {
            index.prefetch(word(i), -1L);
        }
        store.begin(2);
        table.truncate();
        store.commit();

        int read = readAhead.fetch();

        assertThat(read).isZero();
        assertThat(index.find(word(1))).isZero();
    }

    @Test
    void shouldDoNoHarmWhenTheTableHasBeenDropped() {
        for (int i = 0; i < 50; i++) {
            index.prefetch(word(i), -1L);
        }
        store.dropTable(1);

        int read = readAhead.fetch();

        assertThat(read).isZero();
    }
}
