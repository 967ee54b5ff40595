package io.reprise.node.security;

import io.reprise.certificate.PemFile;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A file with the lists of certificates that their authorities have revoked, in PEM, one or several, or one in DER.
 * The JDK's path validation looks certificates up. If a list is missing, too old or another's, the JDK says of every
 * client only that it can't tell; this class says so when the file is read.
 *
 * @param lists the content of the file
 */
record RevocationLists(List<X509CRL> lists) {
    static final String KEY = "security.clientCertificates.revocationList";

    /** The difference of clocks that the JDK allows. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(15);

    /** In the bits of a certificate's key usage. */
    private static final int SIGNS_LISTS = 6;

    /** Reads a file that has to have a usable list of each of these authorities. */
    static RevocationLists read(Path file, List<X509Certificate> authorities, Instant now) {
        List<X509CRL> found = parse(file);
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    KEY + ": " + file
                            + " has no revocation list; it should have one that begins with -----BEGIN X509 CRL-----, or be one in DER");
        }
        found.forEach(list -> checkTime(file, list, now));
        authorities.forEach(authority -> checkSignature(file, found, authority));
        return new RevocationLists(found);
    }

    private static List<X509CRL> parse(Path file) {
        byte[] content = PemFile.namedBy(KEY, file).content();
        try {
            List<X509CRL> found = new ArrayList<>();
            CertificateFactory.getInstance("X.509")
                    .generateCRLs(new ByteArrayInputStream(content))
                    .forEach(list -> found.add((X509CRL) list));
            return found;
        } catch (CRLException | CertificateException e) {
            throw new IllegalArgumentException(
                    KEY + ": " + file + " has no revocation list in PEM or DER: " + e.getMessage(), e);
        }
    }

    private static void checkTime(Path file, X509CRL list, Instant now) {
        if (list.getNextUpdate() == null) {
            throw new IllegalArgumentException(KEY + ": the list of " + list.getIssuerX500Principal() + " in " + file
                    + " does not say when the next one comes, so its age can't be checked; make one that does");
        }
        Instant end = list.getNextUpdate().toInstant();
        if (end.isBefore(now)) {
            throw new IllegalArgumentException(KEY + ": the list of " + list.getIssuerX500Principal() + " in " + file
                    + " is too old, because the next one was due at " + end + "; fetch or make a new one");
        }
        if (list.getThisUpdate().toInstant().isAfter(now.plus(CLOCKS_DIFFER))) {
            throw new IllegalArgumentException(KEY + ": the list of " + list.getIssuerX500Principal() + " in " + file
                    + " begins at " + list.getThisUpdate().toInstant()
                    + ", which is not yet; look at the clock of this machine");
        }
    }

    private static void checkSignature(Path file, List<X509CRL> lists, X509Certificate authority) {
        boolean[] usage = authority.getKeyUsage();
        if (usage != null && !usage[SIGNS_LISTS]) {
            throw new IllegalArgumentException(KEY + ": the authority " + authority.getSubjectX500Principal()
                    + " may not sign revocation lists, because the keyUsage of its certificate has no cRLSign;"
                    + " make a certificate for it that has");
        }
        List<X509CRL> own = lists.stream()
                .filter(list -> list.getIssuerX500Principal().equals(authority.getSubjectX500Principal()))
                .toList();
        if (own.isEmpty()) {
            throw new IllegalArgumentException(KEY + ": " + file + " has no list of the authority "
                    + authority.getSubjectX500Principal() + ", whose clients would all be refused; add its list, which"
                    + " may be empty");
        }
        if (own.stream().noneMatch(list -> isSignedBy(list, authority))) {
            throw new IllegalArgumentException(KEY + ": the list in " + file + " that says it is of "
                    + authority.getSubjectX500Principal() + " is not signed with the key of this authority");
        }
    }

    private static boolean isSignedBy(X509CRL list, X509Certificate authority) {
        try {
            list.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** When the first of them is too old. */
    Instant ends() {
        return lists.stream()
                .map(list -> list.getNextUpdate().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** When the last tenth of the time begins of the one that ends first: by then a new one should be there. */
    Instant endsSoon() {
        X509CRL first =
                lists.stream().min(Comparator.comparing(X509CRL::getNextUpdate)).orElseThrow();
        Duration whole = Duration.between(
                first.getThisUpdate().toInstant(), first.getNextUpdate().toInstant());
        return first.getNextUpdate().toInstant().minus(whole.dividedBy(10));
    }

    /** The number of revoked certificates. */
    long revoked() {
        return lists.stream()
                .mapToLong(list -> list.getRevokedCertificates() == null
                        ? 0
                        : list.getRevokedCertificates().size())
                .sum();
    }
}
