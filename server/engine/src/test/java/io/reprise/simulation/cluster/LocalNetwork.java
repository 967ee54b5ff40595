package io.reprise.simulation.cluster;

import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.runtime.agent.Waker;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** Links between engines of one process that have threads of their own. A node can be cut off. Any thread. */
final class LocalNetwork {
    private final Map<String, End> nodes = new ConcurrentHashMap<>();
    private final Set<String> isolated = ConcurrentHashMap.newKeySet();
    private final List<Pipe> pipes = new CopyOnWriteArrayList<>();

    Links of(String node) {
        End end = new End(node);
        nodes.put(node, end);
        return end;
    }

    /** Breaks all links of the node; it can open none until {@link #heal}. */
    void isolate(String node) {
        isolated.add(node);
        pipes.stream().filter(pipe -> pipe.isOf(node)).forEach(Pipe::close);
    }

    void heal() {
        isolated.clear();
    }

    private final class End implements Links {
        private final String node;
        private final Queue<Pipe> arrived = new ConcurrentLinkedQueue<>();
        private final AtomicReference<Waker> waker = new AtomicReference<>();

        End(String node) {
            this.node = node;
        }

        @Override
        public void wake(Waker value) {
            waker.set(value);
        }

        void wakeUp() {
            Waker now = waker.get();
            if (now != null) {
                now.wake();
            }
        }

        @Override
        public Link connect(String address) {
            End peer = nodes.get(address);
            boolean refused = peer == null || isolated.contains(node) || isolated.contains(address);
            AtomicReference<Link.State> state = new AtomicReference<>(refused ? Link.State.CLOSED : Link.State.OPEN);
            Queue<byte[]> there = new ConcurrentLinkedQueue<>();
            Queue<byte[]> back = new ConcurrentLinkedQueue<>();
            Pipe mine = new Pipe(node, address, state, there, back, peer);
            if (!refused) {
                pipes.add(mine);
                peer.arrived.add(new Pipe(address, node, state, back, there, this));
                peer.wakeUp();
            }
            return mine;
        }

        @Override
        public Link accept() {
            return arrived.poll();
        }
    }

    private record Pipe(
            String from, String to, AtomicReference<State> shared, Queue<byte[]> out, Queue<byte[]> in, End peer)
            implements Link {
        boolean isOf(String node) {
            return from.equals(node) || to.equals(node);
        }

        @Override
        public State state() {
            return shared.get();
        }

        @Override
        public boolean send(byte[] frame, int offset, int length) {
            if (shared.get() != State.OPEN) {
                return false;
            }
            byte[] copy = new byte[length];
            System.arraycopy(frame, offset, copy, 0, length);
            out.add(copy);
            peer.wakeUp();
            return true;
        }

        @Override
        public byte[] receive() {
            return in.poll();
        }

        @Override
        public void close() {
            shared.set(State.CLOSED);
        }
    }
}
