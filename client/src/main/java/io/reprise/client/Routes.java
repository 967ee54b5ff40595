package io.reprise.client;

import io.reprise.wire.ArgumentWriter;
import java.util.Arrays;

/**
 * What the server has told of where calls belong: its partitions, and how procedures are called. Guarded by the connection's
 * monitor.
 */
final class Routes {
    private final int[] partitionOfBucket;
    private ProcedureRoute[] routes = new ProcedureRoute[16];

    /** Before a server has told its partitions, there is one for all. */
    Routes(int... partitionOfBucket) {
        this.partitionOfBucket = partitionOfBucket;
    }

    /** How the procedure is called, or null if that isn't known. */
    ProcedureRoute route(RemoteProcedure procedure) {
        return procedure.index() < routes.length ? routes[procedure.index()] : null;
    }

    void add(RemoteProcedure procedure, ProcedureRoute route) {
        if (procedure.index() >= routes.length) {
            routes = Arrays.copyOf(routes, 2 * procedure.index());
        }
        routes[procedure.index()] = route;
    }

    /** Which batch a call belongs to. */
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
