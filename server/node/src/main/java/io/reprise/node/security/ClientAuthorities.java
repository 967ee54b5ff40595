package io.reprise.node.security;

import io.reprise.access.AccessMeter;
import io.reprise.access.RevocationStatus;
import io.reprise.access.RevokedCertificates;
import io.reprise.certificate.PemFile;
import io.reprise.runtime.time.Clock;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Vouches for clients: a file of authorities, and perhaps one of their revocation lists; exchangeable while
 * connections are made. Trusts no server.
 *
 * <p>Only authorities may stand in it. The JDK takes a certificate that itself is among those that it trusts without
 * looking at anything else, so that one of a client would count for ever.
 *
 * <p>With lists, a certificate counts only if the JDK finds a list that is in its time and does not have it: a list
 * that gets too old locks all clients of its authority out. It looks into no list but these, and asks no server over the
 * network.
 */
final class ClientAuthorities extends X509ExtendedTrustManager {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.access");
    private static final String KEY = "security.clientCertificates.authorities";

    private final Path file;
    private final Optional<Path> listsFile;
    private final Clock clock;
    private final AccessMeter meter;
    private volatile Current current;
    private final WatchedFiles watched;
    private boolean toldOfEnd;
    private boolean toldOfEndSoon;

    /** Files that were read together. */
    private record Current(
            X509ExtendedTrustManager manager, Optional<RevocationLists> lists, RevokedCertificates revoked) {}

    /**
     * Reads the files.
     *
     * @param listsFile with the lists of what the authorities have revoked; empty: nothing is revoked
     * @param meter is told how it stands with these
     */
    ClientAuthorities(Path file, Optional<Path> listsFile, Clock clock, AccessMeter meter) {
        this.file = file;
        this.listsFile = listsFile;
        this.clock = clock;
        this.meter = meter;
        watched = new WatchedFiles(
                Stream.concat(Stream.of(file), listsFile.stream()).toList());
        use(read());
    }

    /** Those that don't count any more though an authority vouches for them. Another object when that has changed. */
    RevokedCertificates revoked() {
        return current.revoked();
    }

    private Current read() {
        try {
            List<X509Certificate> authorities =
                    List.of(PemFile.namedBy(KEY, file).certificates());
            authorities.forEach(this::checkIsAuthority);
            Optional<RevocationLists> lists = listsFile.map(path -> RevocationLists.read(path, authorities, now()));
            Set<TrustAnchor> anchors = authorities.stream()
                    .map(authority -> new TrustAnchor(authority, null))
                    .collect(Collectors.toSet());
            PKIXBuilderParameters rules = new PKIXBuilderParameters(anchors, new X509CertSelector());
            rules.setRevocationEnabled(lists.isPresent());
            if (lists.isPresent()) {
                rules.addCertStore(CertStore.getInstance(
                        "Collection",
                        new CollectionCertStoreParameters(lists.get().lists())));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(new CertPathTrustManagerParameters(rules));
            return new Current(
                    (X509ExtendedTrustManager) factory.getTrustManagers()[0],
                    lists,
                    lists.map(known -> new RevokedCertificates(known.lists())).orElse(RevokedCertificates.NONE));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(KEY + ": the authorities in " + file + " can't be used: " + e, e);
        }
    }

    private void checkIsAuthority(X509Certificate authority) {
        if (authority.getBasicConstraints() < 0) {
            throw new IllegalArgumentException(KEY + ": " + file + " has the certificate of "
                    + authority.getSubjectX500Principal() + ", which is no authority's; name the file with the"
                    + " authority that clients' certificates come from");
        }
    }

    private void use(Current next) {
        current = next;
        toldOfEnd = false;
        toldOfEndSoon = false;
        next.lists().ifPresent(lists -> {
            tell(lists, false);
            LOG.info(
                    "{} certificates of clients are revoked by {}, which is good until {}.",
                    lists.revoked(),
                    listsFile.orElseThrow(),
                    lists.ends());
        });
    }

    private void tell(RevocationLists lists, boolean outdated) {
        meter.revocation(new RevocationStatus(lists.ends(), lists.revoked(), outdated));
    }

    /** Takes what has changed, and says so when a list gets too old. */
    void look() {
        watched.look(this::takeChange, this::refused);
        current.lists().ifPresent(this::lookAtTime);
    }

    private void takeChange() {
        use(read());
        LOG.info("Clients' certificates have to come from the authorities that {} has now.", file);
    }

    private void refused(String why) {
        current.lists().ifPresent(lists -> tell(lists, true));
        LOG.error("The clients' authorities or what they have revoked has changed, and those before stay: {}", why);
    }

    private void lookAtTime(RevocationLists lists) {
        Instant now = now();
        if (!toldOfEnd && lists.ends().isBefore(now)) {
            toldOfEnd = true;
            LOG.error(
                    "The revocation list in {} is too old since {}: certificates of clients don't count a quarter of an hour behind that, until there is a new one.",
                    listsFile.orElseThrow(),
                    lists.ends());
        } else if (!toldOfEndSoon && !toldOfEnd && lists.endsSoon().isBefore(now)) {
            toldOfEndSoon = true;
            LOG.warn(
                    "The revocation list in {} is too old from {} on, and no certificate of a client will count then: a new"
                            + " one is due.",
                    listsFile.orElseThrow(),
                    lists.ends());
        }
    }

    private Instant now() {
        return Instant.EPOCH.plus(clock.epochMicros(), ChronoUnit.MICROS);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        current.manager().checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        current.manager().checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        current.manager().checkClientTrusted(chain, authType, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("these authorities vouch for clients only");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkServerTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkServerTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return current.manager().getAcceptedIssuers();
    }
}
