package io.reprise.session;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The advisory locks of a node: names that sessions lock for each other, without any effect on rows. A session may take a lock several
 * times, and frees it as often. Used by the threads of sessions; guarded by itself.
 */
public final class AdvisoryLocks {
    /** A waiting session looks so often whether its request was canceled. */
    private static final long LOOK_MS = 50;

    /**
     * A key; one number and a pair of numbers never meet.
     *
     * @param pair whether it consists of two numbers
     * @param number the number, or both
     */
    record Key(boolean pair, long number) {}

    /** The holds of one session on one key. */
    private static final class Holds {
        private int exclusive;
        private int shared;
    }

    private final Map<Key, Map<Object, Holds>> locks = new HashMap<>();

    /** Takes a lock, if no other session is in the way. */
    synchronized boolean take(Object session, Key key, boolean shared) {
        Map<Object, Holds> holders = locks.computeIfAbsent(key, each -> new HashMap<>());
        for (Map.Entry<Object, Holds> holder : holders.entrySet()) {
            boolean other = holder.getKey() != session;
            if (other && !(shared && holder.getValue().exclusive == 0)) {
                return false;
            }
        }
        Holds holds = holders.computeIfAbsent(session, each -> new Holds());
        holds.exclusive += shared ? 0 : 1;
        holds.shared += shared ? 1 : 0;
        return true;
    }

    /** Waits for a lock. Returns false if the session gives up. */
    synchronized boolean await(Object session, Key key, boolean shared, BooleanSupplier givesUp) {
        while (!take(session, key, shared)) {
            if (givesUp.getAsBoolean()) {
                return false;
            }
            try {
                wait(LOOK_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /** Frees a lock once. Returns whether the session had it. */
    synchronized boolean free(Object session, Key key, boolean shared) {
        Map<Object, Holds> holders = locks.get(key);
        Holds holds = holders == null ? null : holders.get(session);
        if (holds == null || (shared ? holds.shared : holds.exclusive) == 0) {
            return false;
        }
        holds.exclusive -= shared ? 0 : 1;
        holds.shared -= shared ? 1 : 0;
        if (holds.exclusive == 0 && holds.shared == 0) {
            holders.remove(session);
        }
        if (holders.isEmpty()) {
            locks.remove(key);
        }
        notifyAll();
        return true;
    }

    /** Frees all locks of a session. */
    synchronized void freeAll(Object session) {
        Iterator<Map<Object, Holds>> each = locks.values().iterator();
        while (each.hasNext()) {
            Map<Object, Holds> holders = each.next();
            holders.remove(session);
            if (holders.isEmpty()) {
                each.remove();
            }
        }
        notifyAll();
    }
}
