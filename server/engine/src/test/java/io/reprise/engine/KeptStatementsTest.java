package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.reprise.execution.work.StoredStatements;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.api.Test;

/** A directory keeps compiled statements, and an engine opens whatever has become of them. */
final class KeptStatementsTest {
    private static final long DELAY_NS = 3_000_000_000L;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    private Options options() {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .durability(Durability.standard().with(SmallDurability.logOfSchemas(256 << 10)))
                .keepStatements(true)
                .files(disk);
    }

    /** Opens an engine, uses it until the file may have been written, and kills it. */
    private void live(Runnable damage) {
        try (Reprise engine = options().open()) {
            engine.call("SetRate", "a", 7);
            clock.advance(DELAY_NS / 2);
            engine.call("GetRate", "a");
            clock.advance(DELAY_NS);
            engine.call("GetRate", "a");
            assertThat(engine.sql("SELECT pct FROM rate").rows().next()).isTrue();
        }
        damage.run();
        disk = disk.kill();
    }

    private EngineSchema schema() {
        EngineSettings settings = new FrozenOptions(options()).settings();
        return new EngineSchema(settings, new EngineMeters(settings));
    }

    private byte[] content() {
        try (DataFile file = disk.openReadOnly(KeptStatements.FILE)) {
            java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocate((int) file.size());
            file.read(0, bytes);
            return bytes.array();
        }
    }

    @Test
    void shouldKeepStatementsOfProceduresWhenTheSchemaIsAtRest() {
        live(() -> {});

        EngineSchema schema = schema();
        assertThat(new KeptStatements(disk, schema).read()).isNotSameAs(StoredStatements.NONE);
    }

    @Test
    void shouldKeepStatementsWhenTheEngineIsClosedEarly() {
        try (Reprise engine = options().open()) {
            engine.call("SetRate", "a", 7);
        }

        EngineSchema schema = schema();
        assertThat(new KeptStatements(disk, schema).read()).isNotSameAs(StoredStatements.NONE);
    }

    @Test
    void shouldFollowAChangeOfTheSchema() {
        live(() -> {});
        byte[] before = content();

        try (Reprise engine = options().open()) {
            engine.ddl("CREATE PROCEDURE Again AS SELECT balance FROM account WHERE id = ?");
            clock.advance(DELAY_NS / 2);
            engine.call("GetRate", "a");
            clock.advance(DELAY_NS);
            engine.call("GetRate", "a");
            engine.call("GetRate", "a");
        }

        assertThat(content()).isNotEqualTo(before);
    }

    @Test
    void shouldOpenAndWriteAnewWhenTheFileIsDamaged() {
        live(() -> disk.flipBit(KeptStatements.FILE, 40, 2));

        live(() -> assertThatCode(this::content).doesNotThrowAnyException());
        EngineSchema schema = schema();
        assertThat(new KeptStatements(disk, schema).read()).isNotSameAs(StoredStatements.NONE);
    }

    @Test
    void shouldOpenWhenTheFileIsMissingOrCut() {
        live(() -> disk.delete(KeptStatements.FILE));
        live(() -> {
            try (DataFile file = disk.open(KeptStatements.FILE)) {
                file.truncate(100);
            }
        });
        live(() -> {});
    }
}
