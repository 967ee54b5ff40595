package io.reprise.client;

import io.netty.channel.Channel;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.Utf8;
import io.reprise.wire.message.Welcome;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongConsumer;

/**
 * The sending side of a connection. Callers encode their calls behind each other, in frames by partition. The network thread sends the
 * frames that have come together while it was busy. So frames grow with the load, and a single call doesn't wait.
 *
 * <p>Callers and the network thread share its state, guarded by its monitor. No thread holds the monitor for longer than it takes to
 * encode a call; callers that wait for room release it.
 */
final class CallSender {
    /** The remaining time of a call for which there is no room. */
    private static final long NO_ROOM = -1;

    private static final long NS_PER_MS = 1_000_000;

    private final ClientSettings settings;
    private final Sequences sequences;
    private final Counters counters;
    private final Runnable flush;

    private Channel channel;
    private boolean open;
    private CallTable calls;
    private CallBatches batches;
    private Routes routes = new Routes();
    private boolean flushDue;
    private boolean reading;
    private int waiting;
    private int maxFrameBytes;

    /**
     * Nothing can be sent yet.
     *
     * @param flush has the network thread call {@link #flush}
     */
    CallSender(ClientSettings settings, Sequences sequences, Counters counters, Runnable flush) {
        this.settings = settings;
        this.sequences = sequences;
        this.counters = counters;
        this.flush = flush;
    }

    /** The network thread: the server has welcomed the client, so calls may be sent. Returns the table of calls. */
    synchronized CallTable open(Channel now, Welcome welcome) {
        channel = now;
        int most = welcome.getMaxCalls() == 0 ? settings.maxCalls() : welcome.getMaxCalls();
        calls = new CallTable(Math.min(settings.maxCalls(), most));
        maxFrameBytes = welcome.getMaxFrameBytes();
        routes = new Routes(ProcedureRoute.partitions(welcome.getPartitionOfBucketList()));
        batches = new CallBatches(routes.partitions(), maxFrameBytes, sequences);
        open = true;
        return calls;
    }

    /** The connection has ended: nothing is sent any more, and waiting callers fail. */
    synchronized void close() {
        open = false;
        notifyAll();
    }

    synchronized boolean isOpen() {
        return open;
    }

    /** Sends a call; see {@link Connection#call}. */
    boolean call(
            RemoteProcedure procedure,
            ArgumentWriter arguments,
            long sequence,
            long timeoutNs,
            ReplyHandler handler,
            long cookie) {
        boolean schedule;
        synchronized (this) {
            checkLength(arguments.length());
            long leftNs = awaitRoom(timeoutNs);
            if (leftNs == NO_ROOM) {
                return false;
            }
            try {
                begin(procedure, arguments, sequence, leftNs, handler, cookie);
            } catch (RuntimeException | Error notBegun) {
                wakeWaiting();
                throw notBegun;
            }
            counters.calls.increment();
            schedule = scheduleFlush();
        }
        if (schedule) {
            flushSoon();
        }
        return true;
    }

    private void begin(
            RemoteProcedure procedure,
            ArgumentWriter arguments,
            long sequence,
            long leftNs,
            ReplyHandler handler,
            long cookie) {
        ProcedureRoute route = routes.route(procedure);
        if (route == null) {
            throw Connection.notOpen();
        }
        handler.sending();
        int batch = routes.batch(route, arguments);
        long id = calls.begin(handler, cookie, leftNs, arguments.length());
        try {
            batches.call(batch, id, route.handle(), timeoutMs(leftNs), sequence, arguments);
        } catch (RuntimeException | Error noMemory) {
            takeBack(id);
            throw noMemory;
        }
    }

    /** Sends a statement; see {@link Connection#call}. */
    boolean statement(String sql, ArgumentWriter arguments, int rows, long timeoutNs, ReplyHandler handler) {
        int length = arguments.length() + Utf8.length(sql);
        return sendAlone(length, timeoutNs, handler, id -> batches.statement(id, sql, arguments, rows));
    }

    /** Sends a change of the schema; see {@link Connection#call}. */
    boolean change(byte[] script, byte[] jar, long timeoutNs, ReplyHandler handler) {
        return sendAlone(0, timeoutNs, handler, id -> batches.change(id, script, jar));
    }

    /** Sends a request that has frames of its own. */
    private boolean sendAlone(int length, long timeoutNs, ReplyHandler handler, LongConsumer append) {
        boolean schedule;
        synchronized (this) {
            checkLength(length);
            long leftNs = awaitRoom(timeoutNs);
            if (leftNs == NO_ROOM) {
                return false;
            }
            long id = calls.begin(handler, 0, leftNs, length);
            try {
                append.accept(id);
            } catch (RuntimeException | Error noMemory) {
                takeBack(id);
                wakeWaiting();
                throw noMemory;
            }
            counters.calls.increment();
            schedule = scheduleFlush();
        }
        if (schedule) {
            flushSoon();
        }
        return true;
    }

