package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.agent.Agent;
import io.reprise.simulation.cluster.CallDoor.Call;
import java.util.List;

/** A simulated client that has one numbered call under way, and repeats it at any node until its outcome is known. */
abstract class RepeatingCaller implements Agent {
    private static final long PATIENCE_NS = 3_000_000_000L;
    private static final int DOORS = 8;

    final List<ClusterMachine> nodes;
    final Randomness random;

    /** The number of the call that is under way, or was the last one. */
    long sequence;

    /** The node that was asked last; null before the first call. */
    ClusterMachine at;

    private final long client;
    private Call call;
    private long incarnation;
    private long sinceNs;
    private long restUntilNs;

    RepeatingCaller(List<ClusterMachine> nodes, Randomness random) {
        this.nodes = nodes;
        this.random = random;
        client = random.nextLong() | 1;
    }

    final boolean rests(long nowNs) {
        return nowNs < restUntilNs;
    }

    final void rest(long nowNs) {
        restUntilNs = nowNs + 1_000_000 + random.nextLong(20_000_000);
    }

    /** Turns to a node. Returns false, and rests, if the node is down. */
    final boolean choose(ClusterMachine node, long nowNs) {
        at = node;
        if (!at.isUp()) {
            rest(nowNs);
            return false;
        }
        incarnation = at.member().incarnation();
        sinceNs = nowNs;
        return true;
    }

    /** Whether no answer can come any more, or none is waited for. */
    final boolean hasEnded(long nowNs) {
        return !at.isUp() || at.member().incarnation() != incarnation || nowNs - sinceNs > PATIENCE_NS;
    }

    final void send(String procedure, String text, long... numbers) {
        call = new Call(at.engine().procedure(procedure), client, sequence, text, numbers);
        at.door().send(call, random.nextInt(DOORS));
    }

    final boolean waits() {
        return call != null;
    }

    /** Takes the answer of the call under way; the caller repeats the call later if the node failed to run it. */
    final int takeAnswer(long nowNs) {
        Call answered = call;
        if (!answered.isAnswered) {
            call = hasEnded(nowNs) ? null : call;
            return call == null ? 1 : 0;
        }
        call = null;
        if (answered.error == null) {
            succeeded(answered);
            return 1;
        }
        assertThat(answered.error)
                .as("%s: %s", this, answered.message)
                .isIn(
                        ErrorCode.MOVED,
                        ErrorCode.PARTITION_UNAVAILABLE,
                        ErrorCode.OUTCOME_UNKNOWN,
                        ErrorCode.OVERLOADED,
                        ErrorCode.STORAGE_UNAVAILABLE,
                        ErrorCode.SHUTTING_DOWN);
        refused(answered.error, answered.message);
        rest(nowNs);
        return 1;
    }

    abstract void succeeded(Call answered);

    void refused(ErrorCode error, String message) {}
}
