package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class HearingTest {
    private static final long INTERVAL_NS = 100;
    private static final Member OTHER = new Member(2, 22);

    private final Hearing hearing = new Hearing(new Member(1, 11), INTERVAL_NS);
    private final Hearing other = new Hearing(OTHER, INTERVAL_NS);
    private final List<byte[]> signs = new ArrayList<>();
    private long nowNs;

    private void begin() {
        SortedMap<Integer, NodeEntry> live = new TreeMap<>();
        live.put(1, new NodeEntry(11, 0, "one", "", List.of()));
        live.put(2, new NodeEntry(22, 0, "two", "", List.of()));
        hearing.entries(live);
        other.entries(live);
    }

    /** So many intervals, in which the other node's signs of life arrive or not. */
    private void pass(int intervals, boolean arrive) {
        for (int i = 0; i < 10 * intervals; i++) {
            nowNs += INTERVAL_NS / 10;
            other.step(nowNs, true, (frame, node) -> signs.add(frame));
            if (arrive) {
                signs.forEach(hearing::heard);
            }
            signs.clear();
            hearing.step(nowNs, true, (frame, node) -> {});
        }
    }

    @Test
    void shouldMissANodeThatFallsSilentUntilItsSignsComeRegularly() {
        begin();
        pass(20, true);
        assertThat(hearing.unheard()).isEmpty();
        assertThat(hearing.takeChanged()).isFalse();

        pass(4, false);
        assertThat(hearing.takeChanged()).isTrue();
        assertThat(hearing.unheard()).containsExactly(OTHER);

        pass(4, true);
        assertThat(hearing.unheard()).containsExactly(OTHER);
        pass(2, true);
        assertThat(hearing.unheard()).isEmpty();
        assertThat(hearing.takeChanged()).isTrue();
    }

    @Test
    void shouldGiveANewNodeTheTimeToMakeItsLink() {
        begin();

        pass(50, false);
        assertThat(hearing.unheard()).isEmpty();

        pass(1, false);
        assertThat(hearing.unheard()).containsExactly(OTHER);
    }

    @Test
    void shouldMissANewNodeThatFallsSilentBehindItsFirstSign() {
        begin();
        pass(1, true);

        pass(4, false);

        assertThat(hearing.unheard()).containsExactly(OTHER);
    }

    @Test
    void shouldNotTakeAPauseOfItsOwnForSilence() {
        begin();
        pass(20, true);

        nowNs += 1_000 * INTERVAL_NS;
        pass(20, true);

        assertThat(hearing.takeChanged()).isFalse();
    }

    @Test
    void shouldNotTakeUnreadSignsForSilence() {
        begin();
        pass(20, true);

        for (int i = 0; i < 10_000; i++) {
            nowNs += INTERVAL_NS / 10;
            other.step(nowNs, true, (frame, node) -> signs.add(frame));
            hearing.step(nowNs, false, (frame, node) -> {});
        }
        signs.forEach(hearing::heard);
        pass(1, true);

        assertThat(hearing.takeChanged()).isFalse();
    }

    @Test
    void shouldForgetANodeThatIsLiveNoMore() {
        begin();
        pass(60, false);
        assertThat(hearing.takeChanged()).isTrue();

        hearing.entries(new TreeMap<>());

        assertThat(hearing.takeChanged()).isTrue();
        assertThat(hearing.unheard()).isEmpty();
    }
}
