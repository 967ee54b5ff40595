package io.reprise.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.runtime.SeededRandomness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills a database at random moments, while it opens, recovers, works, and writes snapshots, and starts it again on the
 * same directory: whatever it had answered is there, nothing is half done, and it goes on.
 *
 * <p>{@code -Dreprise.kills=N} asks for more kills than the few of a build, with new seeds each time;
 * {@code -Dreprise.seed=S} repeats the choices of one database, though not the moments exactly; {@code
 * -Dreprise.powerloss=true} has each kill take the power too (see {@link LoopDisk}). A failure names seed and directory, and
 * leaves the directory as it is.
 */
final class KillTest {
    private static final int KILLS_OF_ONE_DATABASE = 8;

    /** The first process is killed when it is ready, so that there is something to lose. */
    private static final long SEED_OF_A_KILL_AT_WORK = 1;

    @Test
    void shouldFindEverythingThatWasAnsweredWhenKilled() throws Exception {
        Integer kills = Integer.getInteger("reprise.kills");
        Long seed = Long.getLong("reprise.seed");
        if (seed != null) {
            int all = kills == null ? KILLS_OF_ONE_DATABASE : kills;
            System.out.println("kills: " + all + " of seed " + seed + ", " + run(seed, all, null, null));
        } else if (kills == null) {
            run(1, 1, "transfers", LoggingMethod.COMMAND);
            run(2, 1, "tpcc", LoggingMethod.PHYSIOLOGICAL);
            run(3, 1, "smallbank", LoggingMethod.COMMAND);
        } else {
            Map<String, Integer> kinds = new TreeMap<>();
            SeededRandomness seeds = SeededRandomness.unpredictable();
            for (int done = 0; done < kills; done += KILLS_OF_ONE_DATABASE) {
                int now = Math.min(KILLS_OF_ONE_DATABASE, kills - done);
                kinds.merge(run(seeds.nextLong() >>> 1, now, null, null), now, Integer::sum);
                System.out.println("kills: " + (done + now) + " of " + kills + " " + kinds);
            }
        }
    }

    /** That the check above would fail is itself shown: the disk forgets the whole directory. */
    @ParameterizedTest
    @ValueSource(strings = {"tpcc", "smallbank", "transfers"})
    void shouldNoticeWhenADatabaseIsLost(String load) throws Exception {
        Path folder = Files.createDirectories(Path.of("target", "kills"));
        Path directory = Files.createTempDirectory(folder, "lost-").toAbsolutePath();
        VictimDisk disk = forgetful(directory);
        KilledDatabase database =
                new KilledDatabase(directory, disk, SEED_OF_A_KILL_AT_WORK, load, LoggingMethod.COMMAND);

        assertThatThrownBy(() -> database.run(1))
                .as("seed %d: %s", SEED_OF_A_KILL_AT_WORK, database.story())
                .hasMessageContaining("the database was filled, and is not any more");

        remove(directory);
    }

    private static VictimDisk forgetful(Path directory) {
        return new VictimDisk() {
            @Override
            public Path directory() {
                return directory;
            }

            @Override
            public void died() throws IOException {
                remove(directory.resolve("data"));
            }

            @Override
            public void close() {}
        };
    }

    private static String run(long seed, int kills, String load, LoggingMethod method) throws Exception {
        Path folder = Files.createDirectories(Path.of("target", "kills"));
        Path directory = Files.createTempDirectory(folder, "seed-" + seed + "-");
        VictimDisk disk = disk(directory.toAbsolutePath());
        KilledDatabase database = new KilledDatabase(directory.toAbsolutePath(), disk, seed, load, method);
        try (disk) {
            database.run(kills);
        } catch (Throwable e) {
            throw new AssertionError(
                    "seed " + seed + " fails: " + e.getMessage() + "\nThe database is left in "
                            + directory.toAbsolutePath() + ", what its processes said in errors.txt.\n"
                            + database.story() + "\nTo try again: -Dtest=KillTest -Dreprise.seed=" + seed,
                    e);
        }
        assertThat(database.acknowledged()).isPositive();
        remove(directory);
        return database.kind();
    }

    private static VictimDisk disk(Path directory) throws Exception {
        if (!Boolean.getBoolean("reprise.powerloss")) {
            return VictimDisk.ofMachine(directory);
        }
        assertThat(LoopDisk.isPossible())
                .as("a file system of its own needs root and a loop device")
                .isTrue();
        return new LoopDisk(directory);
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
