package io.reprise.cluster.replica;

import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;

/** Frames of other protocols on their way to the {@link ClusterAgent}, which sends them. Bounded; any thread offers. */
public final class PeerOutbox {
    private static final int CAPACITY = 4096;

    private final MpscRing<Frame> frames;

    /** A frame and the node that it is for. */
    record Frame(int node, byte[] bytes) {}

    /** An empty outbox; the waker wakes the agent's thread, and is null if it polls. */
    public PeerOutbox(Waker agent) {
        frames = new MpscRing<>(CAPACITY, agent);
    }

    /** Sends a frame, which is lost if there is no room or no link. */
    public void send(int node, byte[] frame) {
        frames.offer(new Frame(node, frame));
    }

    Frame poll() {
        return frames.poll();
    }
}
