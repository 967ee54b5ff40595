package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.id.Buckets;
import io.reprise.log.Confinement;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogTail;
import io.reprise.log.RecordKind;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The header of a record names the buckets to which its transaction was confined. */
final class RecordedBucketsTest {
    private static final String TWO = "PARTITION ON TABLE t COLUMN id PARAMETER 0 AND ON TABLE t COLUMN id PARAMETER 1";
    private static final String DDL = """
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, a BIGINT NOT NULL);
            PARTITION TABLE t ON COLUMN id;
            CREATE PROCEDURE Put AS INSERT INTO t VALUES (?, 0);
            """
            + "CREATE PROCEDURE " + TWO + " FROM CLASS " + ScopeOfRoutedProceduresTest.Far.class.getName() + ";"
            + "CREATE PROCEDURE PARTITION ON TABLE t COLUMN id PARAMETER 0 FROM CLASS "
            + ScopeOfRoutedProceduresTest.Several.class.getName() + ";"
            + "CREATE PROCEDURE RaiseAll AS UPDATE t SET a = a + 1;";

    private final SimulatedFileStore disk = new SimulatedFileStore(1);

    private Reprise open(LoggingMethod method, int partitions) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(new SimulatedClock())
                .memoryPerPartition(16 << 20)
                .ddl(DDL)
                .files(disk)
                .durability(Durability.standard()
                        .with(method)
                        .with(SmallDurability.logOfSchemas(64 << 10))
                        .with(SmallDurability.snapshots(2)))
                .open();
    }

    private List<String> confinements() {
        List<String> found = new ArrayList<>();
        LogRecords records = new LogRecords();
        try (LogReader reader = LogTail.find(disk, SmallDurability.logOfSchemas(64 << 10), 0)
                        .read(0);
                LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    if (records.kind() == RecordKind.COMMAND || records.kind() == RecordKind.DATA) {
                        found.add(described(records));
                    }
                }
            }
        }
        return found;
    }

    private static String described(LogRecords records) {
        StringBuilder line = new StringBuilder(records.confinement().name());
        for (int i = 0; i < records.bucketCount(); i++) {
            line.append(' ').append(records.bucket(i));
        }
        return line.toString();
    }

    @ParameterizedTest
    @CsvSource({"COMMAND, 1", "COMMAND, 3", "PHYSIOLOGICAL, 1", "PHYSIOLOGICAL, 3"})
    void shouldNameTheBucketsOfTheRoutingParameters(LoggingMethod method, int partitions) {
        long[] many = new long[200];
        for (int i = 0; i < many.length; i++) {
            many[i] = i;
        }

        Map<String, List<String>> expected;
        try (Reprise engine = open(method, partitions)) {
            engine.call("Put", 7);
            engine.call("Put", 8);
            engine.call("Far", 7, 7, 7);
            engine.call("Far", 7, 8, 8);
            engine.call("Several", new long[] {8, 7, 8}, new long[] {7, 8});
            engine.call("Several", new long[] {8, 8}, new long[] {8});
            engine.call("Several", many, new long[] {7});
            engine.call("RaiseAll");
            expected = Dump.of(engine);
        }

        int seven = Buckets.DEFAULT.of(7);
        int eight = Buckets.DEFAULT.of(8);
        String unconfined = (partitions == 1 ? Confinement.PARTITION : Confinement.PARTITIONS).name();
        assertThat(confinements())
                .containsExactly(
                        "BUCKETS " + seven,
                        "BUCKETS " + eight,
                        "BUCKETS " + seven,
                        "BUCKETS " + seven + " " + eight,
                        "BUCKETS " + eight + " " + seven,
                        "BUCKETS " + eight,
                        unconfined,
                        unconfined);
        try (Reprise again = open(method, 4 - partitions)) {
            assertThat(Dump.of(again)).isEqualTo(expected);
        }
    }
}
