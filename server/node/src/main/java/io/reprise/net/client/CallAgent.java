package io.reprise.net.client;

import io.reprise.execution.Invocation;
import io.reprise.execution.Work;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.txn.initiator.ClientPort;
import io.reprise.wire.CallReader;
import io.reprise.wire.MalformedMessageException;
import io.reprise.wire.message.Failure;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes transactions of the calls that clients send, and replies of what comes of them, on a site's own thread: a call is
 * decoded when the site is about to run it, into an invocation that is used again, and a reply is encoded behind the others
 * of its connection. Only whole frames pass between the network's threads and this one.
 *
 * <p>A reply that has to wait for the log is encoded when its transaction ends, and copied to its connection when it may leave.
 *
 * <p>Calls stay in their frames while {@link ClientPort} has no invocation free or enough wait to be stamped, and frames in
 * a bounded ring. Replies of a connection are handed over when its last ones have gone out, or when they are many: so
 * frames grow with the load, and a single reply doesn't wait.
 *
 * <p>Owned by the site's thread; {@link #offer} and {@link #refuseNew} are for others.
 */
final class CallAgent implements Agent, ClientPort.Holder {
    /** Decoding much ahead of running only empties the processor's caches. */
    private static final int ENOUGH_WAITING = 64;

    private static final int CALLS_PER_CYCLE = 32;
    private static final int STALE_RETRIES = 10;
    private static final long NS_PER_MS = 1_000_000;

    private final int site;
    private final ClientPort port;
    private final ProcedureHandles handles;
    private final int callsPerConnection;
    private final int maxResultBytes;

    /** Replies that wait for the log, and calls that are under way with what their arguments have become: an array can be twenty times as long. */
    private final SharedBytes heldBytes;

    private final SharedBytes callBytes;
    private final MpscRing<CallFrame> inbound;
    /** By the numbers of their invocations; made when they are needed. */
    private final CallSlot[] slots;

    private final HeldReplies held;
    private final CallReader reader = new CallReader();
    private final QueueDelay delay = new QueueDelay();
    private final ReplyFrames replies;
    private final ReplyLengths lengths;
    private final UntoldOutcomes untold;
    private final List<Outbox> heldBack = new ArrayList<>();
    private Work[] works = new Work[16];
    /** How many calls were not answered yet. */
    private int underWay;

    private long bytesUnderWay;
    private int released;
    private CallFrame frame;

    /** How many bytes of replies may still be expected of the frame's connection; none: it has to be looked at. */
    private long allowance;

    private MemorySegment frameSegment;
    private volatile boolean refusesNew;

    /**
     * An agent.
     *
     * @param heldBytes bytes of replies that wait for the log
     * @param callBytes bytes of calls that are under way
     * @param untold tells of outcomes that could not be made replies
     */
    CallAgent(
            int site,
            ClientPort port,
            ProcedureHandles handles,
            ListenerSettings settings,
            SharedBytes heldBytes,
            SharedBytes callBytes,
            UntoldOutcomes untold) {
        this.site = site;
        this.port = port;
        this.handles = handles;
        callsPerConnection = settings.callsPerConnection();
        maxResultBytes = settings.maxResultBytes();
        this.heldBytes = heldBytes;
        this.callBytes = callBytes;
        this.untold = untold;
        lengths = new ReplyLengths();
        inbound = new MpscRing<>(settings.framesPerSite(), port.waker());
        slots = new CallSlot[settings.callsPerSite()];
        EncodedColumns columns = new EncodedColumns();
        held = new HeldReplies(maxResultBytes, columns);
        replies = new ReplyFrames(maxResultBytes, columns);
        port.holdBy(this);
    }

    @Override
    public String roleName() {
        return "calls-" + site;
    }

    /** Any thread: hands over a frame of calls with those that follow it; false if too many wait. */
    boolean offer(CallFrame newFrame) {
        return inbound.offer(newFrame);
    }

    /** Any thread: a client has read what kept its calls from being run. */
    void wake() {
        if (port.waker() != null) {
            port.waker().wake();
        }
    }

