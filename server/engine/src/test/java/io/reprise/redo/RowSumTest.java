package io.reprise.redo;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Table;
import io.reprise.record.data.Cluster;
import io.reprise.record.data.DataCollector;
import io.reprise.record.data.Payloads;
import io.reprise.record.data.RandomTransactions;
import io.reprise.record.data.RowSum;
import io.reprise.runtime.memory.Memory;
import io.reprise.simulation.Seeds;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.image.RandomTables;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The sum of the rows of a data record is the same where it was collected and where it is applied to equal rows. */
final class RowSumTest {
    private static final int TRANSACTIONS = 150;
    private static final int START = 64;
    private static final int LARGEST = 16 << 20;

    @Test
    void shouldBeTheSameWhereTheRecordIsApplied() {
        Seeds.forEach(40, RowSumTest::compare);
    }

    private static void compare(long seed) {
        Random random = new Random(seed);
        List<Table> tables = tables(random);
        try (Cluster live = new Cluster(1, tables);
                Cluster replica = new Cluster(1, tables)) {
            PartitionStore store = live.stores.getFirst();
            DataCollector collector = new DataCollector(store, random.nextInt(4) != 0, true);
            RowSum applied = new RowSum(true);
            RandomTransactions writes = new RandomTransactions(random, live);
            try (SingleRedo redo = new SingleRedo(replica.stores.getFirst(), applied);
                    Memory records = Memory.reserve(2L * LARGEST)) {
                for (int id = 1; id <= TRANSACTIONS; id++) {
                    writes.run(id, 30);
                    byte[] payload = Payloads.collect(collector, true);
                    long collected = collector.hash();
                    if (random.nextInt(5) == 0) {
                        store.rollback();
                        continue;
                    }
                    store.commit();
                    applied.clear();
                    apply(redo, records, id, payload);
                    assertThat(applied.sum()).as("sum of transaction %s", id).isEqualTo(collected);
                }
            }
        }
    }

    private static void apply(SingleRedo redo, Memory records, int id, byte[] payload) {
        records.copyIn(MemorySegment.ofArray(payload), 0, START, payload.length);
        redo.apply(id, records, START, payload.length);
    }

    private static List<Table> tables(Random random) {
        RandomTables schemas = new RandomTables(random);
        Table copy = schemas.table(7, "EVERYWHERE", random.nextBoolean());
        return List.of(
                schemas.table(1, "WITH_KEY", true),
                schemas.table(40, "WITHOUT_KEY", false),
                new Table(copy.id(), copy.name(), copy.columns(), copy.indexes(), OptionalInt.empty()));
    }
}
