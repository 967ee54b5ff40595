package io.reprise.net.reprise;

import io.reprise.execution.Execution;
import io.reprise.execution.Work;
import io.reprise.net.session.QueueDelay;
import io.reprise.net.session.SessionLimits;
import io.reprise.net.session.SharedBytes;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.agent.Agent;
import io.reprise.txn.initiator.ClientPort;
import io.reprise.wire.CallReader;
import io.reprise.wire.MalformedMessageException;

/**
 * Makes transactions of clients' calls and replies of their outcomes, on a site's own thread. A call is decoded into a reused
 * execution when the site is about to run it. Only whole frames pass between the network's threads and this one.
 *
 * <p>A reply that waits for the log is encoded when its transaction ends, and copied to its connection when it may leave. Calls
 * stay in their frames while {@link ClientPort} has no free execution or enough wait to be stamped. Replies of a connection are
 * handed over when its last ones have left, or when they are many. So frames grow with the load, and a single reply doesn't wait.
 *
 * <p>Owned by the site's thread, except {@link #queue}, {@link #wake} and {@link #refuseNew}.
 */
final class CallAgent implements Agent, ClientPort.Holder {
    /** Calls decoded far ahead of their execution only evict other data from the processor's caches. */
    private static final int ENOUGH_WAITING = 64;

    /**
     * The same in a cluster. A transaction over nodes holds a partition for some message delays. Calls over nodes that wait behind
     * others meanwhile would miss the next such transaction, which they share.
     */
    private static final int ENOUGH_WAITING_IN_CLUSTER = 512;

    private static final int CALLS_PER_CYCLE = 32;
    private static final int STALE_RETRIES = 10;

    private final int site;
    private final ClientPort port;
    private final int maxResultBytes;
    private final boolean inCluster;
    private final int enoughWaiting;
    private final CallIntake intake;
    private final CallAdmission admission;
    private final SiteReplies replies;
    private final QueueDelay delay = new QueueDelay();

    /** The bytes of calls under way, with what their arguments became: an array can be twenty times as long. */
    private final SharedBytes callBytes;

    /** By the numbers of executions; made on demand. */
    private final CallSlot[] slots;

    private int underWay;
    private long bytesUnderWay;
    private int released;

    /**
     * An agent.
     *
     * @param heldBytes the bytes of replies that wait for the log
     * @param callBytes the bytes of calls under way
     * @param untold reports outcomes that could not be encoded
     * @param inCluster whether other nodes may lead partitions
     */
    CallAgent(
            int site,
            ClientPort port,
            CurrentProcedures procedures,
            SessionLimits limits,
            SharedBytes heldBytes,
            SharedBytes callBytes,
            UntoldOutcomes untold,
            boolean inCluster) {
        this.site = site;
        this.inCluster = inCluster;
        enoughWaiting = inCluster ? ENOUGH_WAITING_IN_CLUSTER : ENOUGH_WAITING;
        this.port = port;
        this.callBytes = callBytes;
        maxResultBytes = limits.maxResultBytes();
        replies = new SiteReplies(maxResultBytes, heldBytes, untold);
        admission = new CallAdmission(procedures, replies, limits.callsPerConnection());
        intake = new CallIntake(limits.framesPerSite(), port.waker());
        slots = new CallSlot[limits.callsPerSite()];
        port.holdBy(this);
    }

    @Override
    public String roleName() {
        return "calls-" + site;
    }

    /** The queue of frames before this site. */
    FrameQueue queue() {
        return intake;
    }

    /** Any thread: a client has read replies, so its calls may no longer be held back. */
    void wake() {
        if (port.waker() != null) {
            port.waker().wake();
        }
    }

    /** Any thread: rejects calls that have not begun, because the server closes. */
    void refuseNew() {
        admission.refuseNew();
    }

    @Override
    public int doWork(long nowNs) {
        int work = released + takeReplies();
        released = 0;
        replies.countHeld();
        work += takeCalls(nowNs);
        boolean waits = replies.handOver(work == 0, delay.load(), nowNs);
        // A site without other work sleeps until it is woken. A client may have read all replies before its calls were
        // held back.
        return waits || intake.mayRelease() && hasRoom() ? work + 1 : work;
    }

