package io.reprise.client;

import io.reprise.wire.ArgumentWriter;
import java.util.Arrays;

/**
 * The server's routing facts: its partitions, and the form of procedures' calls. Guarded by the connection's monitor.
 */
final class Routes {
    private final int[] partitionOfBucket;
    private ProcedureRoute[] routes = new ProcedureRoute[16];

    /** Before a server has told its partitions, there is one for all. */
    Routes(int... partitionOfBucket) {
        this.partitionOfBucket = partitionOfBucket;
    }

    /** The route of a procedure, or null if that isn't known. */
    ProcedureRoute route(RemoteProcedure procedure) {
        return procedure.index() < routes.length ? routes[procedure.index()] : null;
    }

    void add(RemoteProcedure procedure, ProcedureRoute route) {
        if (procedure.index() >= routes.length) {
            routes = Arrays.copyOf(routes, 2 * procedure.index());
        }
        routes[procedure.index()] = route;
    }

    /** The batch of a call. */
    int batch(ProcedureRoute route, ArgumentWriter arguments) {
        return route.batch(arguments, partitionOfBucket);
    }

    int partitionOf(long value) {
        return partitionOfBucket.length == 0 ? 0 : ProcedureRoute.partition(value, partitionOfBucket);
    }

    int partitions() {
        int partitions = 1;
        for (int partition : partitionOfBucket) {
            partitions = Math.max(partitions, partition + 1);
        }
        return partitions;
    }
}
