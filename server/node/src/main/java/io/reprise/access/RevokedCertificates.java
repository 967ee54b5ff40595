package io.reprise.access;

import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Certificates of clients that don't count any more, by the lists of those who issued them. When a client connects, the JDK's path
 * validation looks into the lists; this is for connections that there are when a list changes. Another object then.
 */
public final class RevokedCertificates {
    /** None, for want of a list. */
    public static final RevokedCertificates NONE = new RevokedCertificates(List.of());

    private final List<X509CRL> lists;

    /** The certificates of these verified lists. */
    public RevokedCertificates(List<X509CRL> lists) {
        this.lists = List.copyOf(lists);
    }

    /** Whether one of these is among them. */
    public boolean hasOneOf(List<X509Certificate> certificates) {
        for (X509CRL list : lists) {
            for (X509Certificate certificate : certificates) {
                if (list.isRevoked(certificate)) {
                    return true;
                }
            }
        }
        return false;
    }
}
