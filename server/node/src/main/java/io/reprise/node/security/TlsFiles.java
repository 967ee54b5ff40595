package io.reprise.node.security;

import io.reprise.access.Tls;
import io.reprise.certificate.Fingerprint;
import io.reprise.certificate.KeyPair;
import io.reprise.certificate.PemFile;
import io.reprise.runtime.time.Clock;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate and its key on disk, and the TLS that is made with them. When they change, connections from then on are made
 * with the new ones; those that there are go on.
 */
final class TlsFiles {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.access");
    private static final String REFUSED = ": clients that trust its authority refuse it";
    private static final Duration SOON = Duration.ofDays(14);

    /** Whether clients may shake hands a second time in a connection. A second handshake costs time, and may show another certificate or none. */
    private static final String NO_SECOND_HANDSHAKE = "jdk.tls.rejectClientInitiatedRenegotiation";

    static {
        // Read once, by the JDK's classes for TLS.
        if (System.getProperty(NO_SECOND_HANDSHAKE) == null) {
            System.setProperty(NO_SECOND_HANDSHAKE, "true");
        }
    }

    private final Path certificate;
    private final Path key;
    private final Clock clock;
    private final RenewableKeys keys = new RenewableKeys();
    private final SSLContext context;
    private final Optional<ClientAuthorities> authorities;
    private final WatchedFiles watched;
    private volatile String fingerprint;

    /**
     * Reads the files.
     *
     * @param authorities vouch for clients; empty: clients are not asked for certificates
     */
    TlsFiles(Path certificate, Path key, Optional<ClientAuthorities> authorities, Clock clock) {
        this.authorities = authorities;
        this.certificate = certificate;
        this.key = key;
        this.clock = clock;
        watched = new WatchedFiles(List.of(certificate, key));
        use(read());
        try {
            context = SSLContext.getInstance("TLS");
            context.init(
                    new KeyManager[] {keys},
                    authorities.map(trusted -> new TrustManager[] {trusted}).orElse(null),
                    null);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    /** The encryption of ports with them. */
    Tls tls() {
        return new Tls(context, authorities.isPresent());
    }

    /**
     * The fingerprint of the certificate in use, by which a client on this machine can recognise the node. Any
     * thread.
     */
    String fingerprint() {
        return fingerprint;
    }

    /** Takes what has changed. Two files can't be replaced at once, so what does not fit together may fit a moment later. */
    void look() {
        authorities.ifPresent(ClientAuthorities::look);
        watched.look(
                () -> {
                    use(read());
                    LOG.info("TLS has the new certificate in {}.", certificate);
                },
                why -> LOG.warn("The certificate has changed, and the one before stays in use: {}", why));
    }

    private KeyPair read() {
        return KeyPair.read(
                PemFile.namedBy("security.certificate", certificate), PemFile.namedBy("security.key", key), "server");
    }

    private void use(KeyPair pair) {
        keys.use(pair);
        if (FilePermissions.othersMay(key, PosixFilePermission.OTHERS_READ)) {
            LOG.warn("All users of this machine may read the private key {}: chmod 600 {}", key, key);
        }
        X509Certificate own = pair.chain()[0];
        fingerprint = Fingerprint.of(own);
        Instant now = Instant.EPOCH.plus(clock.epochMicros(), ChronoUnit.MICROS);
        timeProblem(own, now).ifPresent(problem -> LOG.warn("The certificate in {} {}.", certificate, problem));
    }

    /** A message about the time in which a certificate counts; nothing while it does, and will for some time. */
    static Optional<String> timeProblem(X509Certificate own, Instant now) {
        Instant begin = own.getNotBefore().toInstant();
        Instant end = own.getNotAfter().toInstant();
        if (begin.isAfter(now)) {
            return Optional.of("is not valid before " + begin + REFUSED);
        }
        if (end.isBefore(now)) {
            return Optional.of("has expired at " + end + REFUSED);
        }
        return end.isBefore(now.plus(SOON)) ? Optional.of("expires at " + end) : Optional.empty();
    }
}
