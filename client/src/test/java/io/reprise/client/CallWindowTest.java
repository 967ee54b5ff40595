package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CallWindowTest {
    private static final int MOST = 8192;

    /** Calls as often as it is let. */
    private static final class Caller {
        private final CallWindow window;
        private int underWay;

        Caller(int most) {
            window = new CallWindow(most);
            fill();
            window.told(0);
        }

        void fill() {
            while (window.hasRoom()) {
                window.begun(0);
                underWay++;
            }
        }

        void end(int calls) {
            for (int i = 0; i < calls; i++) {
                window.ended(0);
            }
            underWay -= calls;
        }

        /** All that are under way end, so many times, with this load. Returns how many are under way then. */
        int rounds(int count, int load) {
            for (int i = 0; i < count; i++) {
                end(underWay);
                window.told(load);
                fill();
            }
            return underWay;
        }
    }

    @Test
    void shouldKeepThePlaceOfACallThatHasEndedForItsHandler() {
        for (int most : new int[] {1, 2, 8, 64}) {
            Caller caller = new Caller(most);
            caller.end(Math.max(1, most / 8));
            caller.window.keepPlace();

            caller.fill();

            assertThat(caller.window.hasPlace()).as("of %d", most).isTrue();
            caller.window.told(0);
            caller.fill();
            assertThat(caller.underWay).isEqualTo(most);
        }
    }

    @Test
    void shouldLetNobodyInBeforeAnEighthIsFreeWhenItWasFull() {
        Caller caller = new Caller(64);
        assertThat(caller.underWay).isEqualTo(64);

        for (int i = 1; i < 8; i++) {
            caller.end(1);
            assertThat(caller.window.hasRoom()).as("with %d of 64 free", i).isFalse();
        }
        caller.end(1);

        assertThat(caller.window.isRoomy()).isTrue();
        assertThat(caller.window.room()).isEqualTo(8);
        caller.fill();
        assertThat(caller.underWay).isEqualTo(64);
    }

    @Test
    void shouldLetOneInWithOneFreeWhenThereAreFew() {
        Caller caller = new Caller(1);
        assertThat(caller.window.hasRoom()).isFalse();

        caller.end(1);

        assertThat(caller.window.hasRoom()).isTrue();
    }

    @Test
    void shouldDoubleUntilAllAreUsedWhenCallsDoNotWait() {
        Caller caller = new Caller(MOST);

        assertThat(caller.underWay).isEqualTo(1024);
        assertThat(caller.rounds(1, 0)).isEqualTo(2048);
        assertThat(caller.rounds(5, 0)).isEqualTo(MOST);
    }

    @Test
    void shouldNotGrowWhenItWasNotReached() {
        CallWindow window = new CallWindow(MOST);
        for (int round = 0; round < 10; round++) {
            assertThat(window.hasRoom()).isTrue();
            window.begun(0);
            window.ended(0);
            window.told(0);
        }

        assertThat(window.room()).isEqualTo(1024);
    }

    @Test
    void shouldShrinkInTheRatioInWhichCallsWaitTooLong() {
        Caller caller = new Caller(MOST);

        assertThat(caller.rounds(1, 160)).isEqualTo(640);
        assertThat(caller.rounds(1, 160)).as("these were sent before").isEqualTo(640);
        assertThat(caller.rounds(1, 125)).isEqualTo(512);
    }

    @Test
    void shouldShrinkOnceForAllThatWereUnderWay() {
        Caller caller = new Caller(MOST);
        int ended = 0;
        int shrunk = 0;
        int limit = 1024;
        while (ended < 4_000 && shrunk < 2) {
            caller.end(32);
            ended += 32;
            caller.window.told(160);
            caller.fill();
            int now = caller.underWay + caller.window.room();
            if (caller.window.room() > 0 && now < limit) {
                limit = now;
                shrunk++;
            }
        }

        assertThat(limit).isEqualTo(400);
        assertThat(ended).as("calls that ended before it shrank twice").isGreaterThan(1024 + 640);
    }

    @Test
    void shouldShrinkByHalfAtMost() {
        assertThat(new Caller(MOST).rounds(1, Integer.MAX_VALUE)).isEqualTo(512);
    }

    @Test
    void shouldKeepRoomForSomeHoweverLongCallsWait() {
        assertThat(new Caller(MOST).rounds(100, 1_000)).isEqualTo(4);
        assertThat(new Caller(2).rounds(100, 1_000)).isEqualTo(2);
    }

    @Test
    void shouldGrowByStepsWhenCallsHaveWaitedBefore() {
        Caller caller = new Caller(MOST);

        assertThat(caller.rounds(1, 100)).isEqualTo(1024 + 1024 / 512);
        assertThat(caller.rounds(1, 0)).isEqualTo(1026 + 1026 / 32);
        assertThat(caller.rounds(200, 0)).isEqualTo(MOST);
    }

    @Test
    void shouldComeToMuchTheSameAsAnotherThatBeganWithLess() {
        Caller large = new Caller(MOST);
        Caller small = new Caller(MOST);
        small.rounds(20, 1_000);
        large.rounds(3, 0);
        assertThat(large.underWay).isGreaterThan(100 * small.underWay);

        for (int i = 0; i < 3_000; i++) {
            int load = (large.underWay + small.underWay) / 10;
            large.rounds(1, load < 50 ? 0 : load);
            small.rounds(1, load < 50 ? 0 : load);
        }

        assertThat(large.underWay + small.underWay).isBetween(900, 1_100);
        assertThat(large.underWay).isLessThan(2 * small.underWay);
    }

    @Test
    void shouldLetNobodyInWhenItIsFullOfBytesAndNotGrowByThat() {
        CallWindow window = new CallWindow(MOST);
        int megabyte = 1 << 20;
        int begun = 0;
        for (; begun < 100 && window.hasRoom(); begun++) {
            window.begun(megabyte);
        }
        assertThat(begun).isEqualTo(32);
        for (int i = 0; i < 3; i++) {
            window.ended(megabyte);
            assertThat(window.hasRoom()).as("less than an eighth is free").isFalse();
        }
        window.ended(megabyte);
        assertThat(window.hasRoom()).isTrue();
        for (int i = 4; i < begun; i++) {
            window.ended(megabyte);
        }
        for (int round = 0; round < 10; round++) {
            window.told(0);
        }

        assertThat(window.room()).as("calls without bytes").isEqualTo(1024);
    }

    @Test
    void shouldLetACallInAloneWhenItHasMoreBytesThanAllMayHave() {
        CallWindow window = new CallWindow(MOST);
        assertThat(window.hasRoom()).isTrue();
        window.begun(64 << 20);
        assertThat(window.hasRoom()).isFalse();

        window.ended(64 << 20);

        assertThat(window.hasRoom()).isTrue();
    }
}
