package io.reprise.cluster.replica;

import io.reprise.cluster.Replicas;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A replica's request for another line of the map. The replicas' group makes it, the {@link ClusterAgent} closes it when it
 * can't happen any more without being seen.
 */
final class MapRequest {
    private static final int OPEN = -2;

    private final int partition;
    private final Replicas next;
    private final AtomicInteger closedAt = new AtomicInteger(OPEN);

    MapRequest(int partition, Replicas next) {
        this.partition = partition;
        this.next = next;
    }

    int partition() {
        return partition;
    }

    Replicas next() {
        return next;
    }

    /** The request has happened in a map up to this version, or never will. */
    void close(int version) {
        closedAt.set(version);
    }

    boolean isClosed() {
        return closedAt.get() != OPEN;
    }

    /** Whether a replica that has entered this version of the map knows how the request ended. */
    boolean isKnownAt(int version) {
        int closed = closedAt.get();
        return closed != OPEN && closed <= version;
    }
}
