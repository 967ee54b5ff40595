package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.reprise.recovery.demand.LoadStats;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import org.junit.jupiter.api.Test;

/** The forecast of a recovery on demand is about the work that it has, and learns from its loading. */
final class DemandForecastTest {
    private static final long MS = 1_000_000;
    private static final int ACCOUNTS = 300;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);
    private boolean images;
    private boolean storesInLog;
    private long mostRuns;

    private Options options() {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .durability(Durability.standard()
                        .with(SmallDurability.logOfSchemas(256 << 10))
                        .with(SmallDurability.snapshots(2)))
                .recoverOnDemand(true)
                .sortedLog(SmallDurability.runs(6000).withImages(images))
                .storeInLog(storesInLog)
                .files(disk);
    }

    private Reprise filled() {
        Reprise engine = options().clock(clock).open();
        for (long id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 1_000_000L, "owner " + id);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        return engine;
    }

    private void transfer(Reprise engine, SeededRandomness random, int count) {
        for (int i = 0; i < count; i++) {
            clock.advance(MS);
            engine.call("Transfer", (long) random.nextInt(ACCOUNTS), (long) random.nextInt(ACCOUNTS), 1L);
        }
    }

    private void kill(Reprise engine) {
        disk = disk.kill();
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    private static RecoveryForecast forecast(Reprise engine) {
        return engine.recoveryForecast().orElseThrow();
    }

    @Test
    void shouldForecastTheWorkThatTheNextRecoveryHas() {
        Seeds.forEach(6, seed -> {
            disk = new SimulatedFileStore(seed);
            mostRuns = 0;
            SeededRandomness random = new SeededRandomness(seed);
            storesInLog = random.chance(0.3);
            images = storesInLog || random.chance(0.5);
            Reprise engine = filled();
            for (int round = 0; round < 3; round++) {
                transfer(engine, random, 100 + random.nextInt(500));
                if (random.chance(0.3)) {
                    assertThat(engine.snapshot().problem()).isEmpty();
                    transfer(engine, random, 50);
                }
                RecoveryForecast expected = forecast(engine);
                kill(engine);
                engine = options().clock(clock).open();
                compare(engine, expected, "seed " + seed + ", round " + round);
            }
            kill(engine);
            assertThat(mostRuns).as("seed " + seed).isPositive();
        });
    }

    /** A snapshot within a run is the one place where records are estimated. */
    private void compare(Reprise engine, RecoveryForecast expected, String what) {
        assertThat(expected.onDemand()).as(what).isTrue();
        assertThat(expected.rows()).as(what).isEqualTo(ACCOUNTS);
        mostRuns = Math.max(mostRuns, expected.runs());
        RecoveryForecast afterStart = forecast(engine);
        assertThat((double) afterStart.commands()).as(what).isCloseTo((double) expected.commands(), within(40.0));
        assertThat((double) afterStart.dataRecords()).as(what).isCloseTo((double) expected.dataRecords(), within(40.0));
        engine.call("Total");
        LoadStats loads = engine.load().orElseThrow();
        assertThat(loads.ready()).as(what).isEqualTo(loads.buckets());
        assertThat((double) loads.commands()).as(what).isCloseTo((double) expected.commands(), within(40.0));
        assertThat((double) loads.records() - loads.commands())
                .as(what)
                .isCloseTo((double) expected.dataRecords(), within(40.0));
        assertThat(loads.samples()).as(what).hasSize(loads.buckets());
        if (images) {
            assertThat(expected.commands()).as(what).isLessThan(200);
        }
    }

    @Test
    void shouldLearnFromTheOpeningAndFromTheLoading() {
        Reprise engine = filled();
        transfer(engine, new SeededRandomness(1), 200);
        assertThat(forecast(engine).measured()).isZero();
        kill(engine);

        try (Reprise again = options().open()) {
            assertThat(forecast(again).lastFirstNs()).isPositive();
            assertThat(forecast(again).lastFirstExpectedNs()).isPositive();
            assertThat(forecast(again).lastTookNs()).as("it goes on").isZero();

            again.call("Total");
            again.runSites();

            RecoveryForecast learnt = forecast(again);
            assertThat(learnt.measured()).isEqualTo(1);
            assertThat(learnt.lastTookNs()).isGreaterThan(learnt.lastFirstNs());
            assertThat(learnt.lastExpectedNs()).isGreaterThan(learnt.lastFirstExpectedNs());
            assertThat(learnt.firstNs()).isLessThan(learnt.expectedNs());
            assertThat(learnt.bucketNs()).isBetween(1L, learnt.expectedNs());
        }
        RecoveryCosts costs = RecoveryCosts.read(disk);
        assertThat(costs.of(RecoveryModel.Part.FIRST).measured()).isEqualTo(1);
        assertThat(costs.of(RecoveryModel.Part.BUCKET).measured()).isEqualTo(1);
        assertThat(costs.of(RecoveryModel.Part.ALL).measured()).isEqualTo(1);
        assertThat(costs.of(RecoveryModel.Part.WHOLE).measured()).isZero();
    }

    @Test
    void shouldForecastARecoveryOfAllRowsFirstWhenTheSchemaHasChanged() {
        Reprise engine = filled();
        assertThat(forecast(engine).onDemand()).isTrue();

        engine.ddl("CREATE TABLE later (a INTEGER NOT NULL, PRIMARY KEY (a)); PARTITION TABLE later ON COLUMN a");

        RecoveryForecast changed = forecast(engine);
        assertThat(changed.onDemand()).isFalse();
        assertThat(changed.firstNs()).isEqualTo(changed.expectedNs());
        kill(engine);
        engine = options().clock(clock).open();
        assertThat(engine.load()).isEmpty();
        assertThat(forecast(engine).onDemand()).isFalse();
        assertThat(engine.snapshot().problem()).isEmpty();
        assertThat(forecast(engine).onDemand()).isTrue();
        kill(engine);
        engine = options().clock(clock).open();
        assertThat(engine.load()).isPresent();
        engine.close();
    }
}