    /** Any thread: calls that have not begun are refused from now on, because the server ends. */
    void refuseNew() {
        refusesNew = true;
    }

    @Override
    public int doWork(long nowNs) {
        int work = released + takeReplies();
        released = 0;
        heldBytes.are(held.bytes());
        work += takeCalls(nowNs);
        boolean waits = replies.handOver(work == 0, delay.load(), nowNs);
        // A site that did nothing else would not come again before it is woken.
        return waits || mayRelease() ? work + 1 : work;
    }

    /** What has just been handed over may have been read already, before anybody saw that it was too much. */
    private boolean mayRelease() {
        for (int i = 0; i < heldBack.size() && hasRoom(); i++) {
            if (!isCongested(heldBack.get(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCongested(Outbox outbox) {
        return room(outbox) < 0;
    }

    /** Looked at again only when it is used up: others write to what it depends on. */
    private boolean hasAllowance() {
        Outbox outbox = frame.connection.outbox(site);
        allowance = 1 + room(outbox);
        return allowance > 0;
    }

    private static long room(Outbox outbox) {
        return outbox.connection.unread().room(outbox.encodedBytes(), outbox.expectedBytes);
    }

    private int takeReplies() {
        int count = 0;
        for (Invocation ended = port.poll(); ended != null; ended = port.poll()) {
            count++;
            CallSlot slot = slots[ended.number()];
            if (ended.stale() && slot.attempts < STALE_RETRIES && again(ended, slot)) {
                continue;
            }
            if (slot.outbox.connection.isOpen()) {
                reply(slot, ended);
            }
            answered(slot.outbox);
            end(ended, slot);
        }
        return count;
    }

    private void reply(CallSlot slot, Invocation ended) {
        ResultWriter to;
        try {
            to = replies.of(slot.outbox);
        } catch (OutOfMemoryError noMemory) {
            tell(slot.outbox, noMemory, false);
            return;
        }
        int before = to.bytes().length();
        tell(slot.outbox, to.ended(slot.id, ended), to.bytes().length() > before);
        lengths.saw(slot.procedure, to.bytes().length() - before);
    }

    @Override
    public void held(Invocation ended) {
        CallSlot slot = slots[ended.number()];
        Throwable problem = held.add(slot.outbox, slot.id, ended);
        int length = held.lastLength();
        tell(slot.outbox, problem, length > 0);
        lengths.saw(slot.procedure, length);
        end(ended, slot);
    }

    /** Whoever waits for what can't even be said to be missing must not wait in vain. */
    private void tell(Outbox outbox, Throwable problem, boolean replied) {
        if (problem != null) {
            untold.tell(outbox.connection, problem, replied);
        }
    }

    @Override
    public void firstHeldAreDurable(int count) {
        for (int i = 0; i < count; i++) {
            replyFirstHeld();
        }
        released += count;
    }

    private void replyFirstHeld() {
        Outbox outbox = held.first();
        if (outbox.connection.isOpen()) {
            try {
                held.copyFirst(replies.of(outbox).bytes());
            } catch (OutOfMemoryError noMemory) {
                tell(outbox, noMemory, false);
            }
        }
        held.removeFirst();
        answered(outbox);
    }

    private void answered(Outbox outbox) {
        outbox.underWay--;
        underWay--;
    }

    private void end(Invocation ended, CallSlot slot) {
        slot.outbox.expectedBytes -= slot.expectedBytes;
        count(-slot.bytes);
        slot.end();
        ended.result().release();
        port.release(ended);
    }

    private void count(long moreUnderWay) {
        bytesUnderWay += moreUnderWay;
        callBytes.are(bytesUnderWay);
    }

    /** A change of the schema overtook a call. Returns whether it is under way again. */
    private boolean again(Invocation ended, CallSlot slot) {
        Work work = work(slot.procedure);
        if (work == null || !mayCall(slot.outbox.connection, work)) {
            return false;
        }
        slot.attempts++;
        port.renew(ended, work);
        begin(ended, slot, work);
        return true;
    }

    private boolean hasRoom() {
        return underWay < slots.length
                && heldBytes.mayBeMore()
                && callBytes.mayBeMore()
                && port.hasFree()
                && port.waiting() < ENOUGH_WAITING;
    }

    private int takeCalls(long nowNs) {
        int count = 0;
        while (count < CALLS_PER_CYCLE && hasRoom()) {
            if (frame == null && !nextFrame()) {
                break;
            }
            if (!frame.connection.isOpen()) {
                endFrame();
            } else if (allowance <= 0 && !hasAllowance()) {
                holdBack();
            } else if (takeCall(nowNs)) {
                count++;
            }
        }
        return count;
    }

    /** The first frame that waits, unless others of its connection are held back: then it goes behind them. */
    private boolean nextFrame() {
        CallFrame found = heldBack.isEmpty() ? null : releasedFrame();
        while (found == null) {
            found = inbound.poll();
            if (found == null) {
                return false;
            }
            Outbox outbox = found.connection.outbox(site);
            if (outbox.holdsBack()) {
                outbox.holdBack(found);
                found = null;
            }
        }
        begin(found);
        return true;
    }

    private void begin(CallFrame next) {
        frame = next;
        frameSegment = null;
        allowance = 0;
        reader.over(frame.bytes, frame.next, frame.bytes.length - frame.next);
    }

    /** A frame that was held back and need not be any more: its client has read on, or has gone. */
    private CallFrame releasedFrame() {
        for (int i = 0; i < heldBack.size(); i++) {
            Outbox outbox = heldBack.get(i);
            if (!isCongested(outbox) || !outbox.connection.isOpen()) {
                CallFrame released = outbox.takeHeldBack();
                if (!outbox.holdsBack()) {
                    heldBack.remove(i);
                }
                return released;
            }
        }
        return null;
    }

    /** The client leaves its replies unread: it gets no more of them before it has read these, and others go on. */
    private void holdBack() {
        frame.next = reader.position();
        Outbox outbox = frame.connection.outbox(site);
        if (outbox.holdsBack()) {
            // It was taken from the front, and goes there again: the others follow behind it.
            outbox.holdBackFirst(frame);
        } else {
            outbox.holdBack(frame);
            heldBack.add(outbox);
        }
        frame = null;
    }

    /** Returns whether there was a call. */
    private boolean takeCall(long nowNs) {
        Invocation filled = null;
        try {
            int from = reader.position();
            if (!reader.next()) {
                endFrame();
                return false;
            }
            delay.begun(nowNs - frame.arrivedNs, nowNs);
            CallSlot slot = slot(port.nextNumber());
            slot.begin(frame.connection.outbox(site), reader);
            slot.bytes = (long) reader.position() - from;
            Work work = admit(slot, nowNs);
            if (work == null) {
                // The refusal is a reply, too, though nobody has expected it.
                allowance = 0;
                return true;
            }
            filled = port.acquire(work, 0);
            if (!readArguments(filled, slot)) {
                allowance = 0;
                return true;
            }
            underWay++;
            count(slot.bytes);
            slot.outbox.underWay++;
            slot.expectedBytes = lengths.expected(slot.procedure);
            slot.outbox.expectedBytes += slot.expectedBytes;
            allowance -= slot.expectedBytes;
            Invocation begun = filled;
            filled = null;
            begin(begun, slot, work);
            return true;
        } catch (MalformedMessageException malformed) {
            frame.connection.closeMalformed(malformed.getMessage());
            endFrame();
            return false;
        } finally {
            if (filled != null) {
                port.release(filled);
            }
        }
    }

    private void begin(Invocation invocation, CallSlot slot, Work work) {
        invocation.limitResult(maxResultBytes);
        long client = slot.outbox.connection.clientId();
        if (client != 0 && !work.readOnly()) {
            invocation.once(client, slot.sequence, slot.acknowledged);
        }
        port.submit(invocation);
    }

    private CallSlot slot(int number) {
        CallSlot slot = slots[number];
        if (slot == null) {
            slot = new CallSlot();
            slots[number] = slot;
        }
        return slot;
    }

    /** What the call runs; null if it was refused. */
    private Work admit(CallSlot slot, long nowNs) {
        if (refusesNew) {
            refuse(slot, ErrorCode.SHUTTING_DOWN, "the server is closing; the call was not run");
            return null;
        }
        if (slot.outbox.underWay >= callsPerConnection) {
            refuse(
                    slot,
                    ErrorCode.OVERLOADED,
                    callsPerConnection + " calls of this connection are under way already; wait for replies");
            return null;
        }
        long timeoutMs = reader.timeoutMs();
        if (timeoutMs != 0 && nowNs - frame.arrivedNs > timeoutMs * NS_PER_MS) {
            refuse(
                    slot,
                    Failure.Code.DEADLINE_PASSED_VALUE,
                    "the call waited longer than its timeout of " + timeoutMs + " ms and was not run",
                    true);
            return null;
        }
        Work work = work(slot.procedure);
        if (work == null) {
            String name = handles.name(slot.procedure);
            refuse(
                    slot,
                    ErrorCode.INVALID_REQUEST,
                    name == null
                            ? "no procedure has the number " + slot.procedure + "; ask for it by its name first"
                            : "procedure " + name + " was dropped");
        } else if (!mayCall(frame.connection, work)) {
            frame.connection.refusedRequest();
            String message = ClientListener.notPermitted(frame.connection.user(), work);
            refuse(slot, Failure.Code.NOT_PERMITTED_VALUE, message, false);
            return null;
        }
        return work;
    }

    private static boolean mayCall(ClientConnection connection, Work work) {
        return connection.user().rights().calls(work.name(), work.readOnly());
    }

    private Work work(int handle) {
        if (handle < works.length) {
            Work known = works[handle];
            if (known != null && !known.retired()) {
                return known;
            }
        }
        Work found = handles.work(handle);
        if (found != null) {
            if (handle >= works.length) {
                works = java.util.Arrays.copyOf(works, 2 * handle);
            }
            works[handle] = found;
        }
        return found;
    }

    private void refuse(CallSlot slot, ErrorCode code, String message) {
        refuse(slot, FailureCodes.of(code), message, code.retryable());
    }

    /** Where there is no memory even for this, only that client is to suffer from it. */
    private void refuse(CallSlot slot, int code, String message, boolean retryIsSafe) {
        try {
            replies.of(slot.outbox).refused(slot.id, code, message, retryIsSafe);
        } catch (OutOfMemoryError noMemory) {
            tell(slot.outbox, noMemory, false);
        }
    }

    /** Returns false if the call was refused: for how many arguments it has, or for one that this version does not know. */
    private boolean readArguments(Invocation invocation, CallSlot slot) {
        int count = reader.arguments();
        try {
            invocation.work().checkCount(count);
        } catch (ProcedureException wrong) {
            refuse(slot, wrong.code(), wrong.getMessage());
            return false;
        }
        try {
            int unknown = ArgumentReading.read(reader, invocation.arguments(), slot, frameSegment());
            if (unknown != 0) {
                refuse(
                        slot,
                        ErrorCode.INVALID_VALUE,
                        "argument " + unknown + " is of a kind that this server does not know; it may be older than the"
                                + " client");
            }
            return unknown == 0;
        } catch (OutOfMemoryError noMemory) {
            // What was read goes with the invocation. Nobody but this call is to suffer from it.
            refuse(
                    slot,
                    ErrorCode.OVERLOADED,
                    "the server has no memory left for the call's arguments; try again later");
            return false;
        }
    }

    private MemorySegment frameSegment() {
        if (frameSegment == null) {
            frameSegment = MemorySegment.ofArray(frame.bytes);
        }
        return frameSegment;
    }

    private void endFrame() {
        CallFrame following = frame.following;
        frame.connection.taken(frame);
        frame = null;
        if (following != null) {
            begin(following);
        }
    }

    /** Whatever was not run is refused: the client may send it to another node. */
    @Override
    public void onClose() {
        refusesNew = true;
        while (takeReplies() > 0 || takeCalls(0) > 0) {
            continue;
        }
        replies.handOver(true, 0, 0);
    }
}
