package io.reprise.net.peer;

import io.reprise.id.Buckets;
import io.reprise.id.DatabaseId;
import io.reprise.runtime.time.SystemClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Ports of nodes on this machine, for tests. */
final class PeerPorts {
    static final DatabaseId DATABASE = DatabaseId.of(4, 2 << 8, Buckets.DEFAULT);
    private static final long PATIENCE_NS = 20_000_000_000L;

    private PeerPorts() {}

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    static PeerSettings settings(int node) {
        return PeerSettings.of("test", DATABASE, node, anyPort());
    }

    static PeerSettings settings(int node, PeerTls tls) {
        return PeerSettings.of("test", DATABASE, node, anyPort(), Optional.of(tls));
    }

    static PeerPort open(PeerSettings settings) {
        ThreadFactory threads = task ->
                Thread.ofPlatform().daemon().name("peers-" + settings.node()).unstarted(task);
        return new PeerPort(settings, SystemClock.INSTANCE, threads);
    }

    static String address(PeerPort port) {
        return "127.0.0.1:" + port.address().getPort();
    }

    static void await(BooleanSupplier condition) {
        long beganNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - beganNs > PATIENCE_NS) {
                throw new AssertionError("the condition did not hold within 20 s");
            }
            LockSupport.parkNanos(100_000);
        }
    }
}
