package io.reprise.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.reprise.runtime.agent.Waker;
import io.reprise.storage.ProcedureLimitErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of ordinary memory, which is had in the same way and which every machine has; one test where huge pages are reserved. */
class ReservedPagesTest {
    private static final long MIB = 1 << 20;
    private static final int PLENTY = 1 << 10;

    private final Memory memory = Memory.reserve(1L << 40);
    private final MemoryAccount account = new MemoryAccount("table T (rows)");
    private ReservedPages pages;
    private long now;

    @AfterEach
    void close() {
        memory.close();
        if (pages != null) {
            pages.onClose();
        }
    }

    private Region region(ReservedPages source, long limit) {
        pages = source;
        return space(limit).region(account);
    }

    private AddressSpace space(long limit) {
        return new AddressSpace(
                memory, limit, ProcedureLimitErrors.INSTANCE, new PageSources(pages, new PageAhead(new Waker())));
    }

    private Region region() {
        return region(ReservedPages.ofOrdinaryMemory(PLENTY, new Waker()), Long.MAX_VALUE);
    }

    @Test
    void shouldLieUnderARegionThatGrows() {
        Region region = region();

        growTo(region, 64 * MIB);

        assertThat(pages.bytesInUse()).as("all but the first megabytes").isBetween(56 * MIB, 74 * MIB);
    }

    @Test
    void shouldKeepWhatIsWrittenInThem() {
        Region region = region();

        growTo(region, 64 * MIB);
        write(region.start(), region.end());

        check(region.start(), region.end());
    }

    @Test
    void shouldReadAsZeroWhereARegionHasShrunkAndGrownAgain() {
        Region region = region();
        growTo(region, 64 * MIB);
        write(region.start(), region.end());

        region.shrinkTo(region.start() + 33 * MIB);
        growTo(region, 64 * MIB);

        check(region.start(), region.start() + 33 * MIB);
        checkZero(region.start() + 33 * MIB, region.end());
    }

    @Test
    void shouldBeTheSystemsAgainWhenARegionIsDropped() throws IOException {
        Region region = region();
        long before = ResidentMemory.bytes(memory);
        growTo(region, 64 * MIB);
        write(region.start(), region.end());

        region.drop();

        assertThat(pages.bytesInUse()).isZero();
        assertThat(ResidentMemory.bytes(memory) - before)
                .as("none of the 64 MiB, where these lay")
                .isLessThan(2 * MIB);
    }

    @Test
    void shouldBeTheSystemsAgainWhenARegionIsDroppedThatEndsInTheMidstOfOne() {
        Region region = region();
        growTo(region, 64 * MIB);
        region.shrinkTo(region.start() + 33 * MIB);

        region.drop();

        assertThat(pages.bytesInUse()).isZero();
    }

    @Test
    void shouldBeTheSystemsAgainWhenTheMemoryIsClosed() {
        growTo(region(), 64 * MIB);

        memory.close();

        assertThat(pages.bytesInUse()).isZero();
    }

    /** As an index does that is made larger for all that a log has. */
    @Test
    void shouldLieUnderARegionThatGrowsByManyPagesAtOnce() {
        Region region = region();

        region.growTo(region.start() + 64 * MIB);

        assertThat(pages.bytesInUse()).as("more than lie ready").isBetween(62 * MIB, 66 * MIB);
        write(region.start(), region.end());
        check(region.start(), region.end());
    }

    @Test
    void shouldBeFilledByNobodyElseForWhatIsNotNeededYet() {
        Region region = region();
        region.growTo(region.start() + 32 * MIB);
        long inUse = pages.bytesInUse();

        region.growTo(region.end() + 1);

        assertThat(pages.bytesInUse() - inUse)
                .as("what was taken, and none of what lies ahead")
                .isLessThanOrEqualTo(2 * MIB);
    }

    @Test
    void shouldBeFollowedByOrdinaryMemoryWhenThereAreNoMore() {
        Region region = region(ReservedPages.ofOrdinaryMemory(5, new Waker()), Long.MAX_VALUE);

        growTo(region, 64 * MIB);
        write(region.start(), region.end());

        assertThat(pages.bytesInUse()).isEqualTo(10 * MIB);
        check(region.start(), region.end());
        region.shrinkTo(region.start());
        growTo(region, 64 * MIB);
        checkZero(region.start(), region.end());
    }

