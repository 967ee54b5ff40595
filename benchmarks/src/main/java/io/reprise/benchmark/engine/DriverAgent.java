package io.reprise.benchmark.engine;

import io.reprise.execution.Execution;
import io.reprise.execution.Result;
import io.reprise.execution.Work;
import io.reprise.runtime.agent.Agent;
import io.reprise.txn.initiator.ClientPort;
import io.reprise.workload.Call;
import io.reprise.workload.Generator;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * A closed-loop client on the site's own thread: keeps a fixed number of calls under way, each replaced by a new one when
 * it has ended, or fewer where it is held to a pace. Owned by the site's thread but for the switch and the counters, which
 * the measuring thread uses.
 */
final class DriverAgent implements Agent, ClientPort.Holder {
    /** As the agent that takes clients' calls does: to be much ahead of what runs only empties the processor's caches. */
    private static final int ENOUGH_WAITING = 64;

    private static final long HIGHEST_LATENCY_NS = 60_000_000_000L;
    private static final int LATENCY_DIGITS = 2;

    /** A client's id is any 64 bits; these are far apart. */
    private static final long CLIENT_IDS = 0x9E3779B97F4A7C15L;

    private final ClientPort port;
    private final int window;
    private final long client;

    /** By the numbers of their executions; made when they are needed. */
    private final CallSlot[] slots;

    private final long[] dueNs;

    /** The results of calls that wait for the log: a ring. */
    private final Held[] held;

    private final SingleWriterRecorder latencies = new SingleWriterRecorder(HIGHEST_LATENCY_NS, LATENCY_DIGITS);
    private final SlotWriter writer = new SlotWriter();
    private int heldTo;
    private int busy;
    private int answered;
    private Assignment current;
    private long startNs;
    private long lookedNs;
    private long submitted;
    private long ended;
    private long failures;
    private long number;

    private volatile Assignment assigned;
    private volatile long completed;
    private volatile long rolledBack;
    private volatile int underWay;
    private volatile long nextDueNs;
    private volatile long threadId;

    /**
     * The source of calls: nothing changes in it but the generator's own state, which is the site's.
     *
     * @param callsPerSecond 0: as fast as they are answered
     * @param timed whether the time of each call is recorded, from when it was due
     * @param numbered whether calls have a client's id and number, by which they would be known if they came again
     */
    record Assignment(Generator generator, Work[] works, double callsPerSecond, boolean timed, boolean numbered) {}

    DriverAgent(ClientPort port, int window) {
        this.port = port;
        this.window = window;
        client = (port.site() + 1) * CLIENT_IDS;
        slots = new CallSlot[window];
        dueNs = new long[window];
        held = new Held[window];
        for (int i = 0; i < window; i++) {
            held[i] = new Held();
        }
        port.holdBy(this);
    }

    /** The record of a call that has ended and is not durable yet. */
    private static final class Held {
        private int procedure;
        private boolean committed;
        private long value;
        private long dueNs;
    }

    @Override
    public String roleName() {
        return "driver-" + port.site();
    }

    @Override
    public void onStart() {
        threadId = Thread.currentThread().threadId();
    }

    @Override
    public int doWork(long nowNs) {
        takeReplies(nowNs);
        int work = answered;
        count();
        Assignment now = assigned;
        if (now != null) {
            if (now != current) {
                current = now;
                startNs = nowNs;
                submitted = 0;
            }
            work += submit(nowNs);
        }
        if (busy != underWay) {
            underWay = busy;
        }
        return work;
    }

    private int submit(long nowNs) {
        int count = 0;
        long nextNs = nextNs(nowNs);
        while (nextNs <= nowNs && busy < window && port.waiting() < ENOUGH_WAITING) {
            current.generator.next(writer);
            dueNs[writer.execution.number()] = nextNs;
            port.submit(writer.execution);
            busy++;
            submitted++;
            count++;
            nextNs = nextNs(nowNs);
        }
        if (current.callsPerSecond > 0) {
            nextDueNs = nextNs;
        }
        return count;
    }

    /** When the next call is due. It is timed from then, however late it is made: a stall counts for every call that it delays. */
    private long nextNs(long nowNs) {
        return current.callsPerSecond > 0 ? startNs + (long) (submitted * 1e9 / current.callsPerSecond) : nowNs;
    }

    private void takeReplies(long nowNs) {
        lookedNs = nowNs;
        for (Execution reply = port.poll(); reply != null; reply = port.poll()) {
            answered((int) reply.cookie(), reply.outcome().succeeded(), value(reply), dueNs[reply.number()]);
            end(reply);
        }
    }

    @Override
    public int hold(Execution ended) {
        int ticket = heldTo;
        Held outcome = held[ticket];
        heldTo = ticket + 1 == window ? 0 : ticket + 1;
        outcome.procedure = (int) ended.cookie();
        outcome.committed = ended.outcome().succeeded();
        outcome.value = value(ended);
        outcome.dueNs = dueNs[ended.number()];
        end(ended);
        return ticket;
    }

    @Override
    public void release(int ticket) {
        Held outcome = held[ticket];
        answered(outcome.procedure, outcome.committed, outcome.value, outcome.dueNs);
    }

    private static long value(Execution ended) {
        Result result = ended.outcome().result();
        return result.kind() == Result.Kind.INTEGER ? result.word() : 0;
    }

    private void end(Execution ended) {
        if (!ended.outcome().succeeded()) {
            Unexpected.check(ended);
        }
        port.release(ended);
    }

    private void answered(int procedure, boolean committed, long value, long due) {
        current.generator.completed(procedure, committed, value);
        if (current.timed) {
            latencies.recordValue(Math.min(lookedNs - due, HIGHEST_LATENCY_NS));
        }
        if (!committed) {
            failures++;
        }
        busy--;
        answered++;
    }

    private void count() {
        if (answered > 0) {
            ended += answered;
            answered = 0;
            completed = ended;
            rolledBack = failures;
        }
    }

    /** Any thread: starts making calls; null lets those under way be the last. Idle drivers take a new assignment. */
    void assign(Assignment assignment) {
        if (assignment != null && !idle()) {
            throw new IllegalStateException(roleName() + " is still at work");
        }
        // Until the site's thread has begun with it.
        nextDueNs = System.nanoTime();
        assigned = assignment;
    }

    /** The number of ended calls. Any thread. */
    long completed() {
        return completed;
    }

    /** The number of them that were rolled back. Any thread. */
    long rolledBack() {
        return rolledBack;
    }

    /** Any thread: when the first call was or will be due that has not been made, where it is held to a pace. */
    long nextDueNs() {
        return nextDueNs;
    }

    /** The durations of timed calls that have ended since the last question. The measuring thread's. */
    Histogram latencies() {
        return latencies.getIntervalHistogram();
    }

    /** Any thread: the id of the site's thread. */
    long threadId() {
        return threadId;
    }

    /** Any thread: whether no call is under way and none will be. */
    boolean idle() {
        return assigned == null && underWay == 0;
    }

    private CallSlot slot(int number) {
        CallSlot slot = slots[number];
        if (slot == null) {
            slot = new CallSlot();
            slots[number] = slot;
        }
        return slot;
    }

    private final class SlotWriter extends CallSlot.Writer {
        private Execution execution;

        @Override
        public Call procedure(int index) {
            execution = port.acquire(current.works[index], index);
            if (current.numbered) {
                // None comes again, so that it does no harm to confirm one that is still under way, as may happen.
                execution.request().once(client, ++number, Math.max(1, number - window));
            }
            begin(execution.request().arguments(), slot(execution.number()));
            return this;
        }
    }
}
