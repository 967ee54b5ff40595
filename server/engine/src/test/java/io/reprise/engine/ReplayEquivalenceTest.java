package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.RandomSteps.Step;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.log.Compression;
import io.reprise.log.LogSettings;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.SnapshotSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A database that is closed, killed or loses its power again and again, beside one in memory that never stops: after each
 * recovery both hold the same, and each later call does the same to both.
 */
final class ReplayEquivalenceTest {
    private static final int STEPS = 50;
    private static final int SEEDS = 1;
    private static final int MOST_AT_ONCE = 9;
    private static final FootprintBuffer.Settings FOOTPRINTS = new FootprintBuffer.Settings(2, 512, 128, 1);

    /** So many that transactions over two of them need not have one in common. */
    private static final int MOST_PARTITIONS = 5;

    /** The settings of a database, and those that may change from one opening to the next. */
    private enum Keeping {
        COMMANDS(LoggingMethod.COMMAND, true),
        DIFFERENCES(LoggingMethod.PHYSIOLOGICAL, true),
        WHOLE_ROWS(LoggingMethod.PHYSIOLOGICAL, false),
        MIXED(LoggingMethod.ADAPTIVE, true),
        BOUNDARIES(LoggingMethod.BOUNDARY, true);

        private final LoggingMethod method;
        private final boolean differential;

        Keeping(LoggingMethod method, boolean differential) {
            this.method = method;
            this.differential = differential;
        }

        Durability durability(long snapshotMs, Compression compression) {
            return Durability.standard()
                    .with(method)
                    .with(AdaptiveSettings.random(0.5))
                    .withDifferential(differential)
                    .with(LogSettings.DEFAULTS
                            .withSizes(4096, 16 << 10, 1 << 16, 128 << 10)
                            .withSegmentBytes(256 << 10)
                            .withCompression(compression))
                    .with(new SnapshotSettings(snapshotMs, 0, 2, 1, 1, 50_000, 1024, 2, 1 << 20, 1 << 20, 0));
        }
    }

    /** The two databases. */
    private static final class Pair implements AutoCloseable {
        private final SeededRandomness random;
        private final SeededRandomness sites;
        private final SeededRandomness demand;
        private final boolean mayDemand;
        private final boolean alike;
        private final boolean mixed;
        private final long snapshotMs;
        private final SimulatedClock clock = new SimulatedClock();
        private final SimulatedClock otherClock = new SimulatedClock();
        private final RandomSteps steps;
        private final Callers callers = new Callers();
        private final Callers otherCallers = new Callers();
        private final Reprise other;
        private final List<String> story = new ArrayList<>();
        private Keeping keeping;
        private int partitions;
        private int siteCount;
        private SimulatedFileStore disk;
        private Reprise engine;

        /** Of a seed; alike in the number of partitions, always, or not. */
        Pair(long seed, Keeping keeping, boolean alike, boolean mixed) {
            this.keeping = keeping;
            this.alike = alike;
            this.mixed = mixed;
            random = new SeededRandomness(seed);
            sites = new SeededRandomness(~seed);
            demand = new SeededRandomness(31 * seed + keeping.ordinal() + (alike ? 0 : 8) + (mixed ? 16 : 0));
            mayDemand = demand.nextInt(2) == 0;
            disk = new SimulatedFileStore(seed);
            snapshotMs = random.nextInt(2) == 0 ? 0 : 7;
            // A snapshot that begins by itself takes the id that the next call has in the other database, and so does
            // loading.
            steps = new RandomSteps(random, alike && snapshotMs == 0 && !mayDemand, MOST_AT_ONCE);
            partitions = 1 + random.nextInt(MOST_PARTITIONS);
            siteCount = 1 + sites.nextInt(partitions);
            other = options(otherClock, alike ? partitions : 2, alike ? siteCount : 2, otherCallers)
                    .open();
            engine = open();
        }

        private static Options options(SimulatedClock clock, int partitions, int siteCount, Callers callers) {
            return Options.create()
                    .partitions(partitions)
                    .sites(siteCount)
                    .threads(Options.Threads.CALLER)
                    .clock(clock)
                    .memoryPerPartition(32 << 20)
                    .siteAgent(callers::at)
                    .ddl(Medley.DDL);
        }

        private Reprise open() {
            Compression compression = random.nextInt(2) == 0 ? Compression.ALWAYS : Compression.NONE;
            boolean footprints = sites.nextInt(2) == 0;
            ReplaySettings.Order order =
                    sites.nextInt(2) == 0 ? ReplaySettings.Order.LOG : ReplaySettings.Order.BUCKETS;
            boolean onDemand = mayDemand && demand.nextInt(3) != 0;
            story.add("open with " + partitions + " partitions on " + siteCount + " sites, " + keeping
                    + ", compression " + compression + (footprints ? ", footprints" : "")
                    + ", replayed in order of " + order + (onDemand ? ", on demand" : ""));
            return options(clock, partitions, siteCount, callers)
                    .replay(new ReplaySettings(random.nextInt(20)).with(order))
                    .recoverOnDemand(onDemand)
                    .files(disk)
                    .footprints(FOOTPRINTS)
                    .durability(keeping.durability(snapshotMs, compression).withFootprints(footprints))
                    .open();
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                clock.advance(1_000_000);
                otherClock.advance(1_000_000);
                int dice = random.nextInt(100);
                if (dice < 8) {
                    restart();
                    if (random.nextInt(3) == 0) {
                        restart();
                    }
                } else if (dice < 14) {
                    story.add("snapshot");
                    assertThat(engine.snapshot().problem()).isEmpty();
                } else {
                    step(steps.next());
                }
            }
            restart();
            assertThat(Dump.of(engine)).isEqualTo(Dump.of(other));
        }

