package io.reprise.txn.initiator;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.Execution;
import io.reprise.execution.Nothing;
import io.reprise.execution.Work;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatheringTest {
    private static final int MOST = 8;
    private static final long LONGEST_NS = 1 << 20;

    private long stoodStillNs;
    private long nowNs;
    private final Gathering gathering = new Gathering(() -> stoodStillNs, LONGEST_NS, MOST);

    @Test
    void shouldTakeThoseWithSeveralParticipantsOnly() {
        Execution single = new Execution().prepare(new Nothing(false, false), ended -> {}, 0);
        single.addParticipant(0);

        assertThat(gathering.takes(pair())).isTrue();
        assertThat(gathering.takes(single)).isFalse();
        assertThat(new Gathering(() -> 0, 0, MOST).takes(pair())).isFalse();
    }

    @Test
    void shouldTakeThoseWhoseParticipantsMeetOnly() {
        assertThat(gathering.takes(pair(new Nothing(false, true)))).isTrue();
        assertThat(gathering.takes(pair(new Nothing(true, false)))).isTrue();
        assertThat(gathering.takes(pair(new Nothing(true, true)))).isFalse();
    }

    @Test
    void shouldLetGoWithNextCycleWhenSiteNeverStoodStill() {
        Execution first = add();
        assertThat(gathering.poll(nowNs)).isNull();

        nowNs++;

        assertThat(gathering.poll(nowNs)).isSameAs(first);
        assertThat(gathering.poll(nowNs)).isNull();
    }

    @Test
    void shouldKeepThemInOrderUntilSlotIsOverWhenSiteStoodStill() {
        standStill(10_000, 100);
        nowNs = 5 * LONGEST_NS + 1;
        Execution first = add();
        nowNs += 50_000;
        Execution second = add();
        assertThat(gathering.poll(nowNs)).isNull();
        assertThat(gathering.size()).isEqualTo(2);

        // Sixteen times as long as it stood still, cut to a power of two.
        nowNs = 5 * LONGEST_NS + (1 << 17) - 1;
        assertThat(gathering.poll(nowNs)).isNull();
        nowNs++;

        assertThat(gathering.poll(nowNs)).isSameAs(first);
        assertThat(gathering.poll(nowNs)).isSameAs(second);
        assertThat(gathering.poll(nowNs)).isNull();
    }

    @Test
    void shouldEndItsSlotsWithThoseOfSitesWhoseSlotsAreLonger() {
        standStill(10_000, 100);
        long[] otherStill = {0};
        Gathering slower = new Gathering(() -> otherStill[0] += 40_000, LONGEST_NS, MOST);
        for (int i = 0; i < 100; i++) {
            slower.add(pair(), nowNs);
            slower.letGo();
            slower.poll(nowNs);
            slower.poll(nowNs);
        }
        nowNs = 7 * LONGEST_NS - 10;
        add();
        slower.add(pair(), nowNs);
        assertThat(gathering.poll(nowNs)).isNull();
        assertThat(slower.poll(nowNs)).isNull();

        nowNs += 10;

        assertThat(gathering.poll(nowNs)).isNotNull();
        assertThat(slower.poll(nowNs)).isNotNull();
    }

    @Test
    void shouldGatherNoLongerThanTheLongest() {
        standStill(1_000_000_000, 100);
        nowNs = LONGEST_NS;
        add();
        nowNs = 2 * LONGEST_NS - 1;
        assertThat(gathering.poll(nowNs)).isNull();

        nowNs++;

        assertThat(gathering.poll(nowNs)).isNotNull();
    }

    @Test
    void shouldLetGoWhenThereAreMany() {
        standStill(10_000, 100);
        nowNs = LONGEST_NS;
        List<Execution> added = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            assertThat(gathering.poll(nowNs)).isNull();
            added.add(add());
        }

        List<Execution> polled = new ArrayList<>();
        for (Execution next = gathering.poll(nowNs); next != null; next = gathering.poll(nowNs)) {
            polled.add(next);
        }

        assertThat(polled).isEqualTo(added);
    }

    @Test
    void shouldLetGoAtOnceWhenToldTo() {
        standStill(10_000, 100);
        nowNs = LONGEST_NS;
        Execution first = add();

        gathering.letGo();

        assertThat(gathering.poll(nowNs)).isSameAs(first);
        assertThat(gathering.poll(nowNs)).isNull();
    }

    /** Lets go so many times, after each of which the site stands still for that long. */
    private void standStill(long ns, int times) {
        for (int i = 0; i < times; i++) {
            add();
            gathering.letGo();
            assertThat(gathering.poll(nowNs)).isNotNull();
            assertThat(gathering.poll(nowNs)).isNull();
            stoodStillNs += ns;
        }
        add();
        gathering.letGo();
        gathering.poll(nowNs);
        gathering.poll(nowNs);
    }

    private Execution add() {
        Execution added = pair();
        gathering.add(added, nowNs);
        return added;
    }

    private static Execution pair() {
        return pair(new Nothing(false, false));
    }

    private static Execution pair(Work work) {
        Execution pair = new Execution().prepare(work, ended -> {}, 0);
        pair.addParticipant(0);
        pair.addParticipant(1);
        return pair;
    }
}
