package io.reprise.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;

/**
 * Wrong passwords by address. After a few an address has to wait before the next is looked at, each time twice as
 * long. The address waits and not the user, so that no attacker can lock a user out. A right password takes back only
 * the failures of its own user: an account of one's own gains no guesses at another's. The same wrong password counts
 * once: a program that goes on with an old one tells nothing new.
 *
 * <p>The number of known addresses is bounded: the one that has been quiet for longest makes room for another. While
 * all of them are recent there are more than can be counted, and logins from elsewhere take the slow check. Any
 * thread.
 */
final class FailedLogins {
    static final int FREE = 5;

    /** Of how many addresses is known what was wrong. */
    static final int MOST_ADDRESSES = 4096;

    private static final long FIRST_WAIT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_DOUBLINGS = 6;
    private static final long FORGIVEN_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int MOST_REMEMBERED = 32;
    private static final int NETWORK_BYTES = 8;

    private final ConcurrentHashMap<ByteBuffer, Failures> byAddress = new ConcurrentHashMap<>();

    /** One for each address that is known, changed with what is known of it: so the oldest is found without a look at all. */
    private final ConcurrentSkipListSet<Moment> byTime = new ConcurrentSkipListSet<>();

    /** When the last failure was counted for an address. */
    private record Moment(ByteBuffer address, long lastNs) implements Comparable<Moment> {
        @Override
        public int compareTo(Moment other) {
            return lastNs == other.lastNs ? address.compareTo(other.address) : Long.signum(lastNs - other.lastNs);
        }
    }

    /**
     * The failures of one address. Immutable.
     *
     * @param count of all of them
     * @param ofUsers the number for each existing user, by name; so there are no more of these than users
     * @param attempts the last ones by their keyed hashes, and whether the slow hash has been computed of them
     */
    private record Failures(int count, long lastNs, Map<String, Integer> ofUsers, Map<ByteBuffer, Boolean> attempts) {
        static final Failures NONE = new Failures(0, 0, Map.of(), Map.of());

        long waitNs(long nowNs) {
            long wholeNs = count < FREE ? 0 : FIRST_WAIT_NS << Math.min(count - FREE, MOST_DOUBLINGS);
            return Math.max(0, lastNs + wholeNs - nowNs);
        }

        boolean isForgiven(long nowNs) {
            return nowNs - lastNs > FORGIVEN_NS;
        }

        int of(String user) {
            return ofUsers.getOrDefault(user, 0);
        }

        Failures with(Optional<String> user, ByteBuffer attempt, boolean checked, long nowNs) {
            LinkedHashMap<ByteBuffer, Boolean> remembered = new LinkedHashMap<>(attempts);
            boolean known = remembered.containsKey(attempt);
            remembered.merge(attempt, checked, Boolean::logicalOr);
            if (remembered.size() > MOST_REMEMBERED) {
                remembered.pollFirstEntry();
            }
            if (known) {
                return new Failures(count, lastNs, ofUsers, remembered);
            }
            Map<String, Integer> users = new HashMap<>(ofUsers);
            user.ifPresent(name -> users.merge(name, 1, Integer::sum));
            return new Failures(count + 1, nowNs, users, remembered);
        }

        Failures without(String user) {
            Map<String, Integer> others = new HashMap<>(ofUsers);
            others.remove(user);
            return new Failures(count - of(user), lastNs, others, attempts);
        }
    }

    /** The time that this address still has to wait; 0: none. */
    long waitNs(InetAddress from, long nowNs) {
        Failures failures = byAddress.get(key(from));
        return failures == null ? 0 : failures.waitNs(nowNs);
    }

    /**
     * Tells whether a password may be compared with a remembered one. A comparison takes no time, so that only this
     * bounds the guesses. While the address waits, only users who have been there before may be recognised, and only
     * as long as few passwords were wrong for them: guesses at another's password do not keep them out. While there
     * are too many addresses to be counted, only these users may: an attacker with that many would have guesses
     * without end.
     */
    boolean mayCompare(InetAddress from, String user, boolean wasHere, long nowNs) {
        Failures failures = byAddress.get(key(from));
        if (failures == null || failures.isForgiven(nowNs)) {
            return wasHere || !isFull(nowNs);
        }
        return failures.waitNs(nowNs) == 0 || wasHere && failures.of(user) < FREE;
    }

    /** Whether another address would take the place of one whose failures still count. */
    private boolean isFull(long nowNs) {
        if (byAddress.size() < MOST_ADDRESSES) {
            return false;
        }
        Iterator<Moment> oldest = byTime.iterator();
        return oldest.hasNext() && nowNs - oldest.next().lastNs() <= FORGIVEN_NS;
    }

    /** Whether the slow hash was computed of just this, which was wrong; empty: it has not been counted. */
    Optional<Boolean> counted(InetAddress from, ByteBuffer attempt, long nowNs) {
        Failures failures = byAddress.get(key(from));
        return failures == null || failures.isForgiven(nowNs)
                ? Optional.empty()
                : Optional.ofNullable(failures.attempts().get(attempt));
    }

    /**
     * Counts one.
     *
     * @param user whose password it would have been; empty: there is no such user
     * @param attempt a keyed hash of who it should be, what he has for a password and what was said
     * @param checked whether the slow hash was computed
     */
    void failed(InetAddress from, Optional<String> user, ByteBuffer attempt, boolean checked, long nowNs) {
        byAddress.compute(key(from), (address, old) -> {
            Failures counted =
                    (old == null || old.isForgiven(nowNs) ? Failures.NONE : old).with(user, attempt, checked, nowNs);
            if (old != null) {
                byTime.remove(new Moment(address, old.lastNs()));
            }
            byTime.add(new Moment(address, counted.lastNs()));
            return counted;
        });
        while (byAddress.size() > MOST_ADDRESSES && forgotOldest()) {
            // More may have come meanwhile.
        }
    }

    private boolean forgotOldest() {
        Moment oldest = byTime.pollFirst();
        if (oldest != null) {
            byAddress.computeIfPresent(
                    oldest.address(), (address, failures) -> failures.lastNs() == oldest.lastNs() ? null : failures);
        }
        return oldest != null;
    }

    /** The user had only mistyped what was wrong before. */
    void succeeded(InetAddress from, String user) {
        byAddress.computeIfPresent(key(from), (address, old) -> {
            if (old.of(user) == 0) {
                return old;
            }
            if (old.count() > old.of(user)) {
                return old.without(user);
            }
            byTime.remove(new Moment(address, old.lastNs()));
            return null;
        });
    }

    /** Of IPv6 the network, because every machine has all addresses in it. */
    static ByteBuffer key(InetAddress address) {
        byte[] bytes = address.getAddress();
        return ByteBuffer.wrap(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
