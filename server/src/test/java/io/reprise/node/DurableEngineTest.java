package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.Rows;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An engine on a directory finds what it had when it is opened again. */
final class DurableEngineTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"COMMAND, 1, 1", "COMMAND, 2, 3", "PHYSIOLOGICAL, 1, 1", "PHYSIOLOGICAL, 3, 2"})
    void shouldFindEverythingAgainWhenOpenedAgain(LoggingMethod method, int partitionsBefore, int partitionsAfter) {
        long[] content;
        try (Reprise engine = open(method, partitionsBefore)) {
            for (int i = 0; i < 100; i++) {
                engine.call("OpenAccount", i, 1000, "owner " + i);
            }
            for (int i = 0; i < 50; i++) {
                engine.call("Transfer", i, 99 - i, i);
            }
            engine.call("SetRate", "base", 3);
            engine.ddl("ALTER TABLE account ADD COLUMN note VARCHAR(20) DEFAULT 'none'");
            engine.sql("UPDATE account SET note = 'rich' WHERE balance > ?", 1010);
            engine.sql("DELETE FROM account WHERE id = 7");
            content = engine.contentHashes();
        }

        try (Reprise again = open(method, partitionsAfter)) {
            assertThat(again.call("Total").longValue()).isEqualTo(100_000 - 1000 + 7);
            assertThat(count(again, "SELECT COUNT(*) FROM account WHERE note = 'rich'"))
                    .isEqualTo(39);
            if (partitionsBefore == partitionsAfter) {
                assertThat(again.contentHashes()).isEqualTo(content);
            }
            assertThat(count(again, "SELECT pct FROM rate WHERE name = 'base'")).isEqualTo(3);
            again.call("Transfer", 1, 2, 10);
        }
    }

    private Reprise open(LoggingMethod method, int partitions) {
        return Options.create()
                .partitions(partitions)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .directory(directory)
                .durability(Durability.standard().with(method))
                .open();
    }

    private static long count(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        assertThat(rows.next()).isTrue();
        return rows.longAt(0);
    }
}
