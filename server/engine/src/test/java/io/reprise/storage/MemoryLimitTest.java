package io.reprise.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.Memory;
import io.reprise.simulation.Seeds;
import io.reprise.storage.RowAccess.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The memory limit is met wherever something takes memory: the same history is run again and again with some pages more of it. A
 * statement that was refused has changed nothing when its transaction returns to where it began, and all accounts agree.
 */
class MemoryLimitTest {
    private static final int ID = 0;
    private static final int NAME = 1;
    private static final int NOTE = 2;
    private static final Table TABLE = TestTables.table(3, "T")
            .column("ID", SqlType.of(SqlType.Kind.BIGINT), false)
            .column("NAME", SqlType.varchar(60), true)
            .column("NOTE", SqlType.varchar(9000), true)
            .primaryKey(Index.Kind.HASH, ID)
            .index("BY_NAME", Index.Kind.ORDERED, false, NAME, ID)
            .index("BY_NAME_HASH", Index.Kind.HASH, false, NAME)
            .build();
    private static final long[] INDEXES_OF_COLUMN = {0b011, 0b110, 0};
    private static final long LEAST = 400 << 10;
    private static final long MOST = 1800 << 10;
    private static final long STEP = 8 * Memory.PAGE;

    /** After so many refusals a history is over. */
    private static final int REFUSALS = 6;

    private final TreeSet<String> refused = new TreeSet<>();

    @Test
    void shouldChangeNothingWhenAStatementIsRefused() {
        Seeds.forEach(2, seed -> {
            long pages = new Random(seed).nextInt(8) * (long) Memory.PAGE;
            for (long limit = LEAST + pages; limit < MOST; limit += STEP) {
                run(seed, limit);
            }
        });

        assertThat(refused)
                .contains(
                        "table T (rows)",
                        "table T (strings)",
                        "table T (indexes)",
                        "the undo log",
                        "the transaction's scratch space");
    }

    private void run(long seed, long limit) {
        BitSet all = new BitSet();
        all.set(0, Buckets.DEFAULT.count());
        try (PartitionStore store =
                new PartitionStore(new PartitionStore.Options(0, limit, 4L << 30, Buckets.DEFAULT, all))) {
            TableStore table = store.createTable(TABLE);
            new History(store, table, new Random(seed), limit).run();
        }
    }

    /** Transactions until some statements have been refused. */
    private final class History {
        private final PartitionStore store;
        private final TableStore table;
        private final RowAccess access;
        private final Random random;
        private final long limit;
        private long nextId;
        private int refusals;

        History(PartitionStore store, TableStore table, Random random, long limit) {
            this.store = store;
            this.table = table;
            this.random = random;
            this.limit = limit;
            access = new RowAccess(store, table);
        }

        void run() {
            for (int i = 0; i < 60 && refusals < REFUSALS; i++) {
                store.begin(i);
                long before = table.contentHash();
                boolean whole = true;
                for (int statements = 1 + random.nextInt(5); statements > 0 && whole; statements--) {
                    whole = one();
                }
                if (!whole || random.nextInt(4) == 0) {
                    store.rollback();
                    assertThat(table.contentHash()).as(this::toString).isEqualTo(before);
                } else {
                    store.commit();
                }
                if (!whole) {
                    store.verify();
                }
            }
            store.verify();
        }

        /** Returns false if the transaction is to be rolled back. */
        private boolean one() {
            long before = table.contentHash();
            int savepoint = store.savepoint();
            long hash = store.writeHash();
            try {
                statement();
                return true;
            } catch (ProcedureException e) {
                assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.MEMORY_LIMIT);
                String message = e.getMessage();
                refused.add(message.substring(message.indexOf(": ") + 2, message.indexOf(" needs more")));
                refusals++;
            }
            if (random.nextInt(3) == 0) {
                return false;
            }
            store.rollbackTo(savepoint);
            assertThat(table.contentHash()).as(this::toString).isEqualTo(before);
            assertThat(store.writeHash()).isEqualTo(hash);
            store.verify();
            return true;
        }

        private void statement() {
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> insert(random.nextInt(800), 30);
                case 4 -> insert(random.nextInt(30), 9000);
                case 5 -> update(NAME, text(60), 500);
                case 6 -> update(NOTE, text(random.nextBoolean() ? 40 : 9000), 100);
                case 7 -> updateSeveral(200);
                case 8 -> access.ref(text(200 << 10));
                case 9 -> delete();
                case 10 -> updateAgainAndAgain();
                default -> {
                    if (random.nextInt(3) == 0) {
                        table.truncate();
                    }
                }
            }
        }

        private void insert(int rows, int most) {
            for (int i = 0; i < rows; i++) {
                access.insert((int) (nextId & 7), Arrays.asList(nextId++, text(60), text(most)));
            }
        }

        private void update(int column, Bytes value, int most) {
            int rows = 0;
            for (long row = table.first(); row != 0 && rows++ < most; row = table.next(row)) {
                access.update(row, INDEXES_OF_COLUMN[column], column, value);
            }
        }

        /** Needs undo log. */
        private void updateAgainAndAgain() {
            for (int i = 0; i < 4; i++) {
                update(NAME, text(20), 5000);
            }
        }

        /** Rows get each other's keys, and longer strings. */
        private void updateSeveral(int most) {
            List<Long> rows = new ArrayList<>();
            List<Object> ids = new ArrayList<>();
            for (long row = table.first(); row != 0 && rows.size() < most; row = table.next(row)) {
                rows.add(row);
                ids.add(access.read(row).get(ID));
            }
            Collections.rotate(ids, 1);
            rows.forEach(row -> table.unindex(row, 0b111));
            for (int i = 0; i < rows.size(); i++) {
                access.update(rows.get(i), 0, ID, ids.get(i));
                access.update(rows.get(i), 0, NAME, text(60));
            }
            rows.forEach(row -> table.index(row, 0b111));
        }

        private void delete() {
            for (long row = table.first(); row != 0; row = table.next(row)) {
                if (random.nextInt(3) == 0) {
                    table.delete(row);
                }
            }
        }

        private Bytes text(int most) {
            byte[] bytes = new byte[random.nextInt(most + 1)];
            Arrays.fill(bytes, (byte) ('a' + random.nextInt(26)));
            return new Bytes(bytes);
        }

        @Override
        public String toString() {
            return "limit " + limit;
        }
    }
}
