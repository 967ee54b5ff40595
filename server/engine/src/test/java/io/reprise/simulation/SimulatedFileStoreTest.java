package io.reprise.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.ForceFailedException;
import io.reprise.runtime.file.MissingFileException;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.StorageFullException;
import io.reprise.runtime.file.StorageReadOnlyException;
import io.reprise.runtime.file.TransientStorageException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The promises and the malice of the simulated disk. Outcomes that need luck are looked for over many seeds. */
class SimulatedFileStoreTest {
    private static final int SEEDS = 200;

    /** Of {@link #useEveryCall}. */
    private static final int CALLS = 17;

    private static final int LONG = 3_000;

    @Test
    void shouldKeepForcedBytesAndMayLoseTearOrReorderOthersWhenPowerIsLost() {
        Set<String> outcomes = outcomesAfterCrash(
                store -> {
                    DataFile file = durableFile(store, "a", 'o', LONG);
                    file.write(0, filled('x', LONG));
                },
                store -> {
                    byte[] bytes = bytes(store, "a");
                    assertThat(bytes).hasSize(LONG);
                    return shape(bytes, 'x', 'o');
                });

        assertThat(outcomes).contains("none", "all", "start only", "holes");
    }

    @Test
    void shouldNotTouchBytesThatWereForcedWhenLaterOnesAreAppended() {
        outcomesAfterCrash(
                store -> {
                    DataFile file = durableFile(store, "a", 'o', LONG);
                    file.append(filled('x', LONG));
                },
                store -> {
                    byte[] bytes = bytes(store, "a");
                    assertThat(bytes.length).isBetween(LONG, 2 * LONG);
                    assertThat(Arrays.copyOf(bytes, LONG)).containsOnly('o');
                    return "";
                });
    }

    @Test
    void shouldLeaveAnySizeWhenAnUnforcedAppendIsCut() {
        Set<String> outcomes =
                outcomesAfterCrash(store -> durableFile(store, "a", 'o', 100).append(filled('x', LONG)), store -> {
                    byte[] bytes = bytes(store, "a");
                    byte[] tail = Arrays.copyOfRange(bytes, 100, bytes.length);
                    return tail.length == 0 ? "none" : tail.length < LONG ? "short" : shape(tail, 'x', (char) 0);
                });

        assertThat(outcomes).contains("none", "all", "short", "garbage");
    }

    @Test
    void shouldLoseOrKeepANameWhenItsDirectoryWasNotForced() {
        Set<String> outcomes = outcomesAfterCrash(
                store -> {
                    DataFile file = store.create("a");
                    file.write(0, filled('x', 10));
                    file.force();
                },
                store -> store.exists("a") ? shape(bytes(store, "a"), 'x', 'o') : "missing");

        assertThat(outcomes).containsExactlyInAnyOrder("missing", "all");
    }

    @Test
    void shouldRenameWhollyOrNotAtAllWhenTheDirectoryWasNotForced() {
        Set<String> outcomes = outcomesAfterCrash(
                store -> {
                    durableFile(store, "a", 'o', 10);
                    durableFile(store, "b", 'x', 10);
                    store.rename("b", "a");
                },
                store -> store.list("") + shape(bytes(store, "a"), 'x', 'o'));

        assertThat(outcomes).containsExactlyInAnyOrder("[a]all", "[a, b]none");
    }

    @Test
    void shouldReorderRenamesOfDifferentNamesWhenTheDirectoryWasNotForced() {
        Set<String> outcomes = outcomesAfterCrash(
                store -> {
                    durableFile(store, "a", 'o', 10);
                    durableFile(store, "b", 'o', 10);
                    store.rename("a", "a2");
                    store.rename("b", "b2");
                },
                store -> store.list("").toString());

        assertThat(outcomes).containsExactlyInAnyOrder("[a, b]", "[a2, b]", "[a, b2]", "[a2, b2]");
    }

