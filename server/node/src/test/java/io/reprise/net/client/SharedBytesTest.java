package io.reprise.net.client;

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
        one.are(8 * MIB);
        other.are(2 * MIB);

        assertThat(one.mayBeMore()).isFalse();
        assertThat(other.mayBeMore()).isFalse();
        assertThat(new SharedBytes(all, 10 * MIB).mayBeMore())
                .as("who has none")
                .isTrue();

        one.are(0);
        assertThat(one.mayBeMore()).isTrue();
        assertThat(other.mayBeMore()).isTrue();
        other.are(0);
        assertThat(all).hasValue(0);
    }

    @Test
    void shouldTellOthersInLargeSteps() {
        one.are(MIB - 1);
        assertThat(all).hasValue(0);
        one.are(MIB);
        assertThat(all).hasValue(MIB);
        one.are(1);
        assertThat(all).hasValue(MIB);
    }
}
