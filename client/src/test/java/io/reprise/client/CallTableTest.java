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
    void shouldBeRoomyOnlyWhenAPartOfItIsFree() {
        CallTable table = full(64);

        for (int i = 0; i < 3; i++) {
            table.end(i);
            assertThat(table.isRoomy()).as("with %d of 64 free", i + 1).isFalse();
            assertThat(table.isFull()).isFalse();
        }
        table.end(3);

        assertThat(table.isRoomy()).isTrue();
    }

    @Test
    void shouldBeRoomyWithOneFreeWhenThereAreFew() {
        CallTable table = full(1);

        assertThat(table.isRoomy()).isFalse();
        table.end(0);

        assertThat(table.isRoomy()).isTrue();
    }

    private static CallTable full(int capacity) {
        CallTable table = new CallTable(capacity);
        for (int i = 0; i < capacity; i++) {
            table.begin(NOBODY, i, 0);
        }
        assertThat(table.isFull()).isTrue();
        return table;
    }
}
