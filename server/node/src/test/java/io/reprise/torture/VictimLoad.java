package io.reprise.torture;

import io.reprise.engine.Reprise;
import java.util.List;

/** A victim's use of its database, and the check afterwards that everything is there. */
interface VictimLoad {
    /** The result of {@link Client#step} if nothing that is counted was written. */
    int NOTHING = -1;

    /** The schema. */
    String ddl();

    /** The classes of its procedures, and those that they use, if they may be deployed again while it runs. */
    default List<Class<?>> procedures() {
        return List.of();
    }

    /** Whether the victim is a server, and its clients are {@link Callers} in the killer's process. */
    default boolean isCalledFromOutside() {
        return false;
    }

    /** The kinds that are counted apart of each client's writes. */
    List<String> kinds();

    /** Whether everything is there that the clients begin with. */
    boolean isFilled(Reprise engine);

    /** Puts in what is missing of that. */
    void fill(Reprise engine);

    /** Finds what is wrong, whatever has been written; in a database that is empty or half filled, too. */
    List<String> check(Reprise engine);

    /** Counts the clients' writes that are there; none in an empty database, and none of who changes the schema. */
    WriteCounts found(Reprise engine);

    /** A client that makes one call after the other. */
    Client client(Reprise engine, int client, long seed);

    /** One of {@link KilledDatabase#CLIENTS}. */
    interface Client {
        /**
         * Makes one call.
         *
         * @param written by this client until now, by kind
         * @return the kind of what the call has written, or {@link #NOTHING}
         */
        int step(long[] written);
    }
}
