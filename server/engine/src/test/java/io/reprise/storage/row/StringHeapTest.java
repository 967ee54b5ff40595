package io.reprise.storage.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.simulation.Seeds;
import io.reprise.storage.ProcedureLimitErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StringHeapTest {
    private static final int MOST = (1 << 20) - 1;

    private final Memory memory = Memory.reserve(1L << 40);
    private final AddressSpace space = new AddressSpace(memory, Long.MAX_VALUE, ProcedureLimitErrors.INSTANCE);
    private final MemoryAccount account = new MemoryAccount("strings");
    private final StringHeap heap = new StringHeap(space, account);
    private final long source = space.region(new MemoryAccount("source")).start();

    @AfterEach
    void close() {
        memory.close();
    }

    @Test
    void shouldWasteAtMostAnEighthWhenLengthsVary() {
        int before = -1;
        for (int length = 1; length <= MOST; length++) {
            int sizeClass = StringHeap.sizeClass(length);
            int size = StringHeap.blockSize(sizeClass);
            assertThat(size >= length && size - length < Math.max(8, length / 8 + 1))
                    .as(length + " in " + size)
                    .isTrue();
            assertThat(sizeClass == before || sizeClass == before + 1).isTrue();
            before = sizeClass;
        }
    }

    @Test
    void shouldKeepEveryStringWhenOthersComeAndGo() {
        Seeds.forEach(20, seed -> {
            Random random = new Random(seed);
            List<Long> refs = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                if (refs.isEmpty() || random.nextInt(1000) < (i < 3_000 ? 600 : 350)) {
                    refs.add(store(length(random), refs.size()));
                } else {
                    long ref = refs.remove(random.nextInt(refs.size()));
                    checkContent(ref);
                    heap.free(ref);
                }
            }
            heap.verify();
            refs.forEach(this::checkContent);
            refs.forEach(heap::free);
            heap.verify();
            assertThat(heap.bytesInUse()).isZero();
            assertThat(account.bytes()).isLessThanOrEqualTo(1 << 20);
        });
    }

    @Test
    void shouldNotGrowWhenLengthsShift() {
        List<Long> refs = new ArrayList<>();
        long most = 0;
        for (int round = 0; round < 40; round++) {
            int length = 50 + round * 37;
            for (long ref : refs) {
                heap.free(ref);
            }
            refs.clear();
            for (int i = 0; i < (8 << 20) / length; i++) {
                refs.add(store(length, i));
            }
            most = Math.max(most, account.bytes());
        }
        heap.verify();

        assertThat(most).isLessThan(12 << 20);
    }

    private static int length(Random random) {
        return switch (random.nextInt(20)) {
            case 0 -> 1 + random.nextInt(random.nextInt(10) == 0 ? MOST : 100_000);
            case 1, 2, 3 -> 1 + random.nextInt(5_000);
            default -> 1 + random.nextInt(300);
        };
    }

    /** Stores a string that begins and ends with its own length. */
    private long store(int length, int salt) {
        memory.putInt(source, salt);
        memory.putInt(source + Math.max(0, length - 4), length);
        long ref = heap.store(Ref.of(source, length));
        assertThat(Ref.length(ref)).isEqualTo(length);
        return ref;
    }

    private void checkContent(long ref) {
        if (Ref.length(ref) >= 4) {
            assertThat(memory.getInt(Ref.address(ref) + Ref.length(ref) - 4)).isEqualTo(Ref.length(ref));
        }
    }
}
