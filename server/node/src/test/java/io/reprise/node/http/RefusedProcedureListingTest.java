package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.log.Compression;
import io.reprise.log.LogRewriting;
import io.reprise.log.LogSettings;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.api.Test;

/** A procedure that this version can't run is told of wherever procedures are listed. */
class RefusedProcedureListingTest {
    private final SimulatedFileStore disk = new SimulatedFileStore(5);

    private Reprise open(String ddl) {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .clock(new SimulatedClock())
                .memoryPerPartition(16 << 20)
                .ddl(ddl)
                .files(disk)
                .durability(Durability.standard()
                        .with(LogSettings.DEFAULTS
                                .withSizes(2048, 4096, 1 << 15, 40 << 10)
                                .withSegmentBytes(96 << 10)
                                .withCompression(Compression.NONE)))
                .open();
    }

    @Test
    void shouldBeListedWithItsReason() {
        open("CREATE TABLE thing (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE thing ON COLUMN id;"
                        + "CREATE PROCEDURE Look AS SELECT id FROM thing WHERE id = ?")
                .close();
        assertThat(LogRewriting.replace(disk, "SELECT id FROM", "SELECT zz FROM"))
                .isPositive();

        try (Reprise engine = open("")) {
            NodeState state = new NodeState("till", "1");
            state.serving(engine);

            assertThat(SchemaJson.of(engine))
                    .contains("\"name\":\"LOOK\"", "\"refused\":\"")
                    .containsIgnoringCase("column 'ZZ'");
            assertThat(StatusText.of(state, new Recent(state))).contains("procedure LOOK can't be run: ");
        }
    }
}
