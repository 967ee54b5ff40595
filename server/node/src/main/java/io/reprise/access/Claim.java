package io.reprise.access;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Login credentials.
 *
 * @param name the claimed user; empty: none
 * @param password may be empty
 * @param from the client's address
 * @param certificates the certificate verified by TLS as the client's own, and its chain; empty: none was shown
 */
public record Claim(String name, String password, InetAddress from, List<X509Certificate> certificates) {
    /** Keeps a copy. */
    public Claim {
        certificates = List.copyOf(certificates);
    }
}
