package io.reprise.access;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Who somebody says he is, and what he shows for it.
 *
 * @param name empty: he says nothing
 * @param password may be empty
 * @param from where he is
 * @param certificates what TLS has found to be his own certificate, and those that vouch for it; empty: he showed none
 */
public record Claim(String name, String password, InetAddress from, List<X509Certificate> certificates) {
    /** Keeps a copy. */
    public Claim {
        certificates = List.copyOf(certificates);
    }
}
