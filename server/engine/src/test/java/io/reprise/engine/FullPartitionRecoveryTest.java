package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A database whose partitions have reached their memory limit opens again under that limit. */
final class FullPartitionRecoveryTest {
    private static final int LIMIT = 8 << 20;
    private static final String DDL = """
            CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, n INTEGER NOT NULL, s VARCHAR(400));
            PARTITION TABLE item ON COLUMN id;
            CREATE INDEX by_s ON item (s);
            CREATE INDEX by_n ON item (n, id);
            CREATE TABLE small (id BIGINT NOT NULL PRIMARY KEY);
            PARTITION TABLE small ON COLUMN id;
            """;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);
    private long next;

    enum Recovery {
        WHOLE,
        ON_DEMAND,
        OF_SORTED_LOG
    }

    private Reprise open(LoggingMethod method, Recovery recovery) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(LIMIT)
                .durability(Durability.standard().with(method))
                .files(disk)
                .ddl(DDL)
                .recoverOnDemand(recovery != Recovery.WHOLE)
                .sortedLog(SortedLogSettings.DEFAULTS.withImages(recovery == Recovery.OF_SORTED_LOG))
                .storeInLog(recovery == Recovery.OF_SORTED_LOG)
                .open();
    }

    /** Rows come in random order and go again; the snapshot is followed by a log. */
    @ParameterizedTest
    @CsvSource({
        "COMMAND, WHOLE, true",
        "COMMAND, WHOLE, false",
        "PHYSIOLOGICAL, WHOLE, true",
        "PHYSIOLOGICAL, WHOLE, false",
        "COMMAND, ON_DEMAND, false",
        "PHYSIOLOGICAL, ON_DEMAND, true",
        "COMMAND, OF_SORTED_LOG, true",
        "PHYSIOLOGICAL, OF_SORTED_LOG, false",
    })
    void shouldOpenAgainWhenRowsCameAndWentUntilTheLimitWasReached(
            LoggingMethod method, Recovery recovery, boolean orderly) {
        Random random = new Random(method.ordinal());
        Reprise engine = open(method, recovery);
        for (int round = 0; round < 3; round++) {
            assertFull(() -> insertItems(engine, random));
            engine.sql("DELETE FROM item WHERE n < 300");
            if (round == 1) {
                engine.snapshot();
            }
        }
        insertUntilBothPartitionsAreFull(engine);

        stopAndOpenAgain(engine, method, recovery, orderly);
    }

    /** Ascending keys fill an ordered index densely; the snapshot has them in another order, in which the index takes more. */
    @ParameterizedTest
    @CsvSource({
        "COMMAND, WHOLE, true",
        "COMMAND, WHOLE, false",
        "PHYSIOLOGICAL, WHOLE, true",
        "PHYSIOLOGICAL, WHOLE, false",
        "COMMAND, ON_DEMAND, false",
        "PHYSIOLOGICAL, ON_DEMAND, true",
        "COMMAND, OF_SORTED_LOG, true",
        "PHYSIOLOGICAL, OF_SORTED_LOG, false",
    })
    void shouldOpenAgainWhenAscendingKeysHadFilledTheMemory(LoggingMethod method, Recovery recovery, boolean orderly) {
        Reprise engine = open(method, recovery);
        insertUntilBothPartitionsAreFull(engine);
        engine.snapshot();

        stopAndOpenAgain(engine, method, recovery, orderly);
    }

    private void stopAndOpenAgain(Reprise engine, LoggingMethod method, Recovery recovery, boolean orderly) {
        long items = count(engine, "item");
        long smalls = count(engine, "small");
        if (orderly) {
            engine.close();
        } else {
            disk = disk.kill();
            assertThatThrownBy(engine::close).hasMessageContaining("is off");
        }

        try (Reprise again = open(method, recovery)) {
            assertThat(count(again, "item")).isEqualTo(items);
            assertThat(count(again, "small")).isEqualTo(smalls);
            assertFull(() -> insertItems(again, new Random(99)));
            assertThat(again.sql("DELETE FROM small WHERE id < 1000").longValue())
                    .isPositive();
            again.ddl("DROP TABLE small");
            again.sql("INSERT INTO item VALUES (-1, 1, 'as much as before')");
        }
        try (Reprise again = open(method, recovery)) {
            assertThat(count(again, "item")).isGreaterThan(items);
        }
    }

    private void insertUntilBothPartitionsAreFull(Reprise engine) {
        for (int failures = 0; failures < 50; ) {
            try {
                engine.sql("INSERT INTO small VALUES (?)", ++next);
            } catch (ProcedureException full) {
                failures++;
            }
        }
    }

    private void insertItems(Reprise engine, Random random) {
        while (true) {
            engine.sql(
                    "INSERT INTO item VALUES (?, ?, ?)",
                    random.nextLong(),
                    random.nextInt(1000),
                    Integer.toString(random.nextInt()).repeat(1 + random.nextInt(30)));
        }
    }

    private static void assertFull(ThrowableAssert.ThrowingCallable inserts) {
        assertThatThrownBy(inserts)
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT));
    }

    private static long count(Reprise engine, String table) {
        var rows = engine.sql("SELECT COUNT(*) FROM " + table).rows();
        rows.next();
        return rows.longAt(0);
    }
}
