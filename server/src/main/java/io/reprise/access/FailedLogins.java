package io.reprise.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * From where wrong passwords came: after a few an address has to wait before the next is looked at, each time twice as long.
 * It is the address that waits and not the user, so that nobody can lock another one out. Any thread.
 */
final class FailedLogins {
    static final int FREE = 5;

    private static final long FIRST_WAIT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_DOUBLINGS = 6;
    private static final long FORGIVEN_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int MOST_ADDRESSES = 4096;
    private static final int NETWORK_BYTES = 8;

    private final ConcurrentHashMap<ByteBuffer, Failures> byAddress = new ConcurrentHashMap<>();

    private record Failures(int count, long lastNs) {
        long waitNs() {
            return count < FREE ? 0 : FIRST_WAIT_NS << Math.min(count - FREE, MOST_DOUBLINGS);
        }
    }

    /** How long this address still has to wait; 0: it need not. */
    long waitNs(InetAddress from, long nowNs) {
        Failures failures = byAddress.get(key(from));
        return failures == null ? 0 : Math.max(0, failures.lastNs() + failures.waitNs() - nowNs);
    }

    void failed(InetAddress from, long nowNs) {
        ByteBuffer key = key(from);
        if (byAddress.size() >= MOST_ADDRESSES && !byAddress.containsKey(key)) {
            byAddress.values().removeIf(old -> nowNs - old.lastNs() > FORGIVEN_NS);
            if (byAddress.size() >= MOST_ADDRESSES) {
                // Who has so many addresses has others too: what slows him down is that one login is looked at at a
                // time.
                return;
            }
        }
        byAddress.merge(key, new Failures(1, nowNs), (old, first) -> {
            return nowNs - old.lastNs() > FORGIVEN_NS ? first : new Failures(old.count() + 1, nowNs);
        });
    }

    void succeeded(InetAddress from) {
        byAddress.remove(key(from));
    }

    /** Of IPv6 the network, because every machine has all addresses in it. */
    private static ByteBuffer key(InetAddress address) {
        byte[] bytes = address.getAddress();
        return ByteBuffer.wrap(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
