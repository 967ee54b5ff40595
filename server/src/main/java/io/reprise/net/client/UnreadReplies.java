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
    private long sinceNs;

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
     * Any thread: how many bytes of replies may come on top; less than none: nothing more should be run.
     *
     * @param coming about how many are known to come besides those on their way
     */
    long room(long coming) {
        long now = bytes.get();
        return now > 0 && listener.hasMuchUnread() ? -1 : settings.unreadBytes() - now - coming;
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

    /** The loop, from time to time: whether the client has left too much unread, and has read nothing of it for too long. */
    boolean areStuck(Channel channel, long nowNs) {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        if (waiting == null) {
            return false;
        }
        // A long frame goes piece by piece, and an encrypted one is several of the socket's.
        long now = gone + waiting.currentProgress() - waiting.totalPendingWriteBytes();
        if (now != seen || bytes.get() <= settings.maxUnreadBytes()) {
            seen = now;
            sinceNs = nowNs;
        }
        return nowNs - sinceNs > settings.patienceMs() * 1_000_000;
    }
}
