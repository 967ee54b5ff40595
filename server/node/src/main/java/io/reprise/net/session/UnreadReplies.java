package io.reprise.net.session;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of replies on their way to one client, and whether it reads them. A client with much to read gets no more calls run; one
 * with too much, that reads nothing for a while, is disconnected.
 */
public final class UnreadReplies {
    private static final long NS_PER_MS = 1_000_000;

    /** The connection, as its unread replies see it. Any thread. */
    public interface Reader {
        /** Ends the connection at once. */
        void cutOff(String why);

        /** The client has read on, or memory is back: sites look again at the calls that they hold back. */
        void mayGoOn();
    }

    private final ReplyMemory memory;
    private final Reader reader;
    private final int unreadBytes;
    private final long maxUnreadBytes;
    private final long patienceNs;
    private final AtomicLong bytes = new AtomicLong();

    /** The loop's: bytes gone to the socket so far, that number at the last check, and the time of its last change. */
    private long gone;

    private long seen;
    private volatile long sinceNs;

    /** A client that has nothing to read yet. */
    public UnreadReplies(ReplyMemory memory, SessionLimits limits, long patienceMs, Reader reader, long nowNs) {
        this.memory = memory;
        this.reader = reader;
        unreadBytes = limits.unreadBytes();
        maxUnreadBytes = limits.maxUnreadBytes();
        patienceNs = patienceMs * NS_PER_MS;
        sinceNs = nowNs;
    }

    /** Any thread: the number of bytes. */
    public long bytes() {
        return bytes.get();
    }

    /**
     * Any thread: the bytes of replies that may be added; below zero: no more calls should be run. Expected bytes count less than
     * encoded ones, because they may turn out to be fewer, and short calls should not wait for long ones.
     *
     * @param encoded the bytes encoded and not sent yet
     * @param expected the bytes that the replies of calls under way may have
     */
    public long room(long encoded, long expected) {
        long now = bytes.get();
        if (now > 0 && memory.isScarce()) {
            return -1;
        }
        long there = now + encoded;
        return Math.min(unreadBytes - there, maxUnreadBytes / 2 - there - expected);
    }

    /** Any thread: adds bytes that were handed over for sending. */
    public void add(int more) {
        bytes.addAndGet(more);
        memory.add(more);
    }

    /** The loop: removes bytes that went to the socket or never will. Returns whether few are left. */
    public boolean take(int less) {
        gone += less;
        long before = bytes.getAndAdd(-less);
        long now = before - less;
        boolean memoryIsBack = memory.take(less);
        boolean few = now <= unreadBytes;
        if (memoryIsBack || few && before > unreadBytes || now == 0 && memory.isScarce()) {
            reader.mayGoOn();
        }
        return few;
    }

    /**
     * The loop, from time to time: whether the client has left too much unread and has read nothing for its patience. When memory is
     * scarce, any unread byte is too much.
     */
    public boolean areStuck(Channel channel, long nowNs) {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        if (waiting == null) {
            return false;
        }
        long unread = bytes.get();
        // A long frame leaves piece by piece, and an encrypted one is several writes of the socket.
        long now = gone + waiting.currentProgress() - waiting.totalPendingWriteBytes();
        if (now != seen || unread == 0) {
            seen = now;
            sinceNs = nowNs;
        }
        return unread > (memory.isScarce() ? 0 : maxUnreadBytes) && nowNs - sinceNs > patienceNs;
    }

    /** Any thread: whether the client has something to read and has read nothing for that long. */
    boolean areUntouched(long nowNs, long forNs) {
        return bytes.get() > 0 && nowNs - sinceNs > forNs;
    }

    void cutOff(String why) {
        reader.cutOff(why);
    }
}
