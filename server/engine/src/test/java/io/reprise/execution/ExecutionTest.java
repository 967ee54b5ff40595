package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.order.Rendezvous;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExecutionTest {
    private final Execution execution = new Execution();

    private Rendezvous meet(long id, int... participants) {
        execution.prepare(new Nothing(false, false), _ -> {}, 0);
        execution.routeBy(null);
        for (int participant : participants) {
            execution.addParticipant(participant);
        }
        execution.stamp(id);
        return execution.rendezvous();
    }

    @Test
    void shouldTellTheBeginningOnlyOfAVeryLongMessage() {
        String usual = "x".repeat(8 << 10);
        execution.outcome().fail(ErrorCode.USER_ABORT, usual);
        assertThat(execution.outcome().message()).isEqualTo(usual);
        execution.outcome().fail(ErrorCode.USER_ABORT, null);
        assertThat(execution.outcome().message()).isNull();

        execution.outcome().fail(ErrorCode.USER_ABORT, "x".repeat((8 << 10) - 1) + "\ud83d\ude00".repeat(1000));

        assertThat(execution.outcome().message())
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

    @Test
    void shouldMeetAtANewPlaceAfterAWorkThatParticipantsMayLeave() {
        execution.prepare(new AllPartitions(), _ -> {}, 0);
        execution.routeBy(null);
        execution.addParticipant(0);
        execution.addParticipant(1);
        execution.stamp(200);
        Rendezvous left = execution.rendezvous();
        left.arrive();
        assertThat(left.withdraw()).isTrue();
        assertThat(left.arrive()).isFalse();
        assertThat(left.arrive()).isTrue();
        left.end(200);

        Rendezvous next = meet(201, 0, 1);

        assertThat(next).isNotSameAs(left);
        assertThat(left.withdraw()).as("by one that looks late").isFalse();
    }

    @Test
    void shouldRefuseAChangeOfARequestOnceItIsStamped() {
        execution.prepare(new Nothing(false, false), _ -> {}, 0);
        execution.request().once(7, 1, 1);
        execution.sendTo(0);
        execution.stamp(100);

        assertThatThrownBy(() -> execution.request().once(7, 2, 1))
                .hasMessageContaining("after its transaction had been stamped");
        assertThatThrownBy(() -> execution.request().limitResult(10))
                .hasMessageContaining("after its transaction had been stamped");

        execution.prepare(new Nothing(false, false), _ -> {}, 0);
        execution.request().limitResult(10);
        assertThat(execution.request().sequence()).isZero();
    }

    @Test
    void shouldKeepTheWorkThatTheClientNamedWhenAnotherOneHasReplacedIt() {
        Nothing named = new Nothing(false, false);
        Nothing current = new Nothing(false, false);
        named.retire(current);
        execution.prepare(named, _ -> {}, 0);

        execution.replaceWork(current);

        assertThat(execution.work()).isSameAs(current);
        assertThat(execution.request().work()).isSameAs(named);
    }

    @Test
    void shouldAnswerARepetitionWithTheOutcomeOfTheFirstAttempt() {
        Outcomes known = new Outcomes();
        Execution first = numbered(1);
        first.outcome().result().integer(42);
        Execution failed = numbered(2);
        failed.outcome().fail(ErrorCode.USER_ABORT, "no");
        Execution retryable = numbered(3);
        retryable.outcome().fail(ErrorCode.OVERLOADED, "later");

        for (Execution each : List.of(first, failed, retryable)) {
            assertThat(known.answer(each.request(), new Outcome())).isFalse();
            known.remember(each.request(), each.outcome(), true, 100);
        }

        Outcome again = new Outcome();
        assertThat(known.answer(numbered(1).request(), again)).isTrue();
        assertThat(again.succeeded()).isTrue();
        assertThat(again.hasRunBefore()).isTrue();
        assertThat(again.result().word()).isEqualTo(42);
        assertThat(known.answer(numbered(2).request(), again)).isTrue();
        assertThat(again.error()).isEqualTo(ErrorCode.USER_ABORT);
        assertThat(known.answer(numbered(3).request(), new Outcome())).isFalse();
    }

    private static Execution numbered(long sequence) {
        Execution call = new Execution().prepare(new Nothing(false, false), _ -> {}, 0);
        call.request().once(7, sequence, 1);
        return call;
    }

    private static final class AllPartitions extends EngineWork {
        AllPartitions() {
            super("all");
        }

        @Override
        public void route(Execution execution, BucketMap buckets) {}

        @Override
        public void run(Partition partition, Execution execution) {}

        @Override
        public void runLent(Partition at, Execution execution) {}
    }
}
