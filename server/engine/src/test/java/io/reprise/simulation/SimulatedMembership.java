package io.reprise.simulation;

import io.reprise.cluster.Membership;
import io.reprise.runtime.Randomness;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The membership service of a simulated cluster, as unkind as ZooKeeper: watches come late and coalesce, a request whose
 * contact ended may happen or not, a session outlives its node until it expires, and a node learns of the expiry only
 * when it is in contact again.
 */
public final class SimulatedMembership {
    private final Simulation simulation;
    private final SimulatedClock clock;
    private final Randomness random;
    private final long sessionTimeoutNs;
    private final List<View> views = new ArrayList<>();
    private final Set<Integer> cut = new HashSet<>();
    private final SortedMap<Integer, byte[]> live = new TreeMap<>();
    private Membership.VersionedMap map = new Membership.VersionedMap(0, new byte[0]);
    private long leastDelayNs = 200_000;
    private long delaySpreadNs = 2_000_000;
    private boolean down;

    /** A service with an empty map and no members. */
    public SimulatedMembership(Simulation simulation, long sessionTimeoutNs) {
        this.simulation = simulation;
        this.sessionTimeoutNs = sessionTimeoutNs;
        clock = simulation.clock();
        random = simulation.randomness();
    }

    /** The view of a node that starts. An earlier start's session goes on until it expires. */
    public Membership of(int node) {
        View view = new View(node);
        views.add(view);
        return view;
    }

    /** The time of each way between a node and the service. */
    public SimulatedMembership delays(long leastNs, long spreadNs) {
        leastDelayNs = leastNs;
        delaySpreadNs = spreadNs;
        return this;
    }

    /** The node's contact ends until {@link #heal}. */
    public void cut(int node) {
        if (cut.add(node)) {
            simulation.event("membership cut", node, 0);
        }
    }

    /** All contact ends until {@link #heal}; sessions do not expire meanwhile. */
    public void outage() {
        down = true;
        simulation.event("membership outage", 0, 0);
    }

    /** Ends cuts and outage. After an outage each session has its whole timeout again. */
    public void heal() {
        if (down) {
            views.forEach(view -> view.lastContactNs = clock.nanoTime());
        }
        down = false;
        cut.clear();
        simulation.event("membership heal", 0, 0);
    }

    /** The process of a node has ended; its session expires later. */
    public void crash(int node) {
        views.forEach(view -> view.crashed |= view.node == node);
    }

    /** All processes have ended, and the service has lost its data. A map that stands for the lost one is there at once. */
    public void lose() {
        views.forEach(view -> view.crashed = true);
        views.clear();
        live.clear();
        map = new Membership.VersionedMap(1, new byte[0]);
        simulation.event("membership lost", 0, 0);
    }

    /** The entries of live nodes as the service has them. */
    public SortedMap<Integer, byte[]> live() {
        return Collections.unmodifiableSortedMap(live);
    }

    /** An operator puts a map in the place of the present one. */
    public void put(byte[] content) {
        map = new Membership.VersionedMap(map.version() + 1, content.clone());
        simulation.event("map", map.version(), Arrays.hashCode(content));
    }

    /** The map as the service has it, for checkers. */
    public Membership.VersionedMap map() {
        return map;
    }

    /** Whether a requested change of the map has no answer yet, for faults that aim at this moment. */
    public boolean isAsked() {
        return views.stream().anyMatch(view -> !view.requests.isEmpty());
    }

    private long delayNs() {
        return leastDelayNs + random.nextLong(delaySpreadNs + 1);
    }

    /** Ends the sessions that had no contact for the timeout. Any view's poll lets the service work. */
    private void expire(long now) {
        if (down) {
            return;
        }
        for (View view : views) {
            if (view.hasContact()) {
                view.lastContactNs = now;
            } else if (view.hasSession && now - view.lastContactNs > sessionTimeoutNs) {
                view.hasSession = false;
                view.expired = true;
                if (view.owns()) {
                    live.remove(view.node);
                }
                simulation.event("session expires", view.node, 0);
            }
        }
        views.removeIf(view -> view.crashed && !view.hasSession);
    }

    private final class Request implements Membership.Change {
        private final int expected;
        private final byte[] content;
        private final long arrivesNs;
        private long answersNs = Long.MAX_VALUE;
        private Outcome result = Outcome.PENDING;
        private Outcome outcome = Outcome.PENDING;

