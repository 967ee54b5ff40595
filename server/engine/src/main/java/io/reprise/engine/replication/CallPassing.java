package io.reprise.engine.replication;

import io.reprise.execution.Execution;
import io.reprise.execution.ReplyTarget;
import io.reprise.execution.deploy.Arguments;
import io.reprise.execution.durable.CommandSchema;
import io.reprise.execution.durable.RequestCodec;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Passes calls of this node's sessions on to the leaders of their homes, and runs those that other nodes pass on to it. A call that
 * meets no leader, or loses its leader, is sent again: writes have numbers, so a leader that has run one answers from its
 * outcomes. A call that was not sent yet is rejected if its leader is not reached.
 *
 * <pre>
 *  call:    u1 65 | u1 1 | u4 sender | u8 sender's incarnation | u8 number | u4 home | request
 *  answer:  u1 65 | u1 2 | u8 incarnation of the call's sender | u8 number | u4 answering node | outcome
 *  running: u1 65 | u1 3 | u8 incarnation of the call's sender | u8 number       the call came again, and has not ended
 * </pre>
 *
 * All numbers are big-endian. A frame may be lost. The agent has a thread of its own, because it plans statements; any thread offers
 * calls and frames.
 */
public final class CallPassing implements Agent {
    /** The first byte of each frame. */
    public static final byte KIND = 65;

    private static final byte CALL = 1;
    private static final byte ANSWER = 2;
    private static final byte RUNNING = 3;
    private static final int CAPACITY = 4096;
    private static final int CALL_HEADER = 2 + Integer.BYTES + 2 * Long.BYTES + Integer.BYTES;
    private static final int ANSWER_HEADER = 2 + 2 * Long.BYTES;

    /** The pause before a call that was not run is sent again. */
    private static final long PAUSE_NS = 10_000_000;

    /** A call is sent again so many times before it is given up. */
    private static final int ATTEMPTS = 5;

    /** The patience of a node without the membership service, which may be cut off from all others, is so many times shorter. */
    private static final int CUT_OFF = 20;

    private final Peers peers;
    private final CommandSchema schema;
    private final long patienceNs;
    private final Waker waker;
    private final RequestCodec requests = new RequestCodec();
    private final MpscRing<Execution> offered;
    private final MpscRing<byte[]> frames;
    private final MpscRing<Served> ended;
    private final TreeMap<Long, Passed> passed = new TreeMap<>();

    /** The calls of other nodes that run here. */
    private final Set<Caller> running = new TreeSet<>();

    private long number;

    /** The node among the others. Any thread. */
    public interface Peers {
        /** This node's number. */
        int node();

        /** The incarnation of this node. */
        long incarnation();

        /** The node that leads a partition, or a negative number. */
        int leader(int partition);

        /** Whether the membership service answers; if not, the leaders that are known may be former ones. */
        boolean reachesMembership();

        /** Whether frames can be exchanged with a node, as far as is known. */
        boolean reaches(int node);

        /** Sends a frame to a node; it may be lost. */
        void send(int node, byte[] frame);

        /** Runs a routed call here. */
        void run(Execution call);
    }

    /** The origin of a call. */
    private record Caller(int node, long incarnation, long number) implements Comparable<Caller> {
        @Override
        public int compareTo(Caller other) {
            int order = Integer.compare(node, other.node);
            order = order == 0 ? Long.compare(incarnation, other.incarnation) : order;
            return order == 0 ? Long.compare(number, other.number) : order;
        }
    }

    /** A call of another node that has ended here. */
    private record Served(Caller caller, Execution execution) {}

    /** A call of this node. */
    private static final class Passed {
        final Execution call;
        final byte[] request;
        int sentTo = -1;
        long sentNs;

        /** The last sign of life of a leader that runs the call. */
        long heardNs;

        byte[] refusal;

        /** By node, the number of times that it was asked without a refusal: it may have run the call. */
        final SortedMap<Integer, Integer> asked = new TreeMap<>();

        Passed(Execution call, byte[] request, long nowNs) {
            this.call = call;
            this.request = request;
            heardNs = nowNs;
            sentNs = nowNs;
        }

        int home() {
            return call.coordinator();
        }

        void asks(int node) {
            asked.merge(node, 1, Integer::sum);
        }

        /** The node has not run the call if it was asked once: one that was asked again may have run it the first time. */
        void refusedBy(int node) {
            asked.remove(node, 1);
        }

        boolean mayHaveRun() {
            return !asked.isEmpty() && !call.work().readOnly();
        }
    }

