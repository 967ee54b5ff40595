package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.id.PartitionId;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An engine with as many partitions as ids have room for: the highest ones serve, are logged, and come again. */
final class MostPartitionsTest {
    private static final int HIGHEST = PartitionId.MOST - 1;
    private static final String DDL = """
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            PARTITION TABLE t ON COLUMN id;
            """;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    private Reprise open(LoggingMethod method) {
        return Options.create()
                .partitions(PartitionId.MOST)
                .sites(2)
                .buckets(PartitionId.MOST)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(1 << 20)
                .reservedHugePages(false)
                .ddl(DDL)
                .durability(Durability.standard()
                        .with(method)
                        .with(SmallDurability.logOfSchemas(1 << 20))
                        .with(SmallDurability.snapshots(2)))
                .files(disk)
                .open();
    }

    /** A key in each of these partitions. */
    private static List<Long> keysIn(Reprise engine, Set<Integer> partitions) {
        return LongStream.range(0, 40L * PartitionId.MOST)
                .boxed()
                .collect(Collectors.toMap(
                        id -> engine.buckets()
                                .partition(engine.buckets().buckets().of(id)),
                        id -> id,
                        (first, later) -> first))
                .entrySet()
                .stream()
                .filter(each -> partitions.contains(each.getKey()))
                .map(Map.Entry::getValue)
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldServeAndRecoverTheHighestPartitions(LoggingMethod method) {
        Reprise engine = open(method);
        List<Long> keys = keysIn(engine, Set.of(0, 1, 2048, HIGHEST - 1, HIGHEST));
        assertThat(keys).hasSize(5);
        for (long key : keys) {
            engine.sql("INSERT INTO t VALUES (?, ?)", key, key);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        long last = 0;
        for (long key : keys) {
            Reply written = engine.sql("UPDATE t SET n = n + 1 WHERE id = ?", key);
            assertThat(written.transactionId()).isGreaterThan(last);
            last = written.transactionId();
        }
        // Over all partitions.
        assertThat(engine.sql("UPDATE t SET n = n + 10").longValue()).isEqualTo(keys.size());
        long[] before = engine.contentHashes();
        disk = disk.kill();
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }

        try (Reprise again = open(method)) {
            assertThat(again.contentHashes()).isEqualTo(before);
            for (long key : keys) {
                var rows = again.sql("SELECT n FROM t WHERE id = ?", key).rows();
                assertThat(rows.next()).isTrue();
                assertThat(rows.longAt(0)).isEqualTo(key + 11);
            }
            long next = again.sql("DELETE FROM t WHERE id = ?", keys.getLast()).transactionId();
            assertThat(Long.compareUnsigned(next, last)).isPositive();
        }
    }
}
