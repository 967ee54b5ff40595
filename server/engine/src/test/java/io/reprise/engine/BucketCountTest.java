package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The number of buckets is chosen when a database is created, and kept in its files. */
class BucketCountTest {
    private static final int ROWS = 200;

    private final SimulatedFileStore disk = new SimulatedFileStore(1);

    private Options options(int partitions, LoggingMethod method) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .memoryPerPartition(64 << 20)
                .ddl("CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, n INTEGER); PARTITION TABLE item ON COLUMN id;"
                        + " CREATE TABLE rate (id BIGINT NOT NULL PRIMARY KEY);"
                        + " CREATE PROCEDURE Put PARTITION ON TABLE item COLUMN id AS INSERT INTO item VALUES (?, ?);"
                        + " CREATE PROCEDURE Clear AS TRUNCATE TABLE item")
                .files(disk)
                .durability(Durability.standard()
                        .with(method)
                        .with(SmallDurability.logOfSchemas(256 << 10))
                        .with(SmallDurability.snapshots(2)));
    }

    private static long rows(Reprise engine) {
        var rows = engine.sql("SELECT COUNT(*) FROM item").rows();
        rows.next();
        return rows.longAt(0);
    }

    @ParameterizedTest
    @CsvSource({"64, COMMAND", "64, PHYSIOLOGICAL", "65536, COMMAND", "65536, PHYSIOLOGICAL"})
    void shouldKeepTheNumberWhenNoneIsAskedForAtTheNextOpening(int buckets, LoggingMethod method) {
        try (Reprise engine = options(3, method).buckets(buckets).open()) {
            for (int i = 0; i < ROWS; i++) {
                engine.call("Put", i, i);
            }
            assertThat(engine.snapshot().problem()).isEmpty();
            engine.call("Clear");
            for (int i = 0; i < ROWS; i++) {
                engine.call("Put", i * 3, i);
            }
        }

        for (int partitions : new int[] {3, 2, 5}) {
            try (Reprise engine = options(partitions, method).open()) {
                assertThat(engine.buckets().count()).isEqualTo(buckets);
                assertThat(rows(engine)).isEqualTo(ROWS);
                assertThat(engine.sql("SELECT n FROM item WHERE id = 300")
                                .rows()
                                .count())
                        .isEqualTo(1);
            }
        }
        try (Reprise engine = options(2, method).buckets(buckets).open()) {
            assertThat(rows(engine)).isEqualTo(ROWS);
        }
    }

    @Test
    void shouldRefuseAnotherNumberAndChangeNothing() {
        try (Reprise engine = options(2, LoggingMethod.COMMAND).open()) {
            engine.call("Put", 1, 1);
        }

        assertThatThrownBy(() -> options(2, LoggingMethod.COMMAND).buckets(4096).open())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("The database has 1024 buckets, and 4096 were asked for")
                .hasMessageContaining("Nothing has been changed.");

        try (Reprise engine = options(2, LoggingMethod.COMMAND).open()) {
            assertThat(rows(engine)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 32, 1000, 1 << 17})
    void shouldRefuseANumberThatIsNoPowerOfTwoInRange(int buckets) {
        assertThatThrownBy(() -> Options.create().buckets(buckets))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a power of two from 64 to 65536, not " + buckets);
    }

    @Test
    void shouldRefuseMorePartitionsThanBuckets() {
        assertThatThrownBy(() -> options(65, LoggingMethod.COMMAND).buckets(64).open())
                .hasMessageContaining("1 to 64 partitions, not 65");
    }
}
