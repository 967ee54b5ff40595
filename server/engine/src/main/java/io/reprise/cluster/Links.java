package io.reprise.cluster;

import io.reprise.runtime.agent.Waker;

/**
 * The network between nodes: opens links to peers and accepts theirs. Owned by one agent, which polls; no call blocks.
 */
public interface Links {
    /** Begins a connection to a peer's address. The link is {@link Link.State#CONNECTING} until it opens or fails. */
    Link connect(String address);

    /** The next link that a peer has opened to this node, or null. */
    Link accept();

    /** Whether links of this network tell that they are {@linkplain Link#isRefused refused}. */
    default boolean tellsRefusals() {
        return false;
    }

    /** Takes frames on the threads of a network. */
    @FunctionalInterface
    interface FrameTaker {
        /** Takes a frame, which it owns then; false if it has no room. */
        boolean take(byte[] frame);
    }

    /**
     * From now on the taker is offered each frame as it arrives. A frame that it rejects waits for {@link Link#receive}, with all that
     * follow it on the link. A network without threads of its own offers none.
     */
    default void offerTo(FrameTaker taker) {}

    /**
     * From now on the waker is woken when a link, a frame or another state has come. A simulation steps its agents anyway.
     */
    default void wake(Waker waker) {}
}
