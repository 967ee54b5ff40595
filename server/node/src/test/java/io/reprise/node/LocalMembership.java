package io.reprise.node;

import io.reprise.cluster.Membership;
import io.reprise.cluster.replica.NodeEntry;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The membership of servers in one process: a map that changes by compare-and-set, and entries that last until they are ended. */
final class LocalMembership {
    private final SortedMap<Integer, byte[]> live = new TreeMap<>();
    private Membership.VersionedMap map = new Membership.VersionedMap(0, new byte[0]);

    /** The view of a node. */
    Membership of(int node) {
        return new View(node);
    }

    /** The node's session ends, as after its process. */
    synchronized void end(int node) {
        live.remove(node);
    }

    private synchronized void announce(int node, byte[] entry) {
        live.put(node, entry.clone());
    }

    /** The incarnation of a live node; 0 if it does not run. */
    synchronized long incarnation(int node) {
        byte[] entry = live.get(node);
        return entry == null ? 0 : NodeEntry.decode(entry).incarnation();
    }

    /** The present map. */
    synchronized Membership.VersionedMap map() {
        return map;
    }

    private synchronized SortedMap<Integer, byte[]> live() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(live));
    }

    private synchronized boolean replace(int expected, byte[] content) {
        if (map.version() != expected) {
            return false;
        }
        map = new Membership.VersionedMap(expected + 1, content.clone());
        return true;
    }

    private final class View implements Membership {
        private final int node;
        private VersionedMap seen;
        private SortedMap<Integer, byte[]> seenLive = new TreeMap<>();

        View(int node) {
            this.node = node;
        }

        @Override
        public int poll(long nowNs) {
            VersionedMap newest = LocalMembership.this.map();
            SortedMap<Integer, byte[]> newestLive = LocalMembership.this.live();
            int news = newest == seen && newestLive.keySet().equals(seenLive.keySet()) ? 0 : 1;
            seen = newest;
            seenLive = newestLive;
            return news;
        }

        @Override
        public Session session() {
            return Session.CONNECTED;
        }

        @Override
        public VersionedMap map() {
            return seen;
        }

        @Override
        public SortedMap<Integer, byte[]> live() {
            return seenLive;
        }

        @Override
        public void announce(byte[] entry) {
            LocalMembership.this.announce(node, entry);
        }

        @Override
        public Change replace(int expectedVersion, byte[] content) {
            Change.Outcome outcome = LocalMembership.this.replace(expectedVersion, content)
                    ? Change.Outcome.DONE
                    : Change.Outcome.CONFLICT;
            return () -> outcome;
        }
    }
}