    @Test
    void shouldNeverLoseAFileWhoseOldNameIsUsedAgain() {
        outcomesAfterCrash(
                store -> {
                    store.createDirectory("d");
                    durableFile(store, "a", 'o', 10);
                    store.rename("a", "d/a");
                    store.create("a");
                    store.forceDirectory("");
                },
                store -> {
                    assertThat(store.exists("d/a")).isTrue();
                    return "";
                });
    }

    @Test
    void shouldLoseWhatIsInADirectoryWhoseOwnNameWasNotForced() {
        Set<String> outcomes = outcomesAfterCrash(
                store -> {
                    store.createDirectory("d");
                    durableFile(store, "d/a", 'o', 10);
                },
                store -> store.exists("d/a") + " " + store.exists("d"));

        assertThat(outcomes).containsExactlyInAnyOrder("true true", "false false");
    }

    @Test
    void shouldKeepAllWhenOnlyTheProcessEnds() {
        SimulatedFileStore store = new SimulatedFileStore(1);
        DataFile file = store.create("a");
        file.write(0, filled('x', LONG));

        SimulatedFileStore next = store.kill();

        assertThat(shape(bytes(next, "a"), 'x', 'o')).isEqualTo("all");
        assertThatThrownBy(() -> file.write(0, filled('y', 1))).isInstanceOf(SimulatedPowerLoss.class);
        assertThatThrownBy(() -> store.list("")).isInstanceOf(SimulatedPowerLoss.class);
        assertThatThrownBy(store::crash).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldStillLoseUnforcedBytesWhenPowerIsLostAfterTheProcessEnded() {
        Set<String> outcomes = new TreeSet<>();
        Seeds.forEach(SEEDS, seed -> {
            SimulatedFileStore store = new SimulatedFileStore(seed);
            durableFile(store, "a", 'o', 10).write(0, filled('x', 10));
            outcomes.add(shape(bytes(store.kill().crash(), "a"), 'x', 'o'));
        });

        assertThat(outcomes).contains("none", "all");
    }

    @Test
    void shouldNeverKeepWhatAFailedForceDroppedEvenIfTheNextForceSucceeds() {
        Set<String> outcomes = outcomesAfterCrash(
                store -> {
                    DataFile file = durableFile(store, "a", 'o', LONG);
                    file.write(0, filled('x', LONG));
                    store.faults().fail(FileCall.FORCE, 1);
                    assertThatThrownBy(file::force).isInstanceOf(ForceFailedException.class);
                    file.force();
                },
                store -> shape(bytes(store, "a"), 'x', 'o'));

        assertThat(outcomes).contains("none", "all", "holes");
    }

    @Test
    void shouldForgetWhatAFailedForceDroppedWhenItNeedsMemoryAndNothingThatIsToBeWritten() {
        boolean forgotten = false;
        for (int seed = 1; seed <= SEEDS; seed++) {
            SimulatedFileStore store = new SimulatedFileStore(seed);
            DataFile file = durableFile(store, "a", 'o', 100);
            file.write(0, filled('x', 100));
            store.faults().forgetCleanPagesAtCall(1);
            assertThat(shape(bytes(store, "a"), 'x', 'o')).isEqualTo("all");
            store.faults().fail(FileCall.FORCE, 1);
            assertThatThrownBy(file::force).isInstanceOf(ForceFailedException.class);
            byte[] shown = bytes(store, "a");

            store.faults().forgetCleanPagesAtCall(1);
            byte[] left = bytes(store, "a");

            forgotten |= !Arrays.equals(left, shown);
            assertThat(left).as("seed %d", seed).isEqualTo(bytes(store.crash(), "a"));
        }
        assertThat(forgotten).isTrue();
    }

    @Test
    void shouldLoseNamesForGoodWhenADirectoryForceFailed() {
        Set<String> outcomes = outcomesAfterCrash(
                store -> {
                    store.create("a");
                    store.faults().fail(FileCall.FORCE_DIRECTORY, 1);
                    assertThatThrownBy(() -> store.forceDirectory("")).isInstanceOf(ForceFailedException.class);
                    store.forceDirectory("");
                },
                store -> store.list("").toString());

        assertThat(outcomes).containsExactlyInAnyOrder("[]", "[a]");
    }

    @Test
    void shouldFailTheCallThatWasOrderedAndOnlyThat() {
        for (int n = 1; n <= CALLS; n++) {
            SimulatedFileStore store = new SimulatedFileStore(n);
            store.faults().failCall(n);
            assertThatThrownBy(() -> useEveryCall(store)).isInstanceOf(StorageException.class);
            assertThat(store.calls()).isEqualTo(n);
        }
        SimulatedFileStore store = new SimulatedFileStore(1);
        store.faults().failCall(CALLS + 1);
        assertThatCode(() -> useEveryCall(store)).doesNotThrowAnyException();
        assertThat(store.calls()).isEqualTo(CALLS);
    }

    @ParameterizedTest
    @EnumSource(DiskFaults.Refusal.class)
    void shouldRefuseTheCallThatWasOrderedAndOnlyThat(DiskFaults.Refusal why) {
        SimulatedFileStore whole = new SimulatedFileStore(1);
        useEveryCall(whole);
        long refusable = whole.refusableCalls();
        assertThat(refusable).isBetween(1L, CALLS - 1L);
        for (int n = 1; n <= refusable; n++) {
            SimulatedFileStore store = new SimulatedFileStore(n);
            store.faults().refuseCall(n, why);

            Throwable refused = catchThrowable(() -> useEveryCall(store));

            assertThat(store.refusableCalls()).isGreaterThanOrEqualTo(n);
            if (refused == null) {
                // The folder is the directory's own.
                continue;
            }
            assertThat(refused)
                    .isInstanceOfAny(
                            why == DiskFaults.Refusal.FULL
                                    ? StorageFullException.class
                                    : StorageReadOnlyException.class,
                            ForceFailedException.class);
            assertThat(refused.getMessage().toLowerCase(Locale.ROOT))
                    .contains(why == DiskFaults.Refusal.FULL ? "no space left" : "read-only");
            assertThatCode(() -> store.create("later").force()).doesNotThrowAnyException();
        }
    }

    @Test
    void shouldRefuseWhatComesLaterTooWhenItIsOrderedFromACallOn() {
        for (DiskFaults.Refusal why : DiskFaults.Refusal.values()) {
            SimulatedFileStore store = new SimulatedFileStore(1);
            DataFile file = durableFile(store, "a", 'o', 100);
            store.faults().refuseFromCall(2, why);
            file.write(0, filled('x', 100));

            assertThatThrownBy(() -> file.append(filled('x', 10))).isInstanceOf(TransientStorageException.class);
            assertThatThrownBy(() -> file.preallocate(2000)).isInstanceOf(TransientStorageException.class);

            store.faults().none();
            file.preallocate(2000);
        }
    }

    @Test
    void shouldFailTheNthCallOfAKind() {
        for (FileCall kind : FileCall.values()) {
            SimulatedFileStore store = new SimulatedFileStore(1);
            store.faults().fail(kind, 1);
            assertThatThrownBy(() -> useEveryCall(store)).as(kind.name()).isInstanceOf(StorageException.class);
        }
    }

    @Test
    void shouldBeDeadAfterAnOrderedPowerLossUntilTheNextBoot() {
        SimulatedFileStore store = new SimulatedFileStore(1);
        DataFile file = durableFile(store, "a", 'o', 10);
        store.faults().powerLossAtCall(2);

        file.write(0, filled('x', 10));
        assertThatThrownBy(file::force).isInstanceOf(SimulatedPowerLoss.class);

        assertThatThrownBy(file::size).isInstanceOf(SimulatedPowerLoss.class);
        assertThat(bytes(store.crash(), "a")).hasSize(10);
    }

    @Test
    void shouldWriteOnlyWhatFitsWhenTheDiskIsFull() {
        SimulatedFileStore store = new SimulatedFileStore(1);
        DataFile file = durableFile(store, "a", 'o', 100);
        store.faults().budget(150);

        assertThat(store.usableBytes("")).isEqualTo(50);
        assertThatThrownBy(() -> file.append(filled('x', 80))).isInstanceOf(StorageFullException.class);
        assertThat(file.size()).isEqualTo(150);
        assertThatThrownBy(() -> file.preallocate(200)).isInstanceOf(StorageFullException.class);
        assertThatCode(() -> file.write(0, filled('y', 150))).doesNotThrowAnyException();

        file.truncate(10);
        assertThat(store.usableBytes("")).isEqualTo(140);
    }

    @Test
    void shouldOnlyReadWhenReadOnly() {
        SimulatedFileStore store = new SimulatedFileStore(1);
        DataFile file = durableFile(store, "a", 'o', 100);
        store.faults().readOnly(true);

        assertThatThrownBy(() -> file.write(0, filled('x', 1))).isInstanceOf(StorageReadOnlyException.class);
        assertThatThrownBy(() -> store.create("b")).isInstanceOf(StorageReadOnlyException.class);
        assertThatThrownBy(() -> store.rename("a", "b")).isInstanceOf(StorageReadOnlyException.class);
        assertThatThrownBy(() -> store.open("a")).isInstanceOf(StorageReadOnlyException.class);
        assertThat(bytes(store, "a")).hasSize(100).containsOnly('o');

        store.faults().none();
        assertThatCode(() -> file.write(0, filled('x', 1))).doesNotThrowAnyException();
    }

    @Test
    void shouldShowAMisdirectedWriteOnlyAfterTheCacheIsGone() {
        Seeds.forEach(SEEDS, seed -> {
            SimulatedFileStore store = new SimulatedFileStore(seed);
            DataFile file = durableFile(store, "a", 'o', 4096);
            store.faults().misdirectWrite(1);
            file.write(1024, filled('x', 512));
            file.force();
            byte[] seen = bytes(store, "a");

            byte[] found = bytes(store.crash(), "a");

            assertThat(Arrays.copyOfRange(seen, 1024, 1536)).containsOnly('x');
            assertThat(Arrays.copyOfRange(found, 1024, 1536)).containsOnly('o');
            assertThat(count(found, 'x')).isEqualTo(512);
        });
    }

    @Test
    void shouldShowALostWriteOnlyAfterTheCacheIsGone() {
        SimulatedFileStore store = new SimulatedFileStore(1);
        DataFile file = durableFile(store, "a", 'o', 100);
        store.faults().loseWrite(2);
        file.write(0, filled('x', 50));
        file.write(50, filled('y', 60));
        file.force();
        assertThat(count(bytes(store, "a"), 'y')).isEqualTo(60);

        byte[] found = bytes(store.crash(), "a");

        assertThat(found).as("the size is there").hasSize(110);
        assertThat(count(found, 'x')).isEqualTo(50);
        assertThat(count(found, 'y')).isZero();
    }

    @Test
    void shouldKeepAFlippedBit() {
        SimulatedFileStore store = new SimulatedFileStore(1);
        durableFile(store, "a", 'o', 100);

        store.flipBit("a", 42, 3);

        assertThat(bytes(store, "a")[42]).isEqualTo((byte) ('o' ^ 8));
        assertThat(bytes(store.crash(), "a")[42]).isEqualTo((byte) ('o' ^ 8));
        assertThatThrownBy(() -> new SimulatedFileStore(1).flipBit("b", 0, 0)).isInstanceOf(MissingFileException.class);
    }

    @Test
    void shouldDamageOneBitOfSomeFile() {
        SimulatedFileStore store = new SimulatedFileStore(1);
        assertThat(store.rot("")).isFalse();
        durableFile(store, "a", 'o', 100);

        assertThat(store.rot("a")).isFalse();
        assertThat(store.rot("b")).isTrue();

        byte[] damaged = bytes(store, "a");
        assertThat(count(damaged, 'o')).isEqualTo(99);
        assertThat(bytes(store.crash(), "a")).isEqualTo(damaged);
    }

    @Test
    void shouldFailAndRotAtTheRatesGiven() {
        SimulatedFileStore store = new SimulatedFileStore(1);
        DataFile file = durableFile(store, "a", 'o', 1);
        store.faults().readRates(0.5, 0).writeRates(0.5, 0, 0).forceErrorRate(0.5);
        int failures = 0;
        for (int i = 0; i < 300; i++) {
            failures += fails(() -> bytes(file)) ? 1 : 0;
            failures += fails(() -> file.write(0, filled('o', 1))) ? 1 : 0;
            failures += fails(file::force) ? 1 : 0;
        }
        store.faults().none().readRates(0, 1);

        assertThat(failures).isBetween(350, 550);
        assertThat(Long.bitCount(bytes(file)[0] ^ 'o')).isEqualTo(1);
    }

    @Test
    void shouldTakeSimulatedTimeToForce() {
        SimulatedClock clock = new SimulatedClock();
        SimulatedFileStore store = new SimulatedFileStore(new SeededRandomness(1), clock::advance);
        DataFile file = durableFile(store, "a", 'o', 1);
        long startNs = clock.nanoTime();
        store.faults().forceLatency(2_000_000_000L, 3_000_000_000L);

        file.force();
        store.forceDirectory("");

        assertThat(clock.nanoTime() - startNs).isBetween(4_000_000_000L, 6_000_000_000L);
    }

    @Test
    void shouldDoTheSameWhenTheSeedIsTheSame() {
        Seeds.forEach(20, seed -> assertThat(randomRun(seed)).isEqualTo(randomRun(seed)));

        assertThat(randomRun(1)).isNotEqualTo(randomRun(2));
    }

    /**
     * The usual way to replace a file durably survives a power loss in each of its calls; this is what the kit is for.
     */
    @Test
    void shouldFindTheOldOrTheNewFileWhenReplacedWithCare() {
        Set<String> outcomes = sweepReplacement(SimulatedFileStoreTest::replaceWithCare);

        assertThat(outcomes).containsExactlyInAnyOrder("old", "new");
    }

    /** The kit has teeth: it finds the two classical mistakes. */
    @Test
    void shouldFindDamageWhenReplacedWithoutForce() {
        assertThat(sweepReplacement(store -> {
                    DataFile file = store.create("b");
                    file.write(0, filled('x', LONG));
                    store.rename("b", "a");
                    store.forceDirectory("");
                }))
                .contains("damaged");
        assertThat(sweepReplacement(store -> store.open("a").write(0, filled('x', LONG))))
                .contains("damaged");
    }

    @Test
    void shouldLoseTheReplacementWhenTheDirectoryWasNotForced() {
        Set<String> outcomes = outcomesAfterCrash(
                store -> {
                    durableFile(store, "a", 'o', LONG);
                    DataFile file = store.create("b");
                    file.write(0, filled('x', LONG));
                    file.force();
                    store.rename("b", "a");
                },
                store -> shape(bytes(store, "a"), 'x', 'o'));

        assertThat(outcomes).containsExactlyInAnyOrder("none", "all");
    }

    private static void replaceWithCare(SimulatedFileStore store) {
        DataFile file = store.create("b");
        file.write(0, filled('x', LONG));
        file.force();
        store.rename("b", "a");
        store.forceDirectory("");
    }

    /** Loses power in each call in turn, with many seeds; a replacement that returned must be there. */
    private static Set<String> sweepReplacement(Consumer<SimulatedFileStore> replacement) {
        Set<String> outcomes = new TreeSet<>();
        Seeds.forEach(60, seed -> {
            for (int n = 1; n <= 6; n++) {
                SimulatedFileStore store = new SimulatedFileStore(seed + n);
                durableFile(store, "a", 'o', LONG);
                store.faults().powerLossAtCall(n);
                try {
                    replacement.accept(store);
                } catch (SimulatedPowerLoss expected) {
                    assertThat(expected).hasMessageContaining("by order of the test");
                }
                String shape = shape(bytes(store.crash(), "a"), 'x', 'o');
                outcomes.add(shape.equals("all") ? "new" : shape.equals("none") ? "old" : "damaged");
            }
        });
        return outcomes;
    }

    private static Set<String> outcomesAfterCrash(
            Consumer<SimulatedFileStore> before, Function<SimulatedFileStore, String> outcome) {
        Set<String> outcomes = new TreeSet<>();
        Seeds.forEach(SEEDS, seed -> {
            SimulatedFileStore store = new SimulatedFileStore(seed);
            before.accept(store);
            outcomes.add(outcome.apply(store.crash()));
        });
        return outcomes;
    }

    /** The share of the new fill, and whether it is in one piece from the start. */
    private static String shape(byte[] bytes, char fresh, char old) {
        int count = count(bytes, fresh);
        if (count + count(bytes, old) < bytes.length) {
            return "garbage";
        }
        if (count == bytes.length || count == 0) {
            return count == 0 ? "none" : "all";
        }
        return count(Arrays.copyOf(bytes, count), fresh) == count ? "start only" : "holes";
    }

    private static String randomRun(long seed) {
        SimulatedFileStore store = new SimulatedFileStore(seed);
        store.faults().writeRates(0.2, 0.1, 0.1).readRates(0.1, 0.1).forceErrorRate(0.1);
        StringBuilder log = new StringBuilder();
        DataFile file = durableFileOrNull(store);
        for (int i = 0; file != null && i < 50; i++) {
            char fill = (char) ('a' + i % 26);
            DataFile target = file;
            log.append(fails(() -> target.append(filled(fill, 700))));
            log.append(i % 7 == 0 && fails(target::force));
        }
        store.faults().none();
        SimulatedFileStore found = store.crash();
        return log + (found.exists("a") ? Arrays.toString(bytes(found, "a")) : "missing");
    }

    private static DataFile durableFileOrNull(SimulatedFileStore store) {
        try {
            return durableFile(store, "a", 'o', 100);
        } catch (StorageException e) {
            return null;
        }
    }

    private static void useEveryCall(FileStore store) {
        store.createDirectory("d");
        DataFile file = store.create("d/a");
        file.preallocate(10);
        file.write(0, filled('x', 10));
        bytes(file);
        file.truncate(5);
        file.force();
        store.forceDirectory("d");
        store.list("d");
        store.rename("d/a", "d/b");
        store.open("d/b");
        store.delete("d/b");
        store.lock();
        store.lockFolder("d");
        store.exists("d");
        store.usableBytes("d");
    }

    private static DataFile durableFile(FileStore store, String path, char fill, int length) {
        DataFile file = store.create(path);
        file.write(0, filled(fill, length));
        file.force();
        int slash = path.indexOf('/');
        store.forceDirectory(slash < 0 ? "" : path.substring(0, slash));
        return file;
    }

    private static boolean fails(Runnable call) {
        try {
            call.run();
            return false;
        } catch (StorageException e) {
            return true;
        }
    }

    private static ByteBuffer filled(char fill, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) fill);
        return ByteBuffer.wrap(bytes);
    }

    private static byte[] bytes(FileStore store, String path) {
        return bytes(store.openReadOnly(path));
    }

    private static byte[] bytes(DataFile file) {
        ByteBuffer target = ByteBuffer.allocate((int) file.size());
        file.read(0, target);
        return target.array();
    }

    private static int count(byte[] bytes, char wanted) {
        int count = 0;
        for (byte b : bytes) {
            count += b == (byte) wanted ? 1 : 0;
        }
        return count;
    }
}
