package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.time.Clock;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SiteMeterTest {
    private static final long LIMIT_NS = 1_000_000;

    private final TestClock clock = new TestClock();
    private final SlowTransactions slow = new SlowTransactions(LIMIT_NS);
    private final SiteMeter meter = new SiteMeter(0, clock, slow);
    private final ProcedureMeter procedure = new ProcedureMeter("Deposit");
    private final Nothing work = new Nothing(false, true);

    @BeforeEach
    void measure() {
        work.measureBy(new ProcedureMeter[] {procedure});
    }

    @Test
    void shouldMeasureToTheGroupsEndWhenAnsweredAtOnce() {
        clock.nowNs = 1_000;
        Execution execution = admitted(1_000);

        clock.nowNs = 3_000;
        run(execution, null);
        meter.answeredAtOnce(execution);
        clock.nowNs = 3_500;
        run(admitted(1_000), null);
        clock.nowNs = 9_000;
        meter.groupEnded();

        assertThat(procedure.latency().count()).isEqualTo(1);
        // The first of a procedure is timed by itself, and had ended by then.
        assertThat(procedure.latency().sumNs()).isEqualTo(2_000);
        assertThat(procedure.committed()).isEqualTo(2);
    }

    @Test
    void shouldTellWhichBucketsAreHotOnlyForAWhile() {
        for (int i = 0; i < 128; i++) {
            Execution execution = admitted(1_000);
            execution.confineTo(7, 0);
            run(execution, null);
        }

        long[] now = meter.bucketLoad();
        long[] fading = meter.bucketLoad();
        long[] later = fading;
        for (int i = 0; i < 200; i++) {
            later = meter.bucketLoad();
        }

        // Every 64th was looked at, and stands for 64.
        assertThat(now[7]).isEqualTo(128);
        assertThat(LongStream.of(now).sum()).isEqualTo(128);
        assertThat(fading[7]).isLessThan(128).isPositive();
        assertThat(later[7]).isZero();
    }

    @Test
    void shouldMeasureToTheAnswerWhenTheLogHoldsItBack() {
        Execution execution = admitted(1_000);
        meter.cycle(2_000);
        clock.nowNs = 2_500;
        run(execution, null);
        CallTimes times = remembered(execution);
        clock.nowNs = 4_000;
        meter.groupEnded();

        meter.cycle(90_000);
        meter.answered(times, 1, 4_000);

        assertThat(procedure.latency().sumNs()).isEqualTo(89_000);
    }

    @Test
    void shouldCountByCodeWhenTransactionsFail() {
        run(admitted(0), ErrorCode.USER_ABORT);
        run(admitted(0), ErrorCode.USER_ABORT);
        run(admitted(0), ErrorCode.TIME_LIMIT);
        run(admitted(0), null);

        assertThat(procedure.failed(ErrorCode.USER_ABORT)).isEqualTo(2);
        assertThat(procedure.failed(ErrorCode.TIME_LIMIT)).isEqualTo(1);
        assertThat(procedure.committed()).isEqualTo(1);
    }

    @Test
    void shouldTimeOneInSixtyFourWhenTransactionsAreShort() {
        for (int i = 0; i < 640; i++) {
            run(admitted(0), null);
        }

        assertThat(procedure.execution().count()).isEqualTo(10);
    }

    @Test
    void shouldTimeEachWhenTransactionsAreLong() {
        clock.stepNs = 50_000;

        for (int i = 0; i < 640; i++) {
            run(admitted(0), null);
        }

        assertThat(procedure.execution().count()).isGreaterThan(500);
        assertThat(procedure.execution().meanNs()).isEqualTo(50_000);
    }

    @Test
    void shouldTellWhereTheTimeWentWhenATransactionIsSlow() {
        Execution execution = admitted(1_000);
        clock.nowNs = 301_000;
        meter.begin(execution);
        clock.nowNs = 701_000;
        execution.outcome().fail(ErrorCode.USER_ABORT, "no");
        meter.end(execution);
        CallTimes times = remembered(execution);
        clock.nowNs = 702_000;
        meter.groupEnded();
        meter.cycle(2_001_000);

        meter.answered(times, 1, 702_000);

        SlowTransaction told = slow.poll();
        assertThat(told.procedure()).isEqualTo("Deposit");
        assertThat(told.queuedNs()).isEqualTo(300_000);
        assertThat(told.executingNs()).isEqualTo(400_000);
        assertThat(told.timed()).isTrue();
        assertThat(told.loggingNs()).isEqualTo(1_300_000);
        assertThat(told.error()).contains(ErrorCode.USER_ABORT);
        assertThat(told.tookNs()).isEqualTo(2_000_000);
        assertThat(slow.poll()).isNull();
    }

    @Test
    void shouldGiveTheGroupsTimeWhenASlowOneWasNotTimedByItself() {
        run(admitted(0), null);
        meter.cycle(10_000);
        Execution untimed = admitted(9_000);
        run(untimed, null);
        meter.answeredAtOnce(untimed);
        clock.nowNs = 5_010_000;

        meter.groupEnded();

        SlowTransaction told = slow.poll();
        assertThat(told.timed()).isFalse();
        assertThat(told.queuedNs()).isEqualTo(1_000);
        assertThat(told.executingNs()).isEqualTo(5_000_000);
        assertThat(told.loggingNs()).isZero();
    }

    @Test
    void shouldCountThoseItCouldNotTellWhenTooManyAreSlow() {
        int count = 3_000;
        clock.nowNs = 5_000_000;
        meter.cycle(clock.nowNs);
        for (int i = 0; i < count; i++) {
            Execution execution = admitted(1);
            run(execution, null);
            meter.answered(remembered(execution), 1, 5_000_000);
        }

        int told = 0;
        while (slow.poll() != null) {
            told++;
        }

        assertThat(told).isPositive();
        assertThat(told + meter.slowUntold()).isEqualTo(count);
    }

    @Test
    void shouldRememberOnlyThoseAlikeThatAreOfTheSameTimeAndProcedureAndSucceeded() {
        Execution first = admitted(1_000);
        run(admitted(1_000), null);
        run(first, null);
        CallTimes times = remembered(first);

        run(admitted(1_000), null);
        assertThat(meter.isLike(times, admitted(1_000))).isTrue();
        assertThat(meter.isLike(times, admitted(1_001))).isFalse();
        Execution failed = admitted(1_000);
        run(failed, ErrorCode.USER_ABORT);
        assertThat(meter.isLike(times, failed)).isFalse();
        assertThat(meter.isLike(remembered(failed), admitted(1_000))).isFalse();
        work.measureBy(new ProcedureMeter[] {new ProcedureMeter("Withdraw")});
        run(admitted(1_000), null);
        run(admitted(1_000), null);
        assertThat(meter.isLike(times, admitted(1_000))).isFalse();
    }

    @Test
    void shouldTellOneAndCountTheOthersWhenSeveralAlikeAreSlow() {
        run(admitted(1), null);
        Execution execution = admitted(1);
        run(execution, null);
        meter.cycle(5_000_000);

        meter.answered(remembered(execution), 7, 2_000_000);

        assertThat(slow.poll()).isNotNull();
        assertThat(slow.poll()).isNull();
        assertThat(meter.slowUntold()).isEqualTo(6);
        assertThat(procedure.latency().count()).isEqualTo(7);
    }

    @Test
    void shouldBeBusyOnlyInCyclesThatDidSomething() {
        meter.cycle(0);
        meter.watch(idle -> {}).idle(1);
        meter.cycle(1_000);
        meter.watch(idle -> {}).idle(0);
        meter.cycle(50_000);

        assertThat(meter.busyNs()).isEqualTo(1_000);
    }

    @Test
    void shouldMeasureNothingWhenNobodyAskedForIt() {
        Nothing unmeasured = new Nothing(false, true);
        Execution execution = new Execution().prepare(unmeasured, answered -> {}, 0);
        execution.admitted(0);
        clock.nowNs = 10 * LIMIT_NS;

        run(execution, null);
        meter.answeredAtOnce(execution);
        meter.groupEnded();

        assertThat(slow.poll()).isNull();
        assertThat(procedure.latency().count()).isZero();
    }

    private Execution admitted(long ns) {
        Execution execution = new Execution().prepare(work, answered -> {}, 0);
        execution.admitted(ns);
        return execution;
    }

    /** Another call uses the execution before this one is answered. */
    private CallTimes remembered(Execution execution) {
        CallTimes times = new CallTimes();
        meter.remember(times, execution);
        execution.prepare(work, answered -> {}, 0).routeBy(null);
        return times;
    }

    private void run(Execution execution, ErrorCode error) {
        meter.begin(execution);
        if (error != null) {
            execution.outcome().fail(error, "as the test wants");
        }
        meter.end(execution);
    }

    /** Stands still, or goes on by a step with each look. */
    private static final class TestClock implements Clock {
        private long nowNs;
        private long stepNs;

        @Override
        public long nanoTime() {
            nowNs += stepNs;
            return nowNs;
        }

        @Override
        public long epochMicros() {
            return nowNs / 1000;
        }
    }
}
