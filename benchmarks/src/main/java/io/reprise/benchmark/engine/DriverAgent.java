package io.reprise.benchmark.engine;

import io.reprise.execution.Invocation;
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
final class DriverAgent implements Agent {
    private static final int PROCEDURE_BITS = 8;
    private static final long HIGHEST_LATENCY_NS = 60_000_000_000L;
    private static final int LATENCY_DIGITS = 2;
    private static final int PROCEDURE_MASK = (1 << PROCEDURE_BITS) - 1;

    private final ClientPort port;
    private final CallSlot[] slots;
    private final int[] freeSlots;
    private final long[] begunNs;
    private final SingleWriterRecorder latencies = new SingleWriterRecorder(HIGHEST_LATENCY_NS, LATENCY_DIGITS);
    private final SlotWriter writer = new SlotWriter();
    private int freeCount;
    private Assignment current;
    private long startNs;
    private long submitted;
    private long ended;
    private long failures;

    private volatile Assignment assigned;
    private volatile long completed;
    private volatile long rolledBack;
    private volatile int underWay;
    private volatile long threadId;

    /**
     * What to call: nothing changes in it but the generator's own state, which is the site's.
     *
     * @param callsPerSecond 0: as fast as they are answered
     * @param timed whether the time of each call is recorded
     */
    record Assignment(Generator generator, Work[] works, double callsPerSecond, boolean timed) {}

    DriverAgent(ClientPort port, int window) {
        this.port = port;
        this.slots = new CallSlot[window];
        this.freeSlots = new int[window];
        this.begunNs = new long[window];
        for (int i = 0; i < window; i++) {
            slots[i] = new CallSlot();
            freeSlots[i] = i;
        }
        freeCount = window;
    }

    @Override
    public String roleName() {
        return "driver-" + port.partition();
    }

    @Override
    public void onStart() {
        threadId = Thread.currentThread().threadId();
    }

    @Override
    public int doWork(long nowNs) {
        int work = takeReplies(nowNs);
        Assignment now = assigned;
        if (now != null) {
            if (now != current) {
                current = now;
                startNs = nowNs;
                submitted = 0;
            }
            work += submit(nowNs);
        }
        int busy = slots.length - freeCount;
        if (busy != underWay) {
            underWay = busy;
        }
        return work;
    }

    private int submit(long nowNs) {
        long allowed = Long.MAX_VALUE;
        if (current.callsPerSecond > 0) {
            allowed = (long) ((nowNs - startNs) * 1e-9 * current.callsPerSecond);
        }
        int count = 0;
        while (freeCount > 0 && submitted < allowed) {
            current.generator.next(writer);
            begunNs[writer.slot] = nowNs;
            port.submit(writer.invocation);
            submitted++;
            count++;
        }
        return count;
    }

    private int takeReplies(long nowNs) {
        int count = 0;
        int failed = 0;
        for (Invocation reply = port.poll(); reply != null; reply = port.poll()) {
            boolean committed = reply.succeeded();
            Result result = reply.result();
            int procedure = (int) reply.cookie() & PROCEDURE_MASK;
            long value = result.kind() == Result.Kind.INTEGER ? result.word() : 0;
            current.generator.completed(procedure, committed, value);
            int slot = (int) (reply.cookie() >>> PROCEDURE_BITS);
            freeSlots[freeCount++] = slot;
            if (current.timed) {
                latencies.recordValue(Math.min(nowNs - begunNs[slot], HIGHEST_LATENCY_NS));
            }
            if (!committed) {
                Unexpected.check(reply);
                failed++;
            }
            port.release(reply);
            count++;
        }
        if (count > 0) {
            ended += count;
            failures += failed;
            completed = ended;
            rolledBack = failures;
        }
        return count;
    }

    /** Any thread: starts making calls; null lets those under way be the last. Idle drivers take a new assignment. */
    void assign(Assignment assignment) {
        if (assignment != null && !idle()) {
            throw new IllegalStateException(roleName() + " is still at work");
        }
        assigned = assignment;
    }

    /** Any thread: how many calls have ended. */
    long completed() {
        return completed;
    }

    /** Any thread: how many of them were rolled back. */
    long rolledBack() {
        return rolledBack;
    }

    /** The measuring thread: how long calls took that have ended since this was last asked for, if they were timed. */
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

    private final class SlotWriter extends CallSlot.Writer {
        private Invocation invocation;
        private int slot;

        @Override
        public Call procedure(int index) {
            slot = freeSlots[--freeCount];
            invocation = port.acquire(current.works[index], (long) slot << PROCEDURE_BITS | index);
            begin(invocation.arguments(), slots[slot]);
            return this;
        }
    }
}
