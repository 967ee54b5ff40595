package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Forecasts of recoveries come near to what these take, and survive a restart. */
final class RecoveryModelTest {
    private static final int LEARNT = 20;

    private static RecoveryWork work(SeededRandomness random) {
        return new RecoveryWork(
                random.nextInt(5_000_000),
                random.nextInt(2_000_000),
                random.nextInt(1_000_000),
                random.nextInt(400_000_000),
                random.nextInt(30));
    }

    /** A machine apart from the usual one. */
    private static long took(RecoveryWork work) {
        return (long) (300_000_000L
                + 1_100 * work.rows()
                + 9_000 * work.commands()
                + 1_500 * work.dataRecords()
                + 2 * work.logBytes()
                + 4_000_000 * work.runs());
    }

    @Test
    void shouldForecastWithinATenthWhenItHasSeenSomeRecoveries() {
        SeededRandomness random = new SeededRandomness(1);
        RecoveryModel model = new RecoveryModel(RecoveryModel.Part.WHOLE);
        for (int i = 0; i < LEARNT; i++) {
            RecoveryWork work = work(random);
            model = model.learn(List.of(new RecoveryModel.Sample(work, took(work))));
        }

        for (int i = 0; i < LEARNT; i++) {
            RecoveryWork work = work(random);
            assertThat((double) model.expectedNs(work) / took(work)).isCloseTo(1, within(0.1));
        }
        assertThat(model.measured()).isEqualTo(LEARNT);
    }

    @Test
    void shouldNeverBeNegativeWhenRecoveriesWereShort() {
        RecoveryModel model = new RecoveryModel(RecoveryModel.Part.WHOLE);
        for (int i = 0; i < LEARNT; i++) {
            model = model.learn(
                    List.of(new RecoveryModel.Sample(new RecoveryWork(i, 10L * i, 0, 1000L * i, 0), 1_000)));
        }

        assertThat(model.expectedNs(new RecoveryWork(0, 0, 0, 0, 0))).isNotNegative();
        assertThat(model.expectedNs(new RecoveryWork(1_000_000, 0, 0, 0, 0))).isPositive();
    }

    @Test
    void shouldForecastTheHeaviestBucketWhenItHasSeenAllOthers() {
        SeededRandomness random = new SeededRandomness(4);
        List<RecoveryModel.Sample> buckets = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            RecoveryWork work = new RecoveryWork(100 + random.nextInt(900), 0, random.nextInt(200), 0, 3);
            long tookNs = (long) (200_000 + 800 * work.rows() + 3_000 * work.dataRecords());
            buckets.add(new RecoveryModel.Sample(work, tookNs + random.nextInt(100_000)));
        }

        RecoveryModel model = new RecoveryModel(RecoveryModel.Part.BUCKET).learn(buckets);

        assertThat(model.expectedNs(new RecoveryWork(20_000, 0, 4_000, 0, 3)) / 28_250_000.0)
                .isCloseTo(1, within(0.15));
        assertThat(model.measured()).isEqualTo(1);
    }

    private static RecoveryCosts learnt(long seed) {
        SeededRandomness random = new SeededRandomness(seed);
        RecoveryCosts costs = RecoveryCosts.usual();
        for (RecoveryModel.Part part : RecoveryModel.Part.values()) {
            costs = costs.learn(part, List.of(new RecoveryModel.Sample(work(random), 5_000_000_000L)));
        }
        return costs;
    }

    @Test
    void shouldKeepWhatItHasLearnt() {
        SimulatedFileStore files = new SimulatedFileStore(1);
        files.lock();
        RecoveryCosts costs = learnt(2);
        costs.write(files);

        RecoveryCosts again = RecoveryCosts.read(files);

        for (RecoveryModel.Part part : RecoveryModel.Part.values()) {
            assertThat(again.of(part).encode()).isEqualTo(costs.of(part).encode());
        }
        again.write(files);
        assertThat(RecoveryCosts.read(files).of(RecoveryModel.Part.ALL).measured())
                .isEqualTo(1);
    }

    @Test
    void shouldBeginAnewWhenAnyByteOfTheFileIsDamaged() {
        SimulatedFileStore files = new SimulatedFileStore(1);
        files.lock();
        learnt(3).write(files);
        long size;
        try (DataFile file = files.openReadOnly(RecoveryCosts.FILE)) {
            size = file.size();
        }

        for (long at = 0; at < size; at++) {
            learnt(3).write(files);
            try (DataFile file = files.open(RecoveryCosts.FILE)) {
                ByteBuffer one = ByteBuffer.allocate(1);
                file.read(at, one);
                file.write(at, ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ 1)}));
            }
            assertThat(RecoveryCosts.read(files).of(RecoveryModel.Part.WHOLE).measured())
                    .as("byte " + at)
                    .isZero();
        }
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
