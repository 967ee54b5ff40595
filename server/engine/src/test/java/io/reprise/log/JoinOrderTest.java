package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The order of the log has the order of every partition in it, and what is durable is always a consistent cut. */
class JoinOrderTest {
    @Test
    void shouldKeepTheOrderOfEveryPartitionWheneverTheRingsAreDrained() {
        Seeds.forEach(150, JoinOrderTest::run);
    }

    private static void run(long seed) {
        Randomness random = new SeededRandomness(seed);
        int partitions = 1 + random.nextInt(6);
        List<List<Long>> order = new ArrayList<>();
        Map<Long, int[]> participants = new HashMap<>();
        Map<Long, Long> ends = new HashMap<>();
        for (int i = 0; i < partitions; i++) {
            order.add(new ArrayList<>());
        }
        SimulatedFileStore disk = new SimulatedFileStore(seed);
        try (LogFixture log = new LogFixture(LogFixture.SMALL, partitions).open(disk)) {
            for (long transaction = 1; transaction <= 200; transaction++) {
                int[] on = random.chance(0.4) ? subset(random, partitions) : new int[] {random.nextInt(partitions)};
                makeRoom(log, on);
                String payload = "01".repeat(random.chance(0.2) ? random.nextInt(700) : 1);
                long end = on.length == 1
                        ? log.append(on[0], transaction, payload)
                        : log.appendJoined(transaction, payload, on);
                ends.put(transaction, end);
                participants.put(transaction, on);
                for (int partition : on) {
                    order.get(partition).add(transaction);
                }
                if (random.chance(0.3)) {
                    log.writer.doWork(log.clock.nanoTime());
                    checkCut(log, order, participants, ends);
                }
            }
            log.stop();
            for (PartitionLog partition : log.logs) {
                assertThat(partition.isAllDurable()).isTrue();
            }
        }
        checkOrder(LoggedRecord.readAll(disk, LogFixture.SMALL), order, participants);
    }

    private static void makeRoom(LogFixture log, int[] on) {
        while (!Arrays.stream(on).allMatch(partition -> log.logs[partition].hasRoom())) {
            assertThat(log.writer.doWork(log.clock.nanoTime())).isPositive();
        }
    }

    /** Of a transaction that is durable on its own partition, all that came before it anywhere is durable. */
    private static void checkCut(
            LogFixture log, List<List<Long>> order, Map<Long, int[]> participants, Map<Long, Long> ends) {
        for (List<Long> ran : order) {
            boolean durable = true;
            for (long transaction : ran) {
                int home = participants.get(transaction)[0];
                boolean now = ends.get(transaction) <= log.logs[home].durable();
                assertThat(now && !durable)
                        .as("transaction %d is durable before what ran before it", transaction)
                        .isFalse();
                durable = now;
            }
        }
    }

    private static void checkOrder(List<LoggedRecord> records, List<List<Long>> order, Map<Long, int[]> participants) {
        List<List<Long>> found = new ArrayList<>();
        order.forEach(ran -> found.add(new ArrayList<>()));
        for (LoggedRecord record : records) {
            int[] on = participants.get(record.transactionId());
            assertThat(record.partition()).isEqualTo(on.length == 1 ? on[0] : -1);
            for (int partition : on) {
                found.get(partition).add(record.transactionId());
            }
        }
        assertThat(found).isEqualTo(order);
    }

    /** Some partitions in any order, the first of which runs the transaction. */
    private static int[] subset(Randomness random, int partitions) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            all.add(random.nextInt(all.size() + 1), i);
        }
        return all.subList(0, 1 + random.nextInt(partitions)).stream()
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
