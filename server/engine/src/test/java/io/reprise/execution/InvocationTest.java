package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.order.Rendezvous;
import org.junit.jupiter.api.Test;

final class InvocationTest {
    private final Invocation invocation = new Invocation();

    private Rendezvous meet(long id, int... participants) {
        invocation.prepare(new Nothing(false, false), _ -> {}, 0);
        invocation.routeBy(null);
        for (int participant : participants) {
            invocation.addParticipant(participant);
        }
        invocation.stamp(id);
        return invocation.rendezvous();
    }

    @Test
    void shouldTellTheBeginningOnlyOfAVeryLongMessage() {
        String usual = "x".repeat(8 << 10);
        invocation.fail(ErrorCode.USER_ABORT, usual);
        assertThat(invocation.message()).isEqualTo(usual);
        invocation.fail(ErrorCode.USER_ABORT, null);
        assertThat(invocation.message()).isNull();

        invocation.fail(ErrorCode.USER_ABORT, "x".repeat((8 << 10) - 1) + "\ud83d\ude00".repeat(1000));

        assertThat(invocation.message())
                .startsWith("xxx")
                .endsWith("x... (cut here: the message has 10191 characters)")
                .hasSizeLessThan(9 << 10);
    }

    /** A log that is replayed has transactions of other partitions in an order of its own. */
    @Test
    void shouldNotBeOverBeforeItHasRunWhenATransactionWithAHigherIdHasUsedIt() {
        Rendezvous first = meet(200, 0, 1);
        first.arrive();
        first.arrive();
        first.end(200);

        Rendezvous second = meet(150, 2, 3);

        assertThat(second.isOver(150)).isFalse();
        second.arrive();
        second.arrive();
        second.end(150);
        assertThat(second.isOver(150)).isTrue();
        assertThat(first.isOver(200)).as("for one that looks late").isTrue();
    }

    @Test
    void shouldMeetAtTheSamePlaceAgainWhileIdsGrow() {
        Rendezvous first = meet(200, 0, 1);
        first.end(200);

        assertThat(meet(201, 2, 3)).isSameAs(first);
    }
}
