package io.reprise.access;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.X509TrustManager;

/**
 * Rules for certificates of clients.
 *
 * @param authorities vouch for certificates, and know the revoked ones
 * @param revoked the revoked certificates, for open connections; another object when they have changed
 * @param required whether a client without a certificate is turned away
 * @param nameUsers whether a certificate's subject names its user, who then needs no password
 */
public record ClientCertificates(
        X509TrustManager authorities, Supplier<RevokedCertificates> revoked, boolean required, boolean nameUsers) {
    private static final String ANY_KEY = "UNKNOWN";

    /**
     * Why these don't count, or empty. TLS has looked at them when the client showed them, but a session that is resumed brings along
     * what was shown long ago: since then the certificate may have expired or been revoked, or the authorities been replaced.
     */
    Optional<String> problem(List<X509Certificate> certificates) {
        try {
            authorities.checkClientTrusted(certificates.toArray(new X509Certificate[0]), ANY_KEY);
            return Optional.empty();
        } catch (CertificateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** The user that a certificate's subject names: its CN, if it has just one, and that could be a user's name. */
    static Optional<String> user(X509Certificate certificate) {
        try {
            List<String> names = new LdapName(
                            certificate.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(part -> part.size() == 1 && part.getType().equalsIgnoreCase("CN"))
                            .map(Rdn::getValue)
                            .map(String::valueOf)
                            .toList();
            return names.size() == 1 && User.isName(names.getFirst())
                    ? Optional.of(names.getFirst())
                    : Optional.empty();
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
    }
}