    /** A call that has begun is not sent after all: its place is free again. */
    private void takeBack(long id) {
        calls.end(calls.find(id));
    }

    /**
     * Waits for room if the settings say so, at most for the call's time. The network thread never waits, because it makes
     * room. A call that a handler makes takes the place of the ended call. A further one finds room if the settings say that callers
     * wait.
     *
     * @param timeoutNs 0: the call has no timeout
     * @return the remaining time, or {@link #NO_ROOM}
     */
    private long awaitRoom(long timeoutNs) {
        if (open && calls.window().hasRoom()) {
            return timeoutNs;
        }
        long leftNs = timeoutNs;
        if (open && channel.eventLoop().inEventLoop()) {
            CallWindow window = calls.window();
            leftNs = window.takeKeptPlace() || settings.waitForRoom() && window.hasPlace() ? timeoutNs : NO_ROOM;
        } else if (open) {
            leftNs = settings.waitForRoom() ? waitForRoom(timeoutNs) : NO_ROOM;
        }
        if (!open) {
            throw Connection.notOpen();
        }
        return leftNs;
    }

    /** The network thread: whether one more of the parked calls finds room. */
    synchronized boolean takesParked() {
        return open
                && (calls.window().hasRoom()
                        || settings.waitForRoom() && calls.window().hasPlace());
    }

    private long waitForRoom(long timeoutNs) {
        long deadlineNs = System.nanoTime() + timeoutNs;
        long leftNs = timeoutNs;
        boolean interrupted = false;
        while (leftNs != NO_ROOM && open && !calls.window().hasRoom()) {
            waiting++;
            try {
                wait(timeoutNs == 0 ? 0 : leftNs / NS_PER_MS + 1);
            } catch (InterruptedException e) {
                interrupted = true;
            } finally {
                waiting--;
            }
            if (timeoutNs != 0) {
                long untilNs = deadlineNs - System.nanoTime();
                leftNs = untilNs > 0 ? untilNs : NO_ROOM;
            }
        }
        if (leftNs == NO_ROOM && open) {
            // It may have been woken for room that it leaves to others.
            wakeWaiting();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return leftNs;
    }

    /** Checked first, because a call that is too long needs no room. */
    private void checkLength(int bytes) {
        if (!open) {
            throw Connection.notOpen();
        }
        if (!batches.canTake(bytes)) {
            throw new CallTooLongException("the call has " + bytes + " bytes, and the server takes frames of "
                    + maxFrameBytes + " bytes at most; the call was not sent");
        }
    }

    private static int timeoutMs(long timeoutNs) {
        return timeoutNs == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, timeoutNs / NS_PER_MS + 1);
    }

    /** While the network thread reads, it flushes by itself when it has read everything. */
    private boolean scheduleFlush() {
        if (flushDue) {
            return false;
        }
        flushDue = true;
        return !(reading && channel.eventLoop().inEventLoop());
    }

    /** Called without the monitor, because it wakes the network thread. */
    private void flushSoon() {
        try {
            channel.eventLoop().execute(flush);
        } catch (RejectedExecutionException closed) {
            // The connection has ended since the call was begun; its handler is told.
        }
    }

    /** The network thread: sends the frames that have come together. */
    void flush(FrameSender sender) {
        synchronized (this) {
            flushDue = false;
            batches.take();
        }
        batches.sendTaken(sender);
    }

    /** The network thread: it begins to read. */
    void reading() {
        reading = true;
    }

    /** The network thread: it has read everything, so waiting callers may find room. Returns whether a flush is due. */
    boolean hasRead() {
        reading = false;
        synchronized (this) {
            wakeWaiting();
            return flushDue;
        }
    }

    /** Wakes as many callers as there is room for; there may be thousands. */
    private void wakeWaiting() {
        if (waiting > 0 && calls.window().isRoomy()) {
            for (int i = Math.min(waiting, calls.window().room()); i > 0; i--) {
                notify();
            }
        }
    }

    /** The server has told how the procedure is called. */
    synchronized void add(RemoteProcedure procedure, ProcedureRoute route) {
        routes.add(procedure, route);
    }

    /** Whether calls of the procedure can be sent. */
    synchronized boolean knows(RemoteProcedure procedure) {
        return open && routes.route(procedure) != null;
    }

    synchronized int partitionOf(long value) {
        return routes.partitionOf(value);
    }

    synchronized int partitions() {
        return routes.partitions();
    }
}
