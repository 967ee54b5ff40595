package io.reprise.node.security;

import io.reprise.certificate.KeyPair;
import io.reprise.certificate.PemFile;
import io.reprise.net.peer.PeerTls;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of mutual TLS between nodes: this node's certificate and key, and the cluster's authorities. A renewed
 * certificate serves connections that are made afterwards; other authorities take effect at the next start.
 *
 * <p>Opened by the node's thread; {@link #look} belongs to one thread.
 */
public final class PeerTlsFiles {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.peers");
    private static final String CERTIFICATE = "cluster.peer.certificate";
    private static final String KEY = "cluster.peer.key";
    private static final String AUTHORITIES = "cluster.peer.authorities";

    private final Path certificate;
    private final Path key;
    private final RenewableKeys keys = new RenewableKeys();
    private final WatchedFiles watched;
    private final PeerTls tls;

    /** Reads the files; throws IllegalArgumentException with the configuration's key if one can't be used. */
    public PeerTlsFiles(Path certificate, Path key, Path authorities) {
        this.certificate = certificate;
        this.key = key;
        watched = new WatchedFiles(List.of(certificate, key));
        keys.use(read());
        if (FilePermissions.othersMay(key, PosixFilePermission.OTHERS_READ)) {
            LOG.warn("All users of this machine may read the private key {}: chmod 600 {}", key, key);
        }
        tls = PeerTls.of(context(authorities));
    }

    private SSLContext context(Path authorities) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            int count = 0;
            for (X509Certificate authority :
                    PemFile.namedBy(AUTHORITIES, authorities).certificates()) {
                if (authority.getBasicConstraints() < 0) {
                    throw new IllegalArgumentException(AUTHORITIES + ": " + authorities + " has the certificate of "
                            + authority.getSubjectX500Principal()
                            + ", which is no authority's; name the file with the authority that nodes' certificates"
                            + " come from");
                }
                trusted.setCertificateEntry("authority-" + count++, authority);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {keys}, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    AUTHORITIES + ": the authorities in " + authorities + " can't be used: " + e, e);
        }
    }

    private KeyPair read() {
        return KeyPair.read(PemFile.namedBy(CERTIFICATE, certificate), PemFile.namedBy(KEY, key), "node");
    }

    /** The TLS between nodes. */
    public PeerTls tls() {
        return tls;
    }

    /** Takes a renewed certificate, from time to time. */
    public void look() {
        watched.look(
                () -> {
                    keys.use(read());
                    LOG.info("Links between nodes use the new certificate in {}.", certificate);
                },
                why -> LOG.warn("The certificate for peers has changed, and the one before stays in use: {}", why));
    }
}
