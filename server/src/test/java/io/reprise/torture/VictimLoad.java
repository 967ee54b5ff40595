package io.reprise.torture;

import io.reprise.node.Reprise;
import java.util.List;

/** What a victim does with its database, and how it knows afterwards that everything is there. */
interface VictimLoad {
    /** The schema. */
    String ddl();

    /** Fills the database if that has not been done. */
    void fill(Reprise engine);

    /**
     * Compares what there is with what was acknowledged before the last kill.
     *
     * @param acknowledged by client; changed to what was found, from which the clients go on
     * @return what is wrong
     */
    List<String> check(Reprise engine, long[] acknowledged);

    /**
     * Makes one call for a client.
     *
     * @param number of the write that comes next
     * @return whether that write was acknowledged
     */
    interface Client {
        boolean step(long number);
    }

    /** A client that makes one call after the other. */
    Client client(Reprise engine, int client, long seed);
}
