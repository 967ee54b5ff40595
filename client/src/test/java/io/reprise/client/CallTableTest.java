package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.wire.ReplyReader;
import org.junit.jupiter.api.Test;

final class CallTableTest {
    private static final ReplyHandler NOBODY = new ReplyHandler() {
        @Override
        public void replied(long cookie, ReplyReader reply) {}

        @Override
        public void failed(long cookie, CallException why) {}
    };

    @Test
    void shouldNotFindACallThatHasEndedThoughItsPlaceIsUsedAgain() {
        CallTable table = new CallTable(3);
        long first = table.begin(NOBODY, 1, 0, 0);
        table.end(table.find(first));

        long second = table.begin(NOBODY, 2, 0, 0);

        assertThat(table.find(first)).isEqualTo(-1);
        assertThat(table.cookie(table.find(second))).isEqualTo(2);
        assertThat(table.find(0)).isEqualTo(-1);
        assertThat(table.find(-1)).isEqualTo(-1);
    }

    @Test
    void shouldGiveNumbersThatAreShortAndFoundHoweverOftenAPlaceIsUsed() {
        for (int capacity : new int[] {1, 2, 7, 8, 8192, 1 << 24}) {
            CallTable table = new CallTable(capacity);
            for (int i = 0; i < 100_000; i++) {
                long number = table.begin(NOBODY, i, 0, 0);
                int index = table.find(number);

                assertThat(table.cookie(index)).as("of %d", capacity).isEqualTo(i);
                assertThat(number).isBetween(1L, capacity < 1 << 20 ? (1L << 28) - 1 : (1L << 33) - 1);
                table.end(index);
            }
        }
    }
}
