package io.reprise.net.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of replies are on their way to one client, and whether it takes them. Whoever has much to read gets no more before it
 * has read; who has too much, and reads nothing for a while, is not waited for.
 */
final class UnreadReplies {
    private final ClientListener listener;
    private final ListenerSettings settings;
    private final AtomicLong bytes = new AtomicLong();

    /** The loop's: how many have gone to the socket so far, what that was when it was looked at last, and when it had changed. */
    private long gone;

    private long seen;
    private volatile long sinceNs;

    UnreadReplies(ClientListener listener) {
        this.listener = listener;
        settings = listener.settings();
        sinceNs = listener.nowNs();
    }

    /** Any thread: how many there are. */
    long bytes() {
        return bytes.get();
    }

    /**
     * Any thread: how many bytes of replies may come on top; less than none: nothing more should be run. What is only expected may be
     * more than what there is: it may turn out to be less, and calls are not to wait for others that take long.
     *
     * @param encoded how many there are besides those on their way
     * @param expected about how many calls that are under way will have
     */
    long room(long encoded, long expected) {
        long now = bytes.get();
        if (now > 0 && listener.hasMuchUnread()) {
            return -1;
        }
        long there = now + encoded;
        return Math.min(settings.unreadBytes() - there, settings.maxUnreadBytes() / 2 - there - expected);
    }

    /** Any thread: as many more are handed over. */
    void add(int more) {
        bytes.addAndGet(more);
        listener.unread(more);
    }

    /** The loop: as many have gone to the socket, or will never go. Returns whether there are few now. */
    boolean take(int less) {
        gone += less;
        long before = bytes.getAndAdd(-less);
        long now = before - less;
        boolean memoryIsBack = listener.read(less);
        boolean few = now <= settings.unreadBytes();
        if (memoryIsBack || few && before > settings.unreadBytes() || now == 0 && listener.hasMuchUnread()) {
            listener.wakeSites();
        }
        return few;
    }

    /**
     * The loop, from time to time: whether the client has left too much unread, and has read nothing of it for too long. Where all have
     * much unread, anything is too much.
     */
    boolean areStuck(Channel channel, long nowNs) {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        if (waiting == null) {
            return false;
        }
        long unread = bytes.get();
        // A long frame goes piece by piece, and an encrypted one is several of the socket's.
        long now = gone + waiting.currentProgress() - waiting.totalPendingWriteBytes();
        if (now != seen || unread == 0) {
            seen = now;
            sinceNs = nowNs;
        }
        return unread > (listener.hasMuchUnread() ? 0 : settings.maxUnreadBytes())
                && nowNs - sinceNs > settings.patienceMs() * 1_000_000;
    }

    /** Any thread: whether the client has read nothing for that long, of what it has to read. */
    boolean areUntouched(long nowNs, long forNs) {
        return bytes.get() > 0 && nowNs - sinceNs > forNs;
    }
}
