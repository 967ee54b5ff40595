package io.reprise.client;

/**
 * What waits at a node until there is a connection, or until the server has said what has to be known to send it. Owned by whoever makes
 * it, then by the network thread.
 */
interface ParkedCall {
    /** How many bytes it has. */
    int length();

    /** What has to be known before it can be sent; null: nothing. */
    RemoteProcedure procedure();

    /** Sends it on this connection, which knows the procedure, or parks it if that has ended. */
    void send(Connection connection);

    /** Whether its time is over. Then it has ended. */
    boolean expired(long nowNs);

    /** Whether it has paused for as long as it has to since it was refused. */
    boolean hasPaused(long nowNs);

    /** This attempt was not run. */
    void notRun(CallException why);

    /** It is not made any more. */
    void giveUp(String why);

    /** The server does not take this client. */
    void refused(CallException why);
}
