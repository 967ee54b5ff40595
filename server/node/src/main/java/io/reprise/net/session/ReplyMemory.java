package io.reprise.net.session;

import io.reprise.runtime.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The memory of all clients' unread replies, of replies that wait for the log, and of calls under way. When clients leave too much unread, the one with most of it is disconnected. Any thread.
 */
public final class ReplyMemory {
    /** A client that has read nothing for this long is disconnected before clients that read. */
    private static final long UNTOUCHED_NS = 1_000_000_000;

    private final long maxUnreadBytes;
    private final Clock clock;
    private final Set<UnreadReplies> clients = ConcurrentHashMap.newKeySet();
    private final AtomicLong unreadBytes = new AtomicLong();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong callBytes = new AtomicLong();

    /** The client being disconnected; one at a time, because it takes a moment until the memory is back. */
    private final AtomicReference<UnreadReplies> ending = new AtomicReference<>();

    /** No client yet. */
    public ReplyMemory(long maxUnreadBytes, Clock clock) {
        this.maxUnreadBytes = maxUnreadBytes;
        this.clock = clock;
    }

    /** The bytes of replies that wait for the log, of one more site. */
    public SharedBytes held() {
        return new SharedBytes(heldBytes, maxUnreadBytes / 2);
    }

    /** The bytes of calls under way, of one more site. */
    public SharedBytes calls() {
        return new SharedBytes(callBytes, maxUnreadBytes / 4);
    }

    /** A client has connected. */
    public void add(UnreadReplies client) {
        clients.add(client);
    }

    /** A client has gone. */
    public void remove(UnreadReplies client) {
        clients.remove(client);
        ending.compareAndSet(client, null);
    }

    /** Whether clients with unread replies should get no more of them. */
    boolean isScarce() {
        return unreadBytes.get() > maxUnreadBytes / 2;
    }

    /** Counts bytes that were sent to a client and not read yet. */
    void add(int bytes) {
        if (unreadBytes.addAndGet(bytes) > maxUnreadBytes) {
            endWorst();
        }
    }

    /** Counts bytes that left. Returns whether memory has just stopped to be scarce. */
    boolean take(int bytes) {
        long before = unreadBytes.getAndAdd(-bytes);
        return before > maxUnreadBytes / 2 && before - bytes <= maxUnreadBytes / 2;
    }

    private void endWorst() {
        if (ending.get() != null) {
            return;
        }
        long nowNs = clock.nanoTime();
        UnreadReplies worst = null;
        for (UnreadReplies client : clients) {
            if (worst == null || isWorse(client, worst, nowNs)) {
                worst = client;
            }
        }
        if (worst != null && ending.compareAndSet(null, worst)) {
            worst.cutOff("all clients together have left more than " + maxUnreadBytes
                    + " bytes of replies unread, and this one most of them, " + worst.bytes());
            if (!clients.contains(worst)) {
                ending.compareAndSet(worst, null);
            }
        }
    }

    /** A client that reads is spared, however much it has asked for. */
    private static boolean isWorse(UnreadReplies client, UnreadReplies than, long nowNs) {
        boolean untouched = client.areUntouched(nowNs, UNTOUCHED_NS);
        return untouched != than.areUntouched(nowNs, UNTOUCHED_NS) ? untouched : client.bytes() > than.bytes();
    }
}