    /**
     * Passing of calls.
     *
     * @param patienceNs the longest time of a call without a leader that runs it
     * @param waker wakes the agent's thread; null if it polls
     */
    public CallPassing(Peers peers, CommandSchema schema, long patienceNs, Waker waker) {
        this.peers = peers;
        this.schema = schema;
        this.patienceNs = patienceNs;
        this.waker = waker;
        offered = new MpscRing<>(CAPACITY, waker);
        frames = new MpscRing<>(CAPACITY, waker);
        ended = new MpscRing<>(2 * CAPACITY, waker);
    }

    /** Any thread: takes a routed call; false if too many wait. */
    public boolean offer(Execution call) {
        return offered.offer(call);
    }

    /** Any thread: takes in a frame; one for which there is no room is lost. */
    public void receive(byte[] frame) {
        frames.offer(frame);
    }

    @Override
    public String roleName() {
        return "passing";
    }

    /** The idling of its thread. */
    public IdleStrategy idle() {
        return new ParkingIdleStrategy(waker, 0, 0, 50_000, PAUSE_NS);
    }

    @Override
    public int doWork(long nowNs) {
        int work = 0;
        for (Execution call = passed.size() < CAPACITY ? offered.poll() : null;
                call != null;
                call = passed.size() < CAPACITY ? offered.poll() : null) {
            pass(call, nowNs);
            work++;
        }
        for (byte[] frame = frames.poll(); frame != null; frame = frames.poll()) {
            take(frame, nowNs);
            work++;
        }
        for (Served served = ended.poll(); served != null; served = ended.poll()) {
            answer(served, nowNs);
            work++;
        }
        for (Passed each : List.copyOf(passed.values())) {
            work += check(each, nowNs);
        }
        return work;
    }

    // ---- The caller's side

    private void pass(Execution call, long nowNs) {
        long next = ++number;
        if (!call.work().readOnly() && call.request().sequence() == 0) {
            long known = passed.isEmpty() ? next : passed.firstKey();
            call.request().once(peers.incarnation(), next, known);
        }
        Passed begun = new Passed(call, requests.encode(call), nowNs);
        passed.put(next, begun);
        send(next, begun, nowNs);
    }

    private void send(long of, Passed call, long nowNs) {
        Execution routed = call.call;
        if (routed.map() != schema.buckets()) {
            routed.work().route(routed, schema.buckets());
        }
        int leader = isUnreached(call.home()) ? -1 : peers.leader(call.home());
        call.sentTo = leader;
        call.sentNs = nowNs;
        call.refusal = null;
        if (leader >= 0) {
            call.asks(leader);
        }
        if (leader == peers.node()) {
            serve(new Caller(leader, peers.incarnation(), of), call.home(), ByteBuffer.wrap(call.request), nowNs);
        } else if (leader >= 0) {
            byte[] frame = ByteBuffer.allocate(CALL_HEADER + call.request.length)
                    .put(KIND)
                    .put(CALL)
                    .putInt(peers.node())
                    .putLong(peers.incarnation())
                    .putLong(of)
                    .putInt(call.home())
                    .put(call.request)
                    .array();
            peers.send(leader, frame);
        }
    }

    /** Whether a partition's leader is known, and this node and that leader have not heard each other for long. */
    private boolean isUnreached(int partition) {
        int leader = peers.leader(partition);
        return leader >= 0 && leader != peers.node() && !peers.reaches(leader);
    }

    /** Sends a call again, or gives it up. */
    private int check(Passed call, long nowNs) {
        boolean waits = call.refusal == null && call.sentTo >= 0;
        long allowedNs = peers.reachesMembership() ? patienceNs : patienceNs / CUT_OFF;
        boolean isInVain = isUnreached(call.home()) && !call.mayHaveRun();
        if (isInVain || nowNs - call.heardNs > allowedNs) {
            giveUp(call);
            return 1;
        }
        long silence = nowNs - call.sentNs;
        boolean again = waits
                ? silence > patienceNs / ATTEMPTS || silence > PAUSE_NS && peers.leader(call.home()) != call.sentTo
                : silence > PAUSE_NS;
        if (again) {
            send(numberOf(call), call, nowNs);
        }
        return again ? 1 : 0;
    }

    private long numberOf(Passed call) {
        for (var each : passed.entrySet()) {
            if (each.getValue() == call) {
                return each.getKey();
            }
        }
        throw new IllegalStateException("the call is not under way");
    }

    private void giveUp(Passed call) {
        passed.values().remove(call);
        boolean isTold = call.refusal != null && (!call.mayHaveRun() || OutcomeCodec.isRepeatable(call.refusal));
        if (isTold) {
            OutcomeCodec.decode(call.refusal, call.call);
        } else if (call.mayHaveRun()) {
            call.call
                    .outcome()
                    .fail(
                            ErrorCode.OUTCOME_UNKNOWN,
                            "the leader of partition " + call.home() + " did not answer; whether "
                                    + call.call.work().name() + " is kept is unknown");
        } else if (isUnreached(call.home())) {
            call.call
                    .outcome()
                    .fail(
                            ErrorCode.PARTITION_UNAVAILABLE,
                            Refusal.unreached(call.home(), peers.leader(call.home()))
                                    + call.call.work().name() + " was not run");
        } else {
            call.call
                    .outcome()
                    .fail(
                            ErrorCode.PARTITION_UNAVAILABLE,
                            "no node leads partition " + call.home() + " at present, or it did not answer; "
                                    + call.call.work().name() + " had no effect. Try again later");
        }
        call.call.reply();
    }

