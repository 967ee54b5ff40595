package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Forecasts of recoveries come near to what these take, and survive a restart. */
final class RecoveryModelTest {
    private static final int LEARNT = 20;

    private static RecoveryModel.Work work(SeededRandomness random) {
        return new RecoveryModel.Work(
                random.nextInt(5_000_000),
                random.nextInt(2_000_000),
                random.nextInt(1_000_000),
                random.nextInt(400_000_000));
    }

    /** A machine apart from the usual one. */
    private static long took(RecoveryModel.Work work) {
        return 300_000_000L
                + 1_100 * work.rows()
                + 9_000 * work.commands()
                + 1_500 * work.dataRecords()
                + 2 * work.logBytes();
    }

    @Test
    void shouldForecastWithinATenthWhenItHasSeenSomeRecoveries() {
        SeededRandomness random = new SeededRandomness(1);
        RecoveryModel model = new RecoveryModel();
        for (int i = 0; i < LEARNT; i++) {
            RecoveryModel.Work work = work(random);
            model.learn(work, took(work));
        }

        for (int i = 0; i < LEARNT; i++) {
            RecoveryModel.Work work = work(random);
            assertThat((double) model.expectedNs(work) / took(work)).isCloseTo(1, within(0.1));
        }
        assertThat(model.measured()).isEqualTo(LEARNT);
    }

    @Test
    void shouldNeverBeNegativeWhenRecoveriesWereShort() {
        RecoveryModel model = new RecoveryModel();
        for (int i = 0; i < LEARNT; i++) {
            model.learn(new RecoveryModel.Work(i, 10L * i, 0, 1000L * i), 1_000);
        }

        assertThat(model.expectedNs(new RecoveryModel.Work(0, 0, 0, 0))).isNotNegative();
        assertThat(model.expectedNs(new RecoveryModel.Work(1_000_000, 0, 0, 0))).isPositive();
    }

    @Test
    void shouldKeepWhatItHasLearnt() {
        SimulatedFileStore files = new SimulatedFileStore(1);
        files.lock();
        SeededRandomness random = new SeededRandomness(2);
        RecoveryModel model = new RecoveryModel();
        model.learn(work(random), 5_000_000_000L);
        RecoveryCosts.write(files, model);

        RecoveryModel again = RecoveryCosts.read(files);

        assertThat(again.encode()).isEqualTo(model.encode());
        RecoveryCosts.write(files, again);
        assertThat(RecoveryCosts.read(files).measured()).isEqualTo(1);
    }

    @Test
    void shouldBeginAnewWhenTheFileIsDamaged() {
        SimulatedFileStore files = new SimulatedFileStore(1);
        files.lock();
        RecoveryModel model = new RecoveryModel();
        model.learn(work(new SeededRandomness(3)), 5_000_000_000L);
        RecoveryCosts.write(files, model);
        try (DataFile file = files.open(RecoveryCosts.FILE)) {
            file.write(100, ByteBuffer.wrap(new byte[] {'7'}));
        }

        assertThat(RecoveryCosts.read(files).measured()).isZero();
    }

    @Test
    void shouldCountWhatIsBehindTheNewestSnapshot() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (Reprise engine = open(disk)) {
            for (long id = 0; id < 100; id++) {
                engine.call("OpenAccount", id, 100L, "owner");
            }
            RecoveryForecast before = engine.recoveryForecast().orElseThrow();
            assertThat(before.rows()).isZero();
            assertThat(before.commands()).isEqualTo(100);
            assertThat(engine.snapshot().problem()).isEmpty();
            for (long id = 0; id < 10; id++) {
                engine.call("Transfer", id, id + 1, 1L);
            }

            RecoveryForecast behind = engine.recoveryForecast().orElseThrow();
            assertThat(behind.rows()).isEqualTo(100);
            assertThat(behind.commands()).isEqualTo(10);
            assertThat(behind.logBytes()).isBetween(1L, before.logBytes());
            disk = disk.kill();
            kill(engine);
        }
        try (Reprise again = open(disk)) {
            RecoveryForecast forecast = again.recoveryForecast().orElseThrow();

            assertThat(forecast.rows()).isEqualTo(100);
            assertThat(forecast.commands()).isEqualTo(10);
            assertThat(forecast.lastExpectedNs()).isPositive();
        }
    }

    private static void kill(Reprise engine) {
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    private static Reprise open(SimulatedFileStore disk) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .durability(Durability.standard()
                        .with(SmallDurability.logOfSchemas(256 << 10))
                        .with(SmallDurability.snapshots(2)))
                .files(disk)
                .open();
    }
}