        private void step(Step step) {
            story.add(step.what());
            String here = step.run(engine, callers, alike);
            String there = step.run(other, otherCallers, alike);
            assertThat(here).as(step.what()).isEqualTo(there);
        }

        private void restart() {
            if (engine.load().isPresent() && demand.nextInt(2) == 0) {
                stop();
                engine = open();
                return;
            }
            long[] before = engine.contentHashes();
            int partitionsBefore = partitions;
            stop();
            if (!alike) {
                partitions = 1 + random.nextInt(MOST_PARTITIONS);
                siteCount = 1 + sites.nextInt(partitions);
            }
            if (mixed) {
                keeping = Keeping.values()[random.nextInt(Keeping.values().length)];
            }
            engine = open();
            if (engine.load().isPresent() && demand.nextInt(2) == 0) {
                return;
            }
            if (partitions == partitionsBefore) {
                assertThat(engine.contentHashes()).isEqualTo(before);
            }
            if (alike) {
                assertThat(engine.contentHashes()).isEqualTo(other.contentHashes());
            }
            steps.numbered().makeAgain(engine, callers);
            assertThat(Dump.of(engine)).isEqualTo(Dump.of(other));
        }

        private void stop() {
            int how = random.nextInt(3);
            story.add("stop " + how);
            if (how == 0) {
                engine.close();
                return;
            }
            disk = how == 1 ? disk.crash() : disk.kill();
            abandon(engine);
        }

        @Override
        public void close() {
            abandon(engine);
            other.close();
        }
    }

    /** Gives back the memory of an engine whose disk may be no more. */
    private static void abandon(Reprise engine) {
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    private static void check(long seed, Keeping keeping, boolean alike, boolean mixed) {
        try (Pair pair = new Pair(seed, keeping, alike, mixed)) {
            try {
                pair.run();
            } catch (Throwable e) {
                throw new AssertionError(e.getMessage() + "\nafter\n" + String.join("\n", pair.story), e);
            }
        }
    }

    @Test
    void shouldBeAsIfItHadNeverStoppedWhenCommandsAreReplayed() {
        Seeds.forEach(SEEDS, seed -> check(seed, Keeping.COMMANDS, true, false));
    }

    @Test
    void shouldBeAsIfItHadNeverStoppedWhenDifferencesAreStoredAgain() {
        Seeds.forEach(SEEDS, seed -> check(seed, Keeping.DIFFERENCES, true, false));
    }

    @Test
    void shouldBeAsIfItHadNeverStoppedWhenWholeRowsAreStoredAgain() {
        Seeds.forEach(SEEDS, seed -> check(seed, Keeping.WHOLE_ROWS, true, false));
    }

    @Test
    void shouldBeAsIfItHadNeverStoppedWhenBoundariesAreLogged() {
        Seeds.forEach(SEEDS, seed -> check(seed, Keeping.BOUNDARIES, true, false));
    }

    @Test
    void shouldHoldTheSameWhenBoundariesAreLoggedAndTheNumberOfPartitionsChanges() {
        Seeds.forEach(SEEDS, seed -> check(seed, Keeping.BOUNDARIES, false, false));
    }

    @Test
    void shouldBeAsIfItHadNeverStoppedWhenTheMethodChanges() {
        Seeds.forEach(SEEDS, seed -> check(seed, Keeping.COMMANDS, true, true));
    }

    @Test
    void shouldHoldTheSameWhenTheNumberOfPartitionsChanges() {
        Seeds.forEach(SEEDS, seed -> check(seed, Keeping.values()[Math.floorMod(seed, 3)], false, false));
    }

    @Test
    void shouldHoldTheSameWhenMethodAndNumberOfPartitionsChange() {
        Seeds.forEach(SEEDS, seed -> check(seed, Keeping.COMMANDS, false, true));
    }

    @Test
    void shouldHoldAStateOfThePastWhenPowerIsLostAndTheLogIsAsynchronous() {
        Seeds.forEach(SEEDS, ReplayEquivalenceTest::checkPrefix);
    }

    /** An asynchronous log may lose the last transactions, but not one in the middle, and none that was forced. */
    private static void checkPrefix(long seed) {
        SeededRandomness random = new SeededRandomness(seed);
        SimulatedFileStore disk = new SimulatedFileStore(seed);
        SimulatedClock clock = new SimulatedClock();
        RandomSteps steps = new RandomSteps(random, false, 1);
        Callers callers = new Callers();
        Keeping keeping = Keeping.values()[random.nextInt(3)];
        Durability durability = keeping.durability(0, Compression.ALWAYS);
        durability = durability.with(durability.log().asynchronous(10_000_000));
        int partitions = 1 + random.nextInt(3);
        Options options = Pair.options(clock, partitions, 1, callers).durability(durability);
        List<Map<String, List<String>>> past = new ArrayList<>();
        Reprise engine = options.files(disk).open();
        int count = 20 + random.nextInt(30);
        for (int i = 0; i < count; i++) {
            past.add(Dump.of(engine));
            clock.advance(1_000_000);
            steps.next().run(engine, callers, false);
            engine.runSites();
        }
        past.add(Dump.of(engine));
        disk = disk.crash();
        abandon(engine);

        try (Reprise again = options.files(disk).open()) {
            Map<String, List<String>> found = Dump.of(again);
            assertThat(past).contains(found);
            // One step takes a millisecond, and a force comes after ten at the latest.
            assertThat(past.lastIndexOf(found)).isGreaterThanOrEqualTo(count - 11);
        }
    }
}
