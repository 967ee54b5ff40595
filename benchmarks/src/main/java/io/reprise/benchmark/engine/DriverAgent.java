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
 * it has ended. Owned by the site's thread but for the switch and the counters, which the measuring thread uses.
 */
final class DriverAgent implements Agent {
    private final ClientPort port;
    private final Generator generator;
    private final Work[] works;
    private final CallSlot[] slots;
    private final int[] freeSlots;
    private final SlotWriter writer = new SlotWriter();
    private int freeCount;

    private volatile boolean driving;
    private volatile long completed;
    private volatile long rolledBack;
    private volatile int underWay;

    DriverAgent(ClientPort port, Generator generator, Work[] works, int window) {
        this.port = port;
        this.generator = generator;
        this.works = works.clone();
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
    public int doWork(long nowNs) {
        int work = takeReplies();
        if (driving) {
            while (freeCount > 0) {
                generator.next(writer);
                port.submit(writer.invocation);
                work++;
            }
        }
        int now = slots.length - freeCount;
        if (now != underWay) {
            underWay = now;
        }
        return work;
    }

    private int takeReplies() {
        int count = 0;
        int failed = 0;
        for (Invocation reply = port.poll(); reply != null; reply = port.poll()) {
            boolean committed = reply.succeeded();
            Result result = reply.result();
            int procedure = (int) reply.cookie() & 0xFF;
            generator.completed(procedure, committed, result.kind() == Result.Kind.INTEGER ? result.word() : 0);
            freeSlots[freeCount++] = (int) (reply.cookie() >>> 8);
            port.release(reply);
            count++;
            failed += committed ? 0 : 1;
        }
        if (count > 0) {
            completed += count;
            rolledBack += failed;
        }
        return count;
    }

    /** Any thread: starts making calls, or lets those under way be the last. */
    void drive(boolean on) {
        driving = on;
    }

    /** Any thread: how many calls have ended. */
    long completed() {
        return completed;
    }

    /** Any thread: how many of them were rolled back. */
    long rolledBack() {
        return rolledBack;
    }

    /** Any thread: whether no call is under way. */
    boolean idle() {
        return !driving && underWay == 0;
    }

    Generator generator() {
        return generator;
    }

    private final class SlotWriter extends CallSlot.Writer {
        private Invocation invocation;

        @Override
        public Call procedure(int index) {
            int slot = freeSlots[--freeCount];
            invocation = port.acquire(works[index], (long) slot << 8 | index);
            begin(invocation.arguments(), slots[slot]);
            return this;
        }
    }
}