    private void answered(long of, int by, byte[] outcome, long nowNs) {
        Passed call = passed.get(of);
        if (call == null) {
            return;
        }
        ErrorCode error = OutcomeCodec.error(outcome);
        boolean isRefused = error == ErrorCode.MOVED || error == ErrorCode.PARTITION_UNAVAILABLE;
        if (isRefused) {
            call.refusedBy(by);
        }
        if (isRefused || OutcomeCodec.isRepeatable(outcome)) {
            call.refusal = outcome;
            call.sentNs = nowNs;
            return;
        }
        passed.remove(of);
        OutcomeCodec.decode(outcome, call.call);
        call.call.reply();
    }

    private void runs(long of, long nowNs) {
        Passed call = passed.get(of);
        if (call != null) {
            call.heardNs = nowNs;
        }
    }

    // ---- The leader's side

    private void take(byte[] frame, long nowNs) {
        ByteBuffer in = ByteBuffer.wrap(frame, 1, frame.length - 1);
        byte kind = in.get();
        if (kind == CALL) {
            serve(new Caller(in.getInt(), in.getLong(), in.getLong()), in.getInt(), in.slice(), nowNs);
        } else if (in.getLong() == peers.incarnation()) {
            long of = in.getLong();
            if (kind == RUNNING) {
                runs(of, nowNs);
                return;
            }
            int by = in.getInt();
            byte[] outcome = new byte[in.remaining()];
            in.get(outcome);
            answered(of, by, outcome, nowNs);
        }
    }

    private void serve(Caller caller, int home, ByteBuffer request, long nowNs) {
        if (!running.add(caller)) {
            if (caller.node == peers.node()) {
                runs(caller.number, nowNs);
            } else {
                peers.send(caller.node, header(RUNNING, caller, 0).array());
            }
            return;
        }
        Execution execution = new Execution(new Arguments());
        ReplyTarget target = finished -> ended.offer(new Served(caller, finished));
        try {
            requests.decode(request, schema, target, execution);
            execution.work().checkArguments(execution);
            execution.work().route(execution, schema.buckets());
            if (execution.participantCount() == 1
                    && !execution.isRoutedByValues()
                    && execution.participant(0) != home) {
                // A statement that may run anywhere runs where its caller has sent it.
                execution.routeBy(schema.buckets());
                execution.addParticipant(home);
            }
        } catch (ProcedureException refusal) {
            execution.outcome().fail(refusal.code(), refusal.getMessage(), refusal.subject());
            ended.offer(new Served(caller, execution));
            return;
        } catch (RuntimeException failure) {
            execution
                    .outcome()
                    .fail(
                            ErrorCode.PARTITION_UNAVAILABLE,
                            "the leader of partition " + home + " can't take the call: " + failure.getMessage());
            ended.offer(new Served(caller, execution));
            return;
        }
        peers.run(execution);
    }

    private void answer(Served served, long nowNs) {
        Caller caller = served.caller;
        running.remove(caller);
        byte[] outcome = OutcomeCodec.encode(served.execution);
        if (caller.node == peers.node()) {
            answered(caller.number, caller.node, outcome, nowNs);
            return;
        }
        peers.send(
                caller.node,
                header(ANSWER, caller, Integer.BYTES + outcome.length)
                        .putInt(peers.node())
                        .put(outcome)
                        .array());
    }

    private static ByteBuffer header(byte kind, Caller caller, int more) {
        return ByteBuffer.allocate(ANSWER_HEADER + more)
                .put(KIND)
                .put(kind)
                .putLong(caller.incarnation)
                .putLong(caller.number);
    }

    /** Refuses what has not ended; when the engine closes. */
    @Override
    public void onClose() {
        List<Execution> left = new ArrayList<>();
        passed.values().forEach(each -> left.add(each.call));
        passed.clear();
        for (Execution call = offered.poll(); call != null; call = offered.poll()) {
            left.add(call);
        }
        Consumer<Execution> refuse = call -> {
            call.outcome()
                    .fail(
                            call.work().readOnly() ? ErrorCode.SHUTTING_DOWN : ErrorCode.OUTCOME_UNKNOWN,
                            "the engine is closing while the call waits for another node's answer");
            call.reply();
        };
        left.forEach(refuse);
    }
}