    @Test
    void shouldGoOnWithoutThemWhenTheirThreadHasEnded() {
        Region region = region();
        growTo(region, 32 * MIB);
        long before = region.end();
        write(region.start(), before);

        pages.onClose();
        long inUse = pages.bytesInUse();
        growTo(region, 64 * MIB);

        assertThat(pages.bytesInUse()).isEqualTo(inUse);
        check(region.start(), before);
        checkZero(before, region.end());
        region.drop();
    }

    @Test
    void shouldNotBeTakenBeyondTheLimit() {
        Region region = region(ReservedPages.ofOrdinaryMemory(PLENTY, new Waker()), 33 * MIB);

        growTo(region, 32 * MIB);

        assertThat(pages.bytesInUse()).isLessThanOrEqualTo(33 * MIB);
    }

    @Test
    void shouldNotBeMissedWhereNoneAreReserved() {
        Region region = region(ReservedPages.ofSystem(new Waker()), Long.MAX_VALUE);

        growTo(region, 32 * MIB);
        write(region.start(), region.end());

        check(region.start(), region.end());
    }

    @Test
    void shouldBeThoseOfTheSystemWhereSomeAreReserved() throws IOException {
        assumeThat(ofSystem("HugePages_Free"))
                .as("huge pages that are reserved and free")
                .isGreaterThan(64);
        Region region = region(ReservedPages.ofSystem(new Waker()), Long.MAX_VALUE);
        long free = ofSystem("HugePages_Free");

        growTo(region, 64 * MIB);
        write(region.start(), region.end());

        assertThat(pages.bytesInUse()).isGreaterThan(56 * MIB);
        assertThat(ofSystem("HugePages_Free")).isLessThanOrEqualTo(free - 28);
        check(region.start(), region.end());
        region.shrinkTo(region.start() + 9 * MIB);
        growTo(region, 64 * MIB);
        checkZero(region.start() + 9 * MIB, region.end());
        region.drop();
        pages.onClose();
        assertThat(ofSystem("HugePages_Free")).isGreaterThan(free - 4);
    }

    /** Two regions grow and shrink by turns, while pages are there or not. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldBeLikeOtherMemory(long seed) {
        Random random = new Random(seed);
        pages = ReservedPages.ofOrdinaryMemory(20, new Waker());
        AddressSpace space = space(Long.MAX_VALUE);
        Region[] regions = {space.region(account), space.region(account)};
        for (int step = 0; step < 60; step++) {
            Region region = regions[random.nextInt(2)];
            long before = region.end();
            if (random.nextInt(3) > 0) {
                long to = before + random.nextLong(1, 9 * MIB);
                while (region.end() < to) {
                    region.growTo(Math.min(to, region.end() + 1 + random.nextLong(3 * MIB)));
                    if (random.nextBoolean()) {
                        pages.doWork(now += 1_000_000_000);
                    }
                }
                checkZero(before, region.end());
                write(before, region.end());
            } else {
                region.shrinkTo(region.start() + random.nextLong(region.taken() + 1));
            }
            for (Region each : regions) {
                check(each.start(), each.end());
            }
        }
    }

    private void growTo(Region region, long bytes) {
        while (region.taken() < bytes) {
            region.growTo(region.end() + 1);
            while (pages.doWork(now += 1_000_000_000) > 0) {
                // The next page.
            }
        }
    }

    /** In every page something that tells where it is. */
    private void write(long from, long to) {
        for (long at = from; at < to; at += Memory.PAGE) {
            memory.putLong(at, at);
            memory.putLong(at + Memory.PAGE - 8, -at);
        }
    }

    private void check(long from, long to) {
        for (long at = from; at < to; at += Memory.PAGE) {
            if (memory.getLong(at) != at || memory.getLong(at + Memory.PAGE - 8) != -at) {
                assertThat(memory.getLong(at))
                        .as("at %d, from %d to %d", at, from, to)
                        .isEqualTo(at);
                assertThat(memory.getLong(at + Memory.PAGE - 8))
                        .as("behind %d", at)
                        .isEqualTo(-at);
            }
        }
    }

    private void checkZero(long from, long to) {
        for (long at = from; at < to; at += Memory.PAGE) {
            if ((memory.getLong(at) | memory.getLong(at + Memory.PAGE - 8)) != 0) {
                assertThat(memory.getLong(at))
                        .as("at %d, from %d to %d", at, from, to)
                        .isZero();
                assertThat(memory.getLong(at + Memory.PAGE - 8))
                        .as("behind %d", at)
                        .isZero();
            }
        }
    }

    private static long ofSystem(String key) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
            if (line.startsWith(key + ":")) {
                return Long.parseLong(line.substring(key.length() + 1).strip());
            }
        }
        return 0;
    }
}
