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

    /**
     * From now on the waker is woken when a link, a frame or another state has come. A simulation steps its agents anyway.
     */
    default void wake(Waker waker) {}
}
