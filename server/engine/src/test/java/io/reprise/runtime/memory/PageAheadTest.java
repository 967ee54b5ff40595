package io.reprise.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.agent.Waker;
import io.reprise.storage.ProcedureLimitErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PageAheadTest {
    private static final long MIB = 1 << 20;

    /** Its field's number, counted from behind the thread's name. */
    private static final int POLICY = 38;

    private final Memory memory = Memory.reserve(1L << 40);
    private final PageAhead ahead = new PageAhead(new Waker());
    private final MemoryAccount account = new MemoryAccount("table T (rows)");

    @AfterEach
    void close() {
        memory.close();
    }

    private Region region() {
        return new AddressSpace(memory, Long.MAX_VALUE, ProcedureLimitErrors.INSTANCE, new PageSources(null, ahead))
                .region(account);
    }

    @Test
    void shouldHavePagesMadeAndLeaveWhatIsInThem() throws IOException {
        memory.putLong(Memory.HUGE_PAGE, 42);
        long before = ResidentMemory.bytes(memory);

        ahead.wish(memory, Memory.HUGE_PAGE, Memory.HUGE_PAGE + 64 * MIB, () -> true);
        work();

        assertThat(ResidentMemory.bytes(memory) - before).isGreaterThan(60 * MIB);
        assertThat(memory.getLong(Memory.HUGE_PAGE)).isEqualTo(42);
        assertThat(memory.getLong(Memory.HUGE_PAGE + 8)).isZero();
    }

    @Test
    void shouldKeepAheadOfARegionThatGrows() throws IOException {
        Region region = region();
        long before = ResidentMemory.bytes(memory);

        while (region.taken() < 128 * MIB) {
            region.growTo(region.end() + 1);
            work();
        }

        long made = ResidentMemory.bytes(memory) - before;
        assertThat(made)
                .as("all but the first megabytes, and up to an eighth more")
                .isBetween(124 * MIB, 164 * MIB);
    }

    /** As an index does that is made larger for all that a log has: its owner is at the first pages then, and not yet at the last. */
    @Test
    void shouldMakeWhatARegionHasGrownByWhenThatIsMuchAtOnce() throws IOException {
        Region region = region();
        long before = ResidentMemory.bytes(memory);

        region.growTo(region.start() + 100 * MIB);
        work();

        assertThat(ResidentMemory.bytes(memory) - before).isGreaterThan(96 * MIB);
    }

    @Test
    void shouldGiveBackWhatWasMadeAheadWhenARegionShrinks() throws IOException {
        Region region = region();
        long before = ResidentMemory.bytes(memory);
        region.growTo(region.start() + 100 * MIB);
        work();

        region.drop();

        assertThat(ResidentMemory.bytes(memory) - before).isLessThan(16 * MIB);
    }

    /** All cores may have been busy since they were asked for. */
    @Test
    void shouldMakeNoPagesThatWereAskedForBeforeARegionShrank() throws IOException {
        Region region = region();
        long before = ResidentMemory.bytes(memory);
        while (region.taken() < 128 * MIB) {
            region.growTo(region.end() + 1);
        }

        region.drop();
        work();

        assertThat(ResidentMemory.bytes(memory) - before).isLessThan(16 * MIB);
    }

    @Test
    void shouldMakePagesAgainForARegionThatGrowsAgain() throws IOException {
        Region region = region();
        region.growTo(region.start() + 100 * MIB);
        region.shrinkTo(region.start() + 50 * MIB);
        work();
        long before = ResidentMemory.bytes(memory);

        while (region.taken() < 100 * MIB) {
            region.growTo(region.end() + 1);
            work();
        }

        assertThat(ResidentMemory.bytes(memory) - before).isGreaterThan(40 * MIB);
    }

    @Test
    void shouldMakeNoMoreThanTheLimitAllows() {
        AddressSpace space =
                new AddressSpace(memory, 101 * MIB, ProcedureLimitErrors.INSTANCE, new PageSources(null, ahead));
        Region region = space.region(account);
        region.growTo(region.start() + 100 * MIB);

        long to = space.touchAhead(region.end(), region.end() + 64 * MIB, () -> true);

        assertThat(to - region.end()).isBetween(0L, MIB);
    }

    @Test
    void shouldGoOnWithoutItWhenThereAreTooManyWishes() {
        int noted = 0;
        for (int i = 0; i < 5_000; i++) {
            noted += ahead.wish(memory, Memory.HUGE_PAGE, Memory.HUGE_PAGE + 1, () -> true) ? 1 : 0;
        }

        assertThat(noted).isBetween(1_000, 4_999);
    }

    @Test
    void shouldDoNothingWhenTheMemoryHasBeenClosed() {
        ahead.wish(memory, Memory.HUGE_PAGE, Memory.HUGE_PAGE + 8 * MIB, () -> true);
        memory.close();

        work();

        assertThat(ahead.doWork(0)).isZero();
    }

    @Test
    void shouldLetOthersComeFirstWhenToldToGiveWay() throws Exception {
        List<Integer> policies = new ArrayList<>();
        Thread thread = new Thread(() -> {
            ahead.doWork(0);
            policies.add(policy());
            ahead.giveWay();
            ahead.doWork(0);
            policies.add(policy());
        });
        thread.start();
        thread.join();

        assertThat(policies)
                .as("Linux's SCHED_NORMAL, in recovery, then SCHED_IDLE")
                .containsExactly(0, 5);
    }

    /** The calling thread's class. */
    private static int policy() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[POLICY]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void work() {
        while (ahead.doWork(0) > 0) {
            // The next huge page.
        }
    }
}
