package io.reprise.command;

import io.reprise.runtime.time.SystemClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Standard output or standard error of a node, for threads that may not wait: the log's writer, a network thread. The reader may
 * stop, as a pager does, a terminal after Ctrl-S, or a stuck collector. Then lines wait here up to a bound. Further lines are dropped and
 * counted, and the count is logged when half of the room is free again. A thread of its own writes.
 */
final class NodeOutput extends OutputStream {
    private static final int ROOM = 1 << 20;

    private final OutputStream to;
    private final int room;
    private final LongConsumer leftOut;
    private final Queue<byte[]> waiting = new ArrayDeque<>();

    /** Of those that wait and the one that is being written. */
    private int bytes;

    private boolean leavesOut;
    private long linesLeftOut;

    private NodeOutput(OutputStream to, int room, LongConsumer leftOut) {
        this.to = to;
        this.room = room;
        this.leftOut = leftOut;
    }

    /**
     * An output, and the thread that writes it.
     *
     * @param to the destination
     * @param room bytes that may wait
     * @param leftOut told how many lines were left out, when there is room to write so
     */
    static NodeOutput open(String name, OutputStream to, int room, LongConsumer leftOut) {
        NodeOutput output = new NodeOutput(to, room, leftOut);
        Thread.ofPlatform().daemon().name("reprise-" + name).start(output::writeAll);
        return output;
    }

    /** The same with the usual room. */
    static NodeOutput open(String name, OutputStream to, LongConsumer leftOut) {
        return open(name, to, ROOM, leftOut);
    }

    /** To print to it. */
    PrintStream stream(PrintStream like) {
        return new PrintStream(this, true, like.charset());
    }

    @Override
    public void write(int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] source, int from, int length) {
        // Once something is left out all is, until that can be told of in its place.
        if (leavesOut || bytes >= room) {
            leavesOut = true;
            linesLeftOut += lines(source, from, length);
            return;
        }
        byte[] copy = new byte[length];
        System.arraycopy(source, from, copy, 0, length);
        waiting.add(copy);
        bytes += length;
        notifyAll();
    }

    private static int lines(byte[] source, int from, int length) {
        int count = 0;
        for (int i = from; i < from + length; i++) {
            count += source[i] == '\n' ? 1 : 0;
        }
        return count;
    }

    private void writeAll() {
        try {
            while (true) {
                byte[] next = next();
                passOn(next);
                long lines = written(next.length);
                if (lines > 0) {
                    tell(lines);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void passOn(byte[] next) {
        try {
            to.write(next);
            to.flush();
        } catch (IOException e) {
            // The reader is gone, so the failure can't be reported.
        } catch (RuntimeException | OutOfMemoryError e) {
            notToldOf(lines(next, 0, next.length));
        }
    }

    private void tell(long lines) {
        try {
            leftOut.accept(lines);
        } catch (RuntimeException | OutOfMemoryError e) {
            notToldOf(lines);
        }
    }

    /** A node that has no memory for its words now may have some later, and goes on; this thread has to as well. */
    private synchronized void notToldOf(long lines) {
        linesLeftOut += lines;
    }

    private synchronized byte[] next() throws InterruptedException {
        while (waiting.isEmpty()) {
            wait();
        }
        return waiting.remove();
    }

    /** Returns how many lines have to be told of now. */
    private synchronized long written(int length) {
        bytes -= length;
        notifyAll();
        if (bytes > room / 2) {
            return 0;
        }
        long lines = linesLeftOut;
        linesLeftOut = 0;
        leavesOut = false;
        return lines;
    }

    /** Waits until everything is written, and no longer than that; for the end of the process. */
    synchronized boolean awaitWritten(long mostMs) throws InterruptedException {
        long beganNs = SystemClock.INSTANCE.nanoTime();
        while (bytes > 0) {
            long leftMs = mostMs - TimeUnit.NANOSECONDS.toMillis(SystemClock.INSTANCE.nanoTime() - beganNs);
            if (leftMs <= 0) {
                return false;
            }
            wait(leftMs);
        }
        return true;
    }
}
