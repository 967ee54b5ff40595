package io.reprise.cluster.replica;

/**
 * The state of a replica at one moment, in pieces that are made while the state goes on. An empty piece ends it. Owned by the leader's
 * replica, which closes it, once or more often.
 */
public interface ImageSource extends AutoCloseable {
    /** The next piece; null if none is at hand for now, or after the empty one. */
    byte[] next();

    /** Whether the state of that moment can't be given any more, so that a joiner has to begin anew. */
    boolean isLost();

    @Override
    void close();
}