    private int takeReplies() {
        int count = 0;
        for (Execution ended = port.poll(); ended != null; ended = port.poll()) {
            count++;
            CallSlot slot = slots[ended.number()];
            if (ended.outcome().stale() && slot.attempts < STALE_RETRIES && again(ended, slot)) {
                continue;
            }
            if (slot.outbox.source.isOpen() && !(inCluster && isPassedOn(ended, slot))) {
                replies.reply(slot, ended);
            }
            answered(slot.outbox);
            end(ended, slot);
        }
        return count;
    }

    /** Another node leads the partition: the call goes there, unless it came from a node already. */
    private boolean isPassedOn(Execution ended, CallSlot slot) {
        CallSource source = slot.outbox.source;
        if (ended.outcome().error() != ErrorCode.MOVED || !source.passesOn()) {
            return false;
        }
        source.pass(slot.passed(admission.name(slot), ended.coordinator()));
        return true;
    }

    @Override
    public int hold(Execution ended) {
        CallSlot slot = slots[ended.number()];
        int ticket = replies.hold(slot, ended);
        end(ended, slot);
        return ticket;
    }

    @Override
    public void release(int ticket) {
        answered(replies.release(ticket));
        released++;
    }

    private void answered(Outbox outbox) {
        outbox.underWay--;
        underWay--;
    }

    private void end(Execution ended, CallSlot slot) {
        slot.outbox.expectedBytes -= slot.expectedBytes;
        count(-slot.bytes);
        slot.end();
        ended.outcome().result().release();
        port.release(ended);
    }

    private void count(long moreUnderWay) {
        bytesUnderWay += moreUnderWay;
        callBytes.set(bytesUnderWay);
    }

    /** A change of the schema overtook a call. Returns whether it is under way again. */
    private boolean again(Execution ended, CallSlot slot) {
        Work work = admission.readmit(slot);
        if (work == null) {
            return false;
        }
        slot.attempts++;
        port.renew(ended, work);
        submit(ended, slot, work);
        return true;
    }

    private boolean hasRoom() {
        return underWay < slots.length
                && replies.mayHoldMore()
                && callBytes.mayGrow()
                && port.hasFree()
                && port.waiting() < enoughWaiting;
    }

    private int takeCalls(long nowNs) {
        int count = 0;
        while (count < CALLS_PER_CYCLE && hasRoom() && intake.next()) {
            takeCall(nowNs);
            count++;
        }
        return count;
    }

    private void takeCall(long nowNs) {
        Execution filled = null;
        try {
            CallReader call = intake.call();
            delay.begun(nowNs - intake.arrivedNs(), nowNs);
            CallSlot slot = slot(port.nextNumber());
            slot.begin(intake.outbox(), call);
            slot.bytes = intake.callBytes();
            if (inCluster) {
                intake.keep(slot);
            }
            Work work = admission.admit(intake, slot, nowNs);
            if (work == null) {
                intake.rejected();
                return;
            }
            filled = port.acquire(work, 0);
            if (!admission.readArguments(intake, slot, work, filled.request().arguments())) {
                intake.rejected();
                return;
            }
            expectReply(slot);
            Execution begun = filled;
            filled = null;
            submit(begun, slot, work);
        } catch (MalformedMessageException malformed) {
            intake.endMalformed(malformed);
        } finally {
            if (filled != null) {
                port.release(filled);
            }
        }
    }

    private void expectReply(CallSlot slot) {
        underWay++;
        count(slot.bytes);
        slot.outbox.underWay++;
        slot.expectedBytes = replies.expectedBytes(slot.procedure);
        slot.outbox.expectedBytes += slot.expectedBytes;
        intake.expect(slot.expectedBytes);
    }

    private void submit(Execution execution, CallSlot slot, Work work) {
        execution.request().limitResult(maxResultBytes);
        long client = slot.outbox.source.clientId();
        if (client != 0 && !work.readOnly()) {
            execution.request().once(client, slot.sequence, slot.acknowledged);
        }
        port.submit(execution);
    }

    private CallSlot slot(int number) {
        CallSlot slot = slots[number];
        if (slot == null) {
            slot = new CallSlot();
            slots[number] = slot;
        }
        return slot;
    }

    /** Rejects all calls that were not run: their clients may send them to another node. */
    @Override
    public void onClose() {
        admission.refuseNew();
        while (takeReplies() > 0 || takeCalls(0) > 0) {
            continue;
        }
        replies.handOver(true, 0, 0);
    }
}
