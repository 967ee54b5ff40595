package io.reprise.node.security;

import io.reprise.certificate.KeyPair;
import io.reprise.certificate.PemFile;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The TLS between nodes, from a node's files: its certificate and key, and the authorities of the cluster. Read at the start. */
public final class PeerCertificates {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.access");

    private PeerCertificates() {}

    /** A context that shows the certificate, and trusts those of the authorities alone. */
    public static SSLContext context(Path certificate, Path key, Path authorities) {
        KeyPair pair = KeyPair.read(
                PemFile.namedBy("cluster.peer.certificate", certificate),
                PemFile.namedBy("cluster.peer.key", key),
                "server");
        if (FilePermissions.othersMay(key, PosixFilePermission.OTHERS_READ)) {
            LOG.warn("Everybody on this machine may read the private key {}: chmod 600 {}", key, key);
        }
        X509Certificate[] trusted =
                PemFile.namedBy("cluster.peer.authorities", authorities).certificates();
        RenewableKeys keys = new RenewableKeys();
        keys.use(pair);
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < trusted.length; i++) {
                store.setCertificateEntry("authority-" + i, trusted[i]);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {keys}, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "cluster.peer: TLS between nodes can't be made of " + certificate + " and " + authorities + ": "
                            + e,
                    e);
        }
    }
}
