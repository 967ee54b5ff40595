package io.reprise.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * From where wrong passwords came: after a few an address has to wait before the next is looked at, each time twice as long.
 * It is the address that waits and not the user, so that nobody can lock another one out. A right password takes back only
 * what was counted for its own user: who has a password of his own gains no guesses at another's by it. Any thread.
 */
final class FailedLogins {
    static final int FREE = 5;

    private static final long FIRST_WAIT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_DOUBLINGS = 6;
    private static final long FORGIVEN_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int MOST_ADDRESSES = 4096;
    private static final int NETWORK_BYTES = 8;

    private final ConcurrentHashMap<ByteBuffer, Failures> byAddress = new ConcurrentHashMap<>();

    /**
     * Of one address.
     *
     * @param count of all of them
     * @param ofUsers how many were for a user that there is, by his name; so there are no more of these than users
     */
    private record Failures(int count, long lastNs, Map<String, Integer> ofUsers) {
        long waitNs() {
            return count < FREE ? 0 : FIRST_WAIT_NS << Math.min(count - FREE, MOST_DOUBLINGS);
        }
    }

    /** How long this address still has to wait; 0: it need not. */
    long waitNs(InetAddress from, long nowNs) {
        Failures failures = byAddress.get(key(from));
        return failures == null ? 0 : Math.max(0, failures.lastNs() + failures.waitNs() - nowNs);
    }

    /**
     * Counts one.
     *
     * @param user whose password it would have been; empty: there is no such user
     */
    void failed(InetAddress from, Optional<String> user, long nowNs) {
        ByteBuffer key = key(from);
        if (byAddress.size() >= MOST_ADDRESSES && !byAddress.containsKey(key)) {
            byAddress.values().removeIf(old -> nowNs - old.lastNs() > FORGIVEN_NS);
            if (byAddress.size() >= MOST_ADDRESSES) {
                // Who has so many addresses has others too: what slows him down is that one login is looked at at a
                // time.
                return;
            }
        }
        byAddress.compute(key, (address, old) -> {
            boolean fresh = old == null || nowNs - old.lastNs() > FORGIVEN_NS;
            Map<String, Integer> ofUsers = fresh ? new HashMap<>() : new HashMap<>(old.ofUsers());
            user.ifPresent(name -> ofUsers.merge(name, 1, Integer::sum));
            return new Failures(fresh ? 1 : old.count() + 1, nowNs, ofUsers);
        });
    }

    /** The user had only mistyped what was wrong before. */
    void succeeded(InetAddress from, String user) {
        byAddress.computeIfPresent(key(from), (address, old) -> {
            int own = old.ofUsers().getOrDefault(user, 0);
            if (own == 0) {
                return old;
            }
            Map<String, Integer> others = new HashMap<>(old.ofUsers());
            others.remove(user);
            return old.count() == own ? null : new Failures(old.count() - own, old.lastNs(), others);
        });
    }

    /** Of IPv6 the network, because every machine has all addresses in it. */
    private static ByteBuffer key(InetAddress address) {
        byte[] bytes = address.getAddress();
        return ByteBuffer.wrap(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
