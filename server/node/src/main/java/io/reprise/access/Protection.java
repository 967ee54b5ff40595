package io.reprise.access;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * What a port asks of whoever connects.
 *
 * @param tls with whose keys it encrypts; empty: it doesn't
 * @param logins who says who may do what; empty: everybody may do everything
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

    /** What is missing where other machines can connect. */
    public String missing() {
        return tls.isPresent()
                ? "nobody is asked who he is"
                : logins.isPresent() ? "there is no TLS" : "there is no TLS, and nobody is asked who he is";
    }
}
