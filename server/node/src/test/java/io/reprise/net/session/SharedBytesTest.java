package io.reprise.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SharedBytesTest {
    private static final long MIB = 1 << 20;

    private final AtomicLong all = new AtomicLong();
    private final SharedBytes one = new SharedBytes(all, 10 * MIB);
    private final SharedBytes other = new SharedBytes(all, 10 * MIB);

    @Test
    void shouldLetNobodyHaveMoreWhoHasSomeWhenAllHaveTooMany() {
        one.set(8 * MIB);
        other.set(2 * MIB);

        assertThat(one.mayGrow()).isFalse();
        assertThat(other.mayGrow()).isFalse();
        assertThat(new SharedBytes(all, 10 * MIB).mayGrow()).as("who has none").isTrue();

        one.set(0);
        assertThat(one.mayGrow()).isTrue();
        assertThat(other.mayGrow()).isTrue();
        other.set(0);
        assertThat(all).hasValue(0);
    }

    @Test
    void shouldTellOthersInLargeSteps() {
        one.set(MIB - 1);
        assertThat(all).hasValue(0);
        one.set(MIB);
        assertThat(all).hasValue(MIB);
        one.set(1);
        assertThat(all).hasValue(MIB);
    }
}
