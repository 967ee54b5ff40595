package io.reprise.session;

import java.util.List;

/** The sessions of the port: the rows of {@code pg_stat_activity}, and the means to cancel and end them. Any thread. */
public interface Backends {
    /** No sessions. */
    Backends NONE = new Backends() {
        @Override
        public List<Backend> list() {
            return List.of();
        }

        @Override
        public boolean cancel(long pid) {
            return false;
        }

        @Override
        public boolean end(long pid) {
            return false;
        }
    };

    /**
     * A session.
     *
     * @param pid the number by which clients know it
     * @param user the name of its user; empty without a login
     * @param address the client's address
     * @param port the client's port
     * @param begin the time at which it connected, as SQL has it
     * @param state its state in the words of {@code pg_stat_activity}
     * @param statement the statement under way, or the last one; empty if none is known
     */
    record Backend(long pid, String user, String address, int port, String begin, String state, String statement) {}

    /** The sessions, the oldest first. */
    List<Backend> list();

    /** Cancels the statement under way of a session. Returns whether there is such a session. */
    boolean cancel(long pid);

    /** Ends a session. Returns whether there was such a session. */
    boolean end(long pid);
}
