package io.reprise.benchmark.engine;

import io.reprise.execution.Invocation;
import io.reprise.execution.Result;
import io.reprise.execution.Work;
import io.reprise.runtime.agent.Agent;
import io.reprise.txn.initiator.ClientPort;
import io.reprise.workload.Call;
import io.reprise.workload.Generator;

/**
 * A closed-loop client on the site's own thread: keeps a fixed number of calls under way, each replaced by a new one when
 * it has ended, or fewer where it is held to a pace. Owned by the site's thread but for the switch and the counters, which
 * the measuring thread uses.
 */
final class DriverAgent implements Agent {
    private static final int PROCEDURE_BITS = 8;
    private static final int PROCEDURE_MASK = (1 << PROCEDURE_BITS) - 1;

    private final ClientPort port;
    private final CallSlot[] slots;
    private final int[] freeSlots;
    private final SlotWriter writer = new SlotWriter();
    private int freeCount;
    private Assignment current;
    private long startNs;
    private long submitted;

    private volatile Assignment assigned;
    private volatile long completed;
    private volatile long rolledBack;
    private volatile int underWay;
    private volatile long threadId;

    /** What to call: nothing changes in it but the generator's own state, which is the site's. */
    record Assignment(Generator generator, Work[] works, double callsPerSecond) {}

    DriverAgent(ClientPort port, int window) {
        this.port = port;
        this.slots = new CallSlot[window];
        this.freeSlots = new int[window];
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
        int work = takeReplies();
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
            port.submit(writer.invocation);
            submitted++;
            count++;
        }
        return count;
    }

    private int takeReplies() {
        int count = 0;
        int failed = 0;
        for (Invocation reply = port.poll(); reply != null; reply = port.poll()) {
            boolean committed = reply.succeeded();
            Result result = reply.result();
            int procedure = (int) reply.cookie() & PROCEDURE_MASK;
            long value = result.kind() == Result.Kind.INTEGER ? result.word() : 0;
            current.generator.completed(procedure, committed, value);
            freeSlots[freeCount++] = (int) (reply.cookie() >>> PROCEDURE_BITS);
            if (!committed) {
                Unexpected.check(reply);
                failed++;
            }
            port.release(reply);
            count++;
        }
        if (count > 0) {
            completed = completed + count;
            rolledBack = rolledBack + failed;
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

        @Override
        public Call procedure(int index) {
            int slot = freeSlots[--freeCount];
            invocation = port.acquire(current.works[index], (long) slot << PROCEDURE_BITS | index);
            begin(invocation.arguments(), slots[slot]);
            return this;
        }
    }
}
