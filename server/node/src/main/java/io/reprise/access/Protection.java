package io.reprise.access;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * A port's demands on its clients.
 *
 * @param tls the keys for encryption; empty: none
 * @param logins users and rights; empty: all connections may do everything
 * @param open whether the port may be where other machines can connect without both of these
 */
public record Protection(Optional<Tls> tls, Optional<Logins> logins, boolean open) {
    /** Nothing is asked: for a port that only the machine itself can reach. */
    public static final Protection NONE = new Protection(Optional.empty(), Optional.empty(), false);

    /** Whether the port may be at this address. */
    public boolean allows(InetSocketAddress address) {
        return open
                || tls.isPresent() && logins.isPresent()
                || !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    }

    /** The missing part for a port that other machines can reach. */
    public String missing() {
        return tls.isPresent()
                ? "clients need no login"
                : logins.isPresent() ? "there is no TLS" : "there is no TLS, and clients need no login";
    }
}
