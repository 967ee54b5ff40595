package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.FileCall;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A data directory knows that it has a log, and never refuses one that had nothing in it. */
final class LogWitnessTest {
    private static final String SEGMENT = "log/0000000000000000.log";

    private final SimulatedClock clock = new SimulatedClock();

    private Reprise open(SimulatedFileStore disk) {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .durability(Durability.standard()
                        .with(SmallDurability.log(16 << 10))
                        .with(SmallDurability.snapshots(1)))
                .files(disk)
                .open();
    }

    private SimulatedFileStore used() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (Reprise engine = open(disk)) {
            engine.ddl("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY)");
            engine.sql("INSERT INTO note VALUES (1)");
        }
        return disk;
    }

    private static long rows(Reprise engine) {
        var rows = engine.sql("SELECT COUNT(*) FROM note").rows();
        rows.next();
        return rows.longAt(0);
    }

    private static void overwrite(SimulatedFileStore disk, String text) {
        disk.delete(LogWitness.FILE);
        try (DataFile file = disk.create(LogWitness.FILE)) {
            file.write(0, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
            file.force();
        }
        disk.forceDirectory("");
    }

    @Test
    void shouldMakeNoNewDatabaseWhenTheLogIsGone() {
        SimulatedFileStore disk = used();
        disk.delete(SEGMENT);

        assertThatThrownBy(() -> open(disk))
                .hasMessageContaining("but there is none now")
                .hasMessageContaining("mount it");

        disk.delete(LogWitness.FILE);
        try (Reprise anew = open(disk)) {
            assertThat(anew.catalog().tables()).isEmpty();
        }
    }

    @Test
    void shouldMakeNoNewDatabaseWhenTheLogIsGoneAndItsWitnessIsDamaged() {
        SimulatedFileStore disk = used();
        disk.delete(SEGMENT);
        overwrite(disk, "");

        assertThatThrownBy(() -> open(disk))
                .hasMessageContaining("The data directory had a log, as its file database.id");
    }

    @Test
    void shouldRefuseTheLogOfAnotherDatabase() {
        SimulatedFileStore disk = used();
        SimulatedFileStore another = used();
        disk.delete(SEGMENT);
        try (DataFile from = another.openReadOnly(SEGMENT);
                DataFile to = disk.create(SEGMENT)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) from.size());
            from.read(0, bytes);
            to.write(0, bytes.flip());
        }

        assertThatThrownBy(() -> open(disk))
                .hasMessageMatching(
                        "The data directory is that of database [0-9a-f]{32}, as its file database.id says, and the"
                                + " log in folder log is of database [0-9a-f]{32}\\. .*");
    }

    @Test
    void shouldBeWrittenAgainWhenItIsMissingOrDamagedAndTheLogIsThere() {
        for (String damage : new String[] {null, "", "nonsense", "This directory has a log"}) {
            SimulatedFileStore disk = used();
            if (damage == null) {
                disk.delete(LogWitness.FILE);
            } else {
                overwrite(disk, damage);
            }
            try (Reprise engine = open(disk)) {
                assertThat(rows(engine)).isOne();
            }
            disk.delete(SEGMENT);

            assertThatThrownBy(() -> open(disk)).as("damage %s", damage).hasMessageContaining("of database");
        }
    }

    @Test
    void shouldOpenWithoutItWhenTheDiskIsFull() {
        SimulatedFileStore disk = used();
        disk.delete(LogWitness.FILE);
        disk.faults().budget(0);

        try (Reprise engine = open(disk)) {
            assertThat(rows(engine)).isOne();
        }
    }

    /** As where the data directory is somebody else's, and only log and snapshots may be written. */
    @Test
    void shouldOpenWithoutItWhenItMayNotBeMade() {
        SimulatedFileStore disk = used();
        disk.delete(LogWitness.FILE);
        disk.faults().fail(FileCall.CREATE, 1);

        try (Reprise engine = open(disk)) {
            assertThat(rows(engine)).isOne();
            assertThat(disk.exists(LogWitness.FILE)).isFalse();
        }
    }

    /** Whatever the next force says, a name whose force has failed never becomes durable. */
    @Test
    void shouldBeThereAfterAPowerFailureThoughItsForceHadFailedAtTheFirstOpening() {
        for (int seed = 1; seed <= 20; seed++) {
            int forces = 0;
            while (true) {
                forces++;
                SimulatedFileStore failing = new SimulatedFileStore(seed);
                failing.faults().fail(FileCall.FORCE_DIRECTORY, forces);
                interrupted(failing, 0);
                SimulatedFileStore next = failing.kill();
                boolean written = next.exists(LogWitness.FILE);
                open(next).close();
                SimulatedFileStore booted = next.crash();

                assertThat(booted.exists(LogWitness.FILE))
                        .as("seed %d, force %d", seed, forces)
                        .isTrue();
                if (written) {
                    break;
                }
            }
        }
    }

    /** Starts of a new database acknowledge nothing, so a database can be made after an interruption at any call. */
    @Test
    void shouldLetANewDatabaseBeMadeWhereverTheFirstStartsWereInterrupted() {
        interruptTwoStarts(5);
    }

    @Test
    @Tag("long")
    void shouldLetANewDatabaseBeMadeWhereverTheFirstStartsWereInterruptedAtEachPairOfCalls() {
        interruptTwoStarts(1);
    }

    /** The first start is interrupted at each call, the second at each stride-th one, another set for each first call. */
    private void interruptTwoStarts(int stride) {
        SimulatedFileStore whole = new SimulatedFileStore(1);
        interrupted(whole, 0);
        for (long call = 1; call <= whole.calls(); call++) {
            SimulatedFileStore first = interrupted(new SimulatedFileStore(call), call);
            SimulatedFileStore second = first.crash();
            interrupted(second, 0);
            for (long next = 1 + call % stride; next <= second.calls(); next += stride) {
                SimulatedFileStore again = interrupted(
                        interrupted(new SimulatedFileStore(call), call).crash(), next);
                try (Reprise engine = open(again.crash())) {
                    assertThat(engine.catalog().tables())
                            .as("call %d, then call %d", call, next)
                            .isEmpty();
                }
            }
        }
    }

    /** An engine is opened and closed, and the power goes at a call to the disk. */
    private SimulatedFileStore interrupted(SimulatedFileStore disk, long call) {
        if (call > 0) {
            disk.faults().powerLossAtCall(call);
        }
        try {
            open(disk).close();
        } catch (SimulatedPowerLoss | StorageException | IllegalStateException | ProcedureException expected) {
            // As it should be.
        }
        return disk;
    }
}
