package io.reprise.simulation.cluster;

import io.reprise.cluster.Membership;
import java.util.SortedMap;
import java.util.TreeMap;

/** The membership service of engines of one process that have threads of their own. A node's contact can be ended. Any thread. */
final class LocalMembership {
    private final SortedMap<Integer, byte[]> live = new TreeMap<>();
    private Membership.VersionedMap map = new Membership.VersionedMap(0, new byte[0]);

    Membership of(int node) {
        return new View(node);
    }

    /** The session of a node ends. */
    synchronized void expire(int node) {
        live.remove(node);
    }

    synchronized Membership.VersionedMap map() {
        return map;
    }

    private synchronized boolean isLive(int node) {
        return live.containsKey(node);
    }

    private synchronized SortedMap<Integer, byte[]> live() {
        return new TreeMap<>(live);
    }

    private synchronized void announce(int node, byte[] entry) {
        live.put(node, entry);
    }

    private synchronized Membership.Change.Outcome replace(int expected, byte[] content) {
        if (map.version() != expected) {
            return Membership.Change.Outcome.CONFLICT;
        }
        map = new Membership.VersionedMap(expected + 1, content);
        return Membership.Change.Outcome.DONE;
    }

    private final class View implements Membership {
        private final int node;
        private boolean announced;

        View(int node) {
            this.node = node;
        }

        @Override
        public int poll(long nowNs) {
            return 0;
        }

        @Override
        public Session session() {
            return announced && !isLive(node) ? Session.LOST : Session.CONNECTED;
        }

        @Override
        public VersionedMap map() {
            return LocalMembership.this.map();
        }

        @Override
        public SortedMap<Integer, byte[]> live() {
            return LocalMembership.this.live();
        }

        @Override
        public void announce(byte[] entry) {
            announced = true;
            LocalMembership.this.announce(node, entry);
        }

        @Override
        public Change replace(int expectedVersion, byte[] content) {
            Change.Outcome outcome = LocalMembership.this.replace(expectedVersion, content);
            return () -> outcome;
        }
    }
}