        Request(int expected, byte[] content) {
            this.expected = expected;
            this.content = content.clone();
            arrivesNs = clock.nanoTime() + delayNs();
        }

        void happen() {
            if (map.version() == expected) {
                map = new Membership.VersionedMap(expected + 1, content);
                result = Outcome.DONE;
                simulation.event("map", expected + 1L, Arrays.hashCode(content));
            } else {
                result = Outcome.CONFLICT;
            }
            answersNs = clock.nanoTime() + delayNs();
        }

        @Override
        public Outcome outcome() {
            return outcome;
        }
    }

    private final class View implements Membership {
        private final int node;
        private final ArrayDeque<Request> requests = new ArrayDeque<>();

        /** Requests whose contact ended on the way: they may still happen. */
        private final ArrayDeque<Request> stray = new ArrayDeque<>();

        private byte[] entry;

        /** An entry that was announced without contact. */
        private byte[] wanted;

        private boolean hasSession;
        private boolean expired;
        private boolean crashed;
        private Session session = Session.SUSPENDED;
        private long lastContactNs = clock.nanoTime();
        private long nextNewsNs;
        private VersionedMap seen;
        private SortedMap<Integer, byte[]> seenLive = new TreeMap<>();

        View(int node) {
            this.node = node;
        }

        boolean hasContact() {
            return !crashed && !down && !cut.contains(node);
        }

        /** Whether the node's entry is of this start. */
        boolean owns() {
            return live.get(node) == entry;
        }

        @Override
        public int poll(long nowNs) {
            long now = clock.nanoTime();
            expire(now);
            int work = let(stray, now);
            if (!hasContact()) {
                return work + suspend();
            }
            if (wanted != null) {
                announce();
                return work + 1;
            }
            if (session != Session.CONNECTED) {
                return work + reconnect();
            }
            return work + let(requests, now) + answer(now) + news(now);
        }

        private int suspend() {
            if (session == Session.CONNECTED) {
                session = Session.SUSPENDED;
                for (Request request : requests) {
                    request.outcome = Change.Outcome.UNKNOWN;
                    if (request.result == Change.Outcome.PENDING && random.chance(0.5)) {
                        stray.add(request);
                    }
                }
                requests.clear();
                return 1;
            }
            return 0;
        }

        private int reconnect() {
            if (expired) {
                expired = false;
                session = Session.LOST;
                return 1;
            }
            if (session == Session.SUSPENDED && (hasSession || entry == null)) {
                session = Session.CONNECTED;
                nextNewsNs = clock.nanoTime() + delayNs();
                return 1;
            }
            return 0;
        }

        /** Requests take effect in order when they arrive. */
        private int let(ArrayDeque<Request> arriving, long now) {
            int work = 0;
            for (Request request : arriving) {
                if (request.result == Change.Outcome.PENDING && now >= request.arrivesNs && !down) {
                    request.happen();
                    work++;
                }
            }
            stray.removeIf(request -> request.result != Change.Outcome.PENDING);
            return work;
        }

        private int answer(long now) {
            int work = 0;
            while (!requests.isEmpty() && now >= requests.peek().answersNs) {
                Request request = requests.remove();
                request.outcome = request.result;
                work++;
            }
            return work;
        }

        private int news(long now) {
            if (now < nextNewsNs) {
                return 0;
            }
            nextNewsNs = now + delayNs();
            boolean changed = seen == null || seen.version() != map.version() || !seenLive.equals(live);
            seen = map;
            seenLive = new TreeMap<>(live);
            return changed ? 1 : 0;
        }

        @Override
        public Session session() {
            return session;
        }

        @Override
        public VersionedMap map() {
            return seen;
        }

        @Override
        public SortedMap<Integer, byte[]> live() {
            return Collections.unmodifiableSortedMap(seenLive);
        }

        @Override
        public void announce(byte[] newEntry) {
            wanted = newEntry.clone();
            if (hasContact()) {
                announce();
            }
        }

        private void announce() {
            entry = wanted;
            wanted = null;
            hasSession = true;
            expired = false;
            session = Session.CONNECTED;
            lastContactNs = clock.nanoTime();
            live.put(node, entry);
            simulation.event("announce", node, Arrays.hashCode(entry));
        }

        @Override
        public Change replace(int expectedVersion, byte[] content) {
            Request request = new Request(expectedVersion, content);
            if (session == Session.CONNECTED && hasContact()) {
                requests.add(request);
            } else {
                request.outcome = Change.Outcome.UNKNOWN;
            }
            return request;
        }
    }
}
