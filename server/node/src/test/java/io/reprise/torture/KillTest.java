package io.reprise.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.runtime.SeededRandomness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills a database at random moments, while it opens, recovers, works, and writes snapshots, and starts it again on
 * the same directory. Every answered call is there, nothing is half done, each numbered call has its effect once, and
 * it goes on. The seed chooses the way of logging and the activity beside the load: see {@link VictimSettings}.
 *
 * <p>{@code -Dreprise.kills=N} asks for more kills than the few of a build, with new seeds each time; {@code
 * -Dreprise.seed=S} repeats the choices of one database, though not the moments exactly; {@code -Dreprise.load=L} has
 * all databases run one load; {@code -Dreprise.traits=T,T} gives all processes these settings; {@code -Dreprise.powerloss=true} has each kill take the power too (see {@link
 * LoopDisk}). A failure names seed and directory, says how to run it again, and leaves the directory as it is.
 */
final class KillTest {
    private static final int KILLS_OF_ONE_DATABASE = 8;

    private static final String LOAD = System.getProperty("reprise.load");
    private static final String TRAIT_NAMES = System.getProperty("reprise.traits", "");
    private static final Set<VictimSettings.Trait> TRAITS = Stream.of(TRAIT_NAMES.split(","))
            .filter(name -> !name.isEmpty())
            .map(VictimSettings.Trait::valueOf)
            .collect(Collectors.toUnmodifiableSet());

    /** The first process is killed when it is ready, so that there is something to lose. */
    private static final long SEED_OF_A_KILL_AT_WORK = 40;

    private static final Map<String, Integer> KILLED = new TreeMap<>();

    /**
     * A database to be killed.
     *
     * @param kills number of kills
     * @param load null: the seed chooses it
     * @param method null: the seed chooses it
     * @param brief whether long actions are left out
     */
    record Database(long seed, int kills, String load, LoggingMethod method, boolean brief) {
        static Database any(long seed, int kills) {
            return new Database(seed, kills, LOAD, null, false);
        }

        static Database ofBuild(long seed, int kills, String load, LoggingMethod method) {
            return new Database(seed, kills, load, method, true);
        }
    }

    private static Stream<Database> databases() {
        Integer kills = Integer.getInteger("reprise.kills");
        Long seed = Long.getLong("reprise.seed");
        if (seed != null) {
            return Stream.of(Database.any(seed, kills == null ? KILLS_OF_ONE_DATABASE : kills));
        }
        if (kills == null) {
            // Seeds whose first process is killed at work, so that there is something to lose; some change the schema
            // and make backups.
            return Stream.of(
                    Database.ofBuild(12, 1, "transfers", LoggingMethod.COMMAND),
                    Database.ofBuild(27, 1, "tpcc", LoggingMethod.PHYSIOLOGICAL),
                    Database.ofBuild(7, 1, "smallbank", LoggingMethod.COMMAND),
                    Database.ofBuild(4, 1, "calls", LoggingMethod.PHYSIOLOGICAL));
        }
        SeededRandomness seeds = SeededRandomness.unpredictable();
        return IntStream.iterate(0, done -> done < kills, done -> done + KILLS_OF_ONE_DATABASE)
                .mapToObj(done -> Database.any(seeds.nextLong() >>> 1, Math.min(KILLS_OF_ONE_DATABASE, kills - done)));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void shouldFindEverythingThatWasAnsweredWhenKilled(Database of) throws Exception {
        Path directory = directory("seed-" + of.seed() + "-");
        VictimDisk disk = disk(directory);
        KilledDatabase database = new KilledDatabase(
                directory, disk, of.seed(), of.load(), of.method(), of.brief() ? Set.of() : TRAITS, of.brief());
        try (disk) {
            database.run(of.kills());
        } catch (Throwable e) {
            throw new AssertionError(
                    "seed " + of.seed() + " fails: " + e.getMessage() + "\nThe database is left in " + directory
                            + ", what its processes said in errors.txt.\n" + database.story()
                            + "\nTo try again: " + again(of),
                    e);
        }
        assertThat(database.acknowledged()).isPositive();
        assertThat(database.repeatedAnswers() > 0)
                .as("whether answers were given again by the load of %s", database.kind())
                .isEqualTo(database.kind().startsWith("calls"));
        KILLED.merge(database.kind(), of.kills(), Integer::sum);
        System.out.println("kills: " + of.kills() + " of seed " + of.seed() + ", " + database.kind() + "; together "
                + KILLED + "\n" + database.story());
        Directories.remove(directory);
    }

    /** The command for it; the databases of a build are run again by the test itself. */
    private static String again(Database of) {
        if (of.brief()) {
            return "-Dtest=KillTest";
        }
        return "scripts/torture --kills " + of.kills() + " --seed " + of.seed()
                + (of.load() == null ? "" : " --load " + of.load())
                + (TRAITS.isEmpty() ? "" : " --with " + TRAIT_NAMES) + (isPowerLost() ? " --power-loss" : "");
    }

    /** The check above is itself shown to fail: the disk forgets the whole directory. */
    @Test
    void shouldNoticeWhenADatabaseIsLost() throws Exception {
        Path directory = directory("lost-");
        KilledDatabase database = new KilledDatabase(
                directory,
                forgetful(directory),
                SEED_OF_A_KILL_AT_WORK,
                "smallbank",
                LoggingMethod.COMMAND,
                Set.of(),
                true);

        assertThatThrownBy(() -> database.run(1))
                .as("seed %d: %s", SEED_OF_A_KILL_AT_WORK, database.story())
                .hasMessageContaining("the database was filled, and is not any more");

        Directories.remove(directory);
    }

    private static Path directory(String prefix) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "kills"));
        return Files.createTempDirectory(folder, prefix).toAbsolutePath();
    }

    private static VictimDisk forgetful(Path directory) {
        return new VictimDisk() {
            @Override
            public Path directory() {
                return directory;
            }

            @Override
            public void died() throws IOException {
                Directories.remove(directory.resolve("data"));
            }

            @Override
            public void close() {}
        };
    }

    private static VictimDisk disk(Path directory) throws Exception {
        if (!isPowerLost()) {
            return VictimDisk.ofMachine(directory);
        }
        assertThat(LoopDisk.isPossible())
                .as("a file system of its own needs root and a loop device")
                .isTrue();
        return new LoopDisk(directory);
    }

    private static boolean isPowerLost() {
        return Boolean.getBoolean("reprise.powerloss");
    }
}
