package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Outcome;
import io.reprise.cluster.transaction.PartitionTransactions;
import io.reprise.execution.Execution;
import io.reprise.execution.durable.RequestCodec;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The calls over partitions of several leaders whose home is at a site. The home is the first participant, which a call's
 * arguments tell, so that a repeated call finds its outcome there. Owned by the site's thread; any thread offers calls.
 */
public final class NodeCalls {
    private static final int CAPACITY = 4096;
    private static final int CHANGES = 16;
    private static final int STARTED_A_STEP = 64;

    private final MpscRing<Execution> inbound;
    private final MpscRing<HomeCall> changes;
    private final SortedMap<Integer, PartitionReplica> replicas = new TreeMap<>();
    private final RequestCodec requests = new RequestCodec();

    /** A site without partitions. */
    public NodeCalls(Waker site) {
        inbound = new MpscRing<>(CAPACITY, site);
        changes = new MpscRing<>(CHANGES, site);
    }

    void add(PartitionReplica replica) {
        replicas.put(replica.partition(), replica);
    }

    /** Any thread: offers a routed call; false if too many wait. */
    public boolean offer(Execution call) {
        return inbound.offer(call);
    }

    /** Any thread: offers a transaction of the engine whose home is led here; false if too many wait. */
    public boolean offer(HomeCall change) {
        return changes.offer(change);
    }

    /** Begins the calls that wait. */
    int begin(long nowNs) {
        int work = 0;
        for (HomeCall change = changes.poll(); change != null; change = changes.poll()) {
            change.begin(replicas.get(change.home()).transactions(), nowNs);
            work++;
        }
        for (Execution call = work < STARTED_A_STEP ? inbound.poll() : null;
                call != null;
                call = ++work < STARTED_A_STEP ? inbound.poll() : null) {
            begin(call, nowNs);
        }
        return work;
    }

    private void begin(Execution call, long nowNs) {
        PartitionReplica home = replicas.get(call.participant(0));
        if (!home.admitsOverNodes(call)) {
            answer(home, call);
            return;
        }
        PartitionTransactions transactions = home.transactions();
        TreeSet<Integer> participants = new TreeSet<>();
        for (int i = 0; i < call.participantCount(); i++) {
            participants.add(call.participant(i));
        }
        byte[] opening = requests.encode(call, 1);
        OverNodes procedure = new OverNodes(home.store(), call, opening);
        transactions.run(
                procedure, participants, call.work().readOnly(), outcome -> told(home, call, outcome.kind()), nowNs);
    }

    private static void told(PartitionReplica home, Execution call, Outcome.Kind kind) {
        String name = call.work().name();
        switch (kind) {
            case DONE, USER_ABORT -> {}
            case NOT_RUN ->
                call.outcome()
                        .fail(
                                ErrorCode.PARTITION_UNAVAILABLE,
                                name + " was given up, because a leader of one of its partitions changed or did not"
                                        + " answer; it had no effect. Try again");
            case UNKNOWN -> {
                if (call.work().readOnly()) {
                    call.outcome()
                            .fail(
                                    ErrorCode.PARTITION_UNAVAILABLE,
                                    "partition " + home.partition() + " changed its leader; " + name
                                            + " had no effect, and its answer can't be confirmed");
                } else {
                    call.outcome()
                            .fail(
                                    ErrorCode.OUTCOME_UNKNOWN,
                                    "partition " + home.partition() + " changed its leader; whether " + name
                                            + " is kept is unknown");
                }
            }
        }
        answer(home, call);
    }

    private static void answer(PartitionReplica home, Execution call) {
        call.ranAt(home.at());
        call.reply();
    }
}
