package io.reprise.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.Nothing;
import io.reprise.execution.Outcome;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.execution.durable.CommandSchema;
import io.reprise.procedure.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that one node passes on to leaders that refuse them, are lost or do not answer. */
final class CallPassingTest {
    private static final long PATIENCE_NS = 1_000_000_000;
    private static final long STEP_NS = 1_000_000;

    /** Shorter than the silence after which a leader is asked again. */
    private static final long MOMENT_NS = 100 * STEP_NS;

    private static final int NO_LEADER = -1;
    private static final int CALLER = 2;

    private final List<Node> nodes = new ArrayList<>();
    private int leader;
    private long nowNs;
    private boolean isTold;
    private boolean reached = true;

    @BeforeEach
    void start() {
        for (int i = 0; i <= CALLER; i++) {
            nodes.add(new Node(i));
        }
    }

    /** A node whose calls run until the test ends them. */
    private final class Node implements CallPassing.Peers {
        final int number;
        final Queue<Execution> running = new ArrayDeque<>();
        final CallPassing passing;
        boolean isLost;

        /** The message of its refusals, or null if it runs calls. */
        String refusal;

        Node(int number) {
            this.number = number;
            passing = new CallPassing(this, new Schema(new Nothing(false, false)), PATIENCE_NS, null);
        }

        @Override
        public int node() {
            return number;
        }

        @Override
        public long incarnation() {
            return number + 1L;
        }

        @Override
        public int leader(int partition) {
            return leader;
        }

        @Override
        public boolean reachesMembership() {
            return true;
        }

        @Override
        public boolean reaches(int node) {
            return reached;
        }

        @Override
        public void send(int node, byte[] frame) {
            if (!isLost && !nodes.get(node).isLost) {
                nodes.get(node).passing.receive(frame);
            }
        }

        @Override
        public void run(Execution call) {
            running.add(call);
            if (refusal != null) {
                refuse(refusal);
            }
        }

        void refuse(String message) {
            Execution call = running.remove();
            call.outcome().fail(ErrorCode.PARTITION_UNAVAILABLE, message);
            call.reply();
        }

        /** The call's fate is not known here. */
        void loseSight() {
            Execution call = running.remove();
            call.outcome().failUnknown(call.request(), "the lead was lost");
            call.reply();
        }
    }

    private record Schema(Work work) implements CommandSchema {
        private static final BucketMap BUCKETS = BucketMap.dealt(1);

        @Override
        public Work procedure(int version) {
            return work;
        }

        @Override
        public Work statement(String text) {
            return work;
        }

        @Override
        public BucketMap buckets() {
            return BUCKETS;
        }
    }

    private Execution call(boolean readOnly) {
        Execution call =
                new Execution(new Arguments()).prepare(new Nothing(false, readOnly), ended -> isTold = true, 0);
        call.sendTo(0);
        assertThat(nodes.get(CALLER).passing.offer(call)).isTrue();
        runFor(MOMENT_NS);
        return call;
    }

    private void runFor(long ns) {
        for (long endNs = nowNs + ns; nowNs < endNs; nowNs += STEP_NS) {
            nodes.forEach(node -> node.passing.doWork(nowNs));
        }
    }

    /** The outcome of a call that is given up. */
    private Outcome end(Execution call) {
        assertThat(isTold).isFalse();
        runFor(2 * PATIENCE_NS);
        assertThat(isTold).isTrue();
        return call.outcome();
    }

    @Test
    void shouldNotSayThatACallHadNoEffectWhenALostLeaderMayHaveRunIt() {
        Execution call = call(false);
        assertThat(nodes.get(0).running).hasSize(1);
        nodes.get(0).isLost = true;
        leader = NO_LEADER;

        assertThat(end(call).error()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void shouldNotTellTheRefusalOfTheNextLeaderWhenTheLostOneMayHaveRunTheCall() {
        Execution call = call(false);
        nodes.get(0).isLost = true;
        nodes.get(1).refusal = "not run";
        leader = 1;

        assertThat(end(call).error()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void shouldNotTellALaterRefusalWhenTheLeaderHasLostSightOfTheCall() {
        Execution call = call(false);
        nodes.get(0).loseSight();
        nodes.get(0).refusal = "not run";

        assertThat(end(call).error()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void shouldTellTheLastRefusalWhenAllLeadersRefuse() {
        nodes.get(0).refusal = "not run by the first";
        nodes.get(1).refusal = "not run by the second";
        Execution call = call(false);
        leader = 1;

        Outcome outcome = end(call);

        assertThat(outcome.error()).isEqualTo(ErrorCode.PARTITION_UNAVAILABLE);
        assertThat(outcome.message()).isEqualTo("not run by the second");
    }

    @Test
    void shouldTellThatACallHadNoEffectWhenTheFormerLeaderRefusesItLate() {
        Execution call = call(false);
        leader = NO_LEADER;
        runFor(MOMENT_NS);
        nodes.get(0).refuse("not run after all");

        Outcome outcome = end(call);

        assertThat(outcome.error()).isEqualTo(ErrorCode.PARTITION_UNAVAILABLE);
        assertThat(outcome.message()).contains("had no effect");
    }

    @Test
    void shouldTellThatACallHadNoEffectWhenThereIsNoLeader() {
        leader = NO_LEADER;
        Execution call = call(false);

        Outcome outcome = end(call);

        assertThat(outcome.error()).isEqualTo(ErrorCode.PARTITION_UNAVAILABLE);
        assertThat(outcome.message()).contains("had no effect");
    }

    @Test
    void shouldRejectACallAtOnceWhenItsLeaderIsNotReached() {
        reached = false;
        Execution call = call(false);

        assertThat(isTold).isTrue();
        assertThat(call.outcome().error()).isEqualTo(ErrorCode.PARTITION_UNAVAILABLE);
        assertThat(call.outcome().message()).contains("is led by node 0").contains("was not run");
        assertThat(nodes.get(0).running).isEmpty();
    }

    @Test
    void shouldNotSayThatACallWasNotRunWhenItsLeaderIsNotReachedAnyMore() {
        Execution call = call(false);
        reached = false;
        nodes.get(0).isLost = true;

        assertThat(end(call).error()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void shouldTellThatAReadHadNoEffectWhenItsLeaderIsLost() {
        Execution call = call(true);
        nodes.get(0).isLost = true;
        leader = NO_LEADER;

        assertThat(end(call).error()).isEqualTo(ErrorCode.PARTITION_UNAVAILABLE);
    }

    @Test
    void shouldTellTheOutcomeOfTheNextLeaderWhenTheLostOneHasRunTheCall() {
        Execution call = call(false);
        nodes.get(0).isLost = true;
        leader = 1;
        runFor(MOMENT_NS);
        Execution again = nodes.get(1).running.remove();
        assertThat(again.request().client()).isEqualTo(nodes.get(CALLER).incarnation());
        assertThat(again.request().sequence()).isPositive();
        again.outcome().result().integer(7);
        again.reply();
        runFor(MOMENT_NS);

        assertThat(isTold).isTrue();
        assertThat(call.outcome().error()).isNull();
        assertThat(call.outcome().result().word()).isEqualTo(7);
    }
}
