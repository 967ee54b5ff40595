package io.reprise.redo;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Table;
import io.reprise.record.data.Cluster;
import io.reprise.record.data.DataCollector;
import io.reprise.record.data.Payloads;
import io.reprise.record.data.RandomTransactions;
import io.reprise.simulation.Seeds;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.image.RandomTables;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random transactions on random tables: applying their data records gives the same rows with the same ids. */
class RedoModelTest {
    @Test
    void shouldHaveTheSameRowsAndRowIdsWhenDataRecordsAreApplied() {
        Seeds.forEach(40, seed -> run(seed, 120, 30));
    }

    @Test
    @Tag("long")
    void shouldHaveTheSameRowsAndRowIdsWhenManyDataRecordsAreApplied() {
        Seeds.forEach(300, seed -> run(seed, 1000, 60));
    }

    private static void run(long seed, int transactions, int steps) {
        Random random = new Random(seed);
        List<Table> tables = tables(random);
        boolean differential = random.nextInt(4) != 0;
        int recordsInABatch = 1 + random.nextInt(20);
        try (Cluster live = new Cluster(1 + random.nextInt(3), tables);
                Cluster redone = new Cluster(1 + random.nextInt(3), tables)) {
            List<DataCollector> collectors = live.stores.stream()
                    .map(store -> new DataCollector(store, differential))
                    .toList();
            List<RedoInTurns> redos = redone.stores.stream()
                    .map(store ->
                            new RedoInTurns(store, random.nextInt(40), 1 + random.nextInt(3), 1 + random.nextInt(5)))
                    .toList();
            RandomTransactions writes = new RandomTransactions(random, live);
            for (int id = 1; id <= transactions; id++) {
                List<Integer> participants = writes.run(id, steps);
                byte[] payload = collect(collectors, participants);
                boolean commits = random.nextInt(5) != 0;
                for (int partition : participants) {
                    PartitionStore store = live.stores.get(partition);
                    if (commits) {
                        store.commit();
                    } else {
                        store.rollback();
                    }
                }
                if (commits) {
                    long transactionId = id;
                    redos.forEach(redo -> redo.add(transactionId, payload));
                }
                boolean checks = id % 20 == 0 || id == transactions;
                if (checks || random.nextInt(50) == 0) {
                    redos.forEach(RedoInTurns::storeAll);
                } else if (id % recordsInABatch == 0) {
                    redos.forEach(RedoInTurns::store);
                }
                if (checks) {
                    check(live, redone);
                }
            }
            redos.forEach(RedoInTurns::close);
            redone.stores.forEach(PartitionStore::finishReplay);
            redone.verify();
            check(live, redone);
        }
    }

    private static List<Table> tables(Random random) {
        RandomTables schemas = new RandomTables(random);
        List<Table> tables = new ArrayList<>();
        tables.add(schemas.table(1, "WITH_KEY", true));
        tables.add(schemas.table(40, "WITHOUT_KEY", false));
        Table copy = schemas.table(7, "EVERYWHERE", random.nextBoolean());
        tables.add(new Table(copy.id(), copy.name(), copy.columns(), copy.indexes(), OptionalInt.empty()));
        return tables;
    }

    private static byte[] collect(List<DataCollector> collectors, List<Integer> participants) {
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        for (int partition : participants) {
            record.writeBytes(Payloads.collect(collectors.get(partition), partition == participants.getFirst()));
        }
        return record.toByteArray();
    }

    private static void check(Cluster live, Cluster redone) {
        for (Table table : live.tables) {
            for (int partition = 0; partition < (table.replicated() ? redone.stores.size() : 1); partition++) {
                assertThat(redone.content(table, partition)).isEqualTo(live.content(table, 0));
            }
            assertThat(redone.contentHash(table)).isEqualTo(live.contentHash(table));
            assertThat(redone.nextRowIds(table)).isEqualTo(live.nextRowIds(table));
        }
    }
}
