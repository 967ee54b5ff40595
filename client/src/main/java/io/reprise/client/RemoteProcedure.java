package io.reprise.client;

import io.reprise.wire.ArgumentWriter;

/** A procedure that a client calls, by its name. Made by {@link Client#procedure}; may be kept as long as the client. */
public final class RemoteProcedure {
    private final Client client;
    private final String name;
    private final int index;

    /** The argument that decides on the partition, from 1; 0: none does, or no server has told yet. */
    private volatile int routingParameter;

    RemoteProcedure(Client client, String name, int index) {
        this.client = client;
        this.name = name;
        this.index = index;
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Whether it was made by this client: its place says nothing to others, or names another procedure there. */
    boolean isOf(Client asked) {
        return client == asked;
    }

    /** Its place among the procedures of its client. */
    int index() {
        return index;
    }

    /** A server has told how the procedure is called. */
    void routedBy(int parameter) {
        routingParameter = parameter;
    }

    /** The node that leads the partition of a call, or {@link ClusterView#NO_LEADER} if that is not known. */
    int leader(ClusterView view, ArgumentWriter arguments) {
        int parameter = routingParameter;
        return parameter == 0 ? ClusterView.NO_LEADER : view.leader(arguments.partitioningValue(parameter - 1));
    }

    /** Arguments to be filled for calls, one after the other: of one thread, used again and again. */
    public static ArgumentWriter arguments() {
        return new ArgumentWriter();
    }

    /** For messages. */
    @Override
    public String toString() {
        return name;
    }
}
