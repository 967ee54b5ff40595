package io.reprise.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.storage.ProcedureLimitErrors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AddressSpaceTest {
    private final Memory memory = Memory.reserve(1L << 40);
    private final AddressSpace space = new AddressSpace(memory, 1 << 20, ProcedureLimitErrors.INSTANCE);
    private final MemoryAccount account = new MemoryAccount("table T (rows)");

    @AfterEach
    void close() {
        memory.close();
    }

    @Test
    void shouldCountWhatRegionsTakeWhenTheyGrowAndShrink() {
        Region region = space.region(account);
        region.growTo(region.start() + 100_000);
        long taken = region.taken();
        region.shrinkTo(region.start() + 10);

        assertThat(taken).isGreaterThanOrEqualTo(100_000);
        assertThat(region.taken()).isEqualTo(Memory.PAGE);
        assertThat(space.used()).isEqualTo(Memory.PAGE);
        assertThat(account.bytes()).isEqualTo(Memory.PAGE);
    }

    @Test
    void shouldRefuseWhenTheLimitIsReached() {
        Region region = space.region(account);

        assertThatThrownBy(() -> region.growTo(region.start() + (1 << 20) + 1))
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining("table T (rows)")
                .hasMessageContaining("0 of 1048576 bytes")
                .extracting(e -> ((ProcedureException) e).code())
                .isEqualTo(ErrorCode.MEMORY_LIMIT);
        assertThat(region.taken()).isZero();
        region.growTo(region.start() + (1 << 20));
        region.growAnyway(region.start() + (1 << 20) + 1);
        assertThat(space.used()).isGreaterThan(1 << 20);
    }

    @Test
    void shouldUseAddressesAgainWhenRegionsAreDropped() {
        Region first = space.region(account);
        first.growTo(first.start() + 5_000);
        memory.putLong(first.start(), 7);
        first.drop();

        Region second = space.region(account);

        assertThat(second.start()).isEqualTo(first.start());
        assertThat(memory.getLong(second.start())).isZero();
        assertThat(space.used()).isZero();
    }

    @Test
    void shouldMakeSmallerRegionsWhenThereAreMany() {
        AddressSpace unlimited = new AddressSpace(memory, Long.MAX_VALUE, ProcedureLimitErrors.INSTANCE);
        List<Region> regions = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            regions.add(unlimited.region(account));
        }

        assertThat(regions.getFirst().size()).isGreaterThanOrEqualTo(1L << 32);
        assertThat(regions.getLast().size()).isGreaterThanOrEqualTo(8L << 20);
        for (int i = 1; i < regions.size(); i++) {
            Region before = regions.get(i - 1);
            assertThat(regions.get(i).start()).isGreaterThanOrEqualTo(before.start() + before.size());
        }
        assertThat(regions.getLast().start() + regions.getLast().size()).isLessThanOrEqualTo(memory.size());
    }

    @Test
    void shouldSayWhatToDoWhenARegionIsFull() {
        Region region = space.region(account);

        assertThatThrownBy(() -> region.growTo(region.start() + region.size() + 1))
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining("address space");
    }
}
