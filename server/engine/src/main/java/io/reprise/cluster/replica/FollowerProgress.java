package io.reprise.cluster.replica;

/** A receiver of the progress of a leader's followers. */
@FunctionalInterface
public interface FollowerProgress {
    /**
     * Takes the progress of one follower.
     *
     * @param node the follower's node
     * @param inSync whether acknowledgements wait for it
     * @param received the last index that it has confirmed to have
     * @param durable the last index that it has confirmed to have on stable storage
     */
    void progress(int node, boolean inSync, long received, long durable);
}
