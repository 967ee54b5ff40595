package io.reprise.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AddressSetTest {
    @Test
    void shouldHaveTheAddressesThatWereAdded() {
        AddressSet set = new AddressSet();
        Set<Long> expected = new TreeSet<>();
        Random random = new Random(3);

        for (int i = 0; i < 10_000; i++) {
            long address = 64 + 24L * random.nextInt(20_000);
            assertThat(set.add(address)).isEqualTo(expected.add(address));
        }

        for (long address = 64; address < 64 + 24L * 20_000; address += 24) {
            assertThat(set.contains(address)).isEqualTo(expected.contains(address));
        }
    }
}
