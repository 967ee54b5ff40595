package io.reprise.node.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who vouches for clients: a file of authorities, exchangeable while connections are made. Trusts nobody as a server.
 *
 * <p>Only authorities may stand in it. The JDK takes a certificate that itself is among those that it trusts without looking at
 * anything else, so that one of a client would count for ever.
 */
final class ClientAuthorities extends X509ExtendedTrustManager {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.access");
    private static final String KEY = "security.clientCertificates.authorities";

    private final Path file;
    private volatile X509ExtendedTrustManager current;
    private FileStamp seen;

    ClientAuthorities(Path file) {
        this.file = file;
        seen = FileStamp.of(file);
        current = read(file);
    }

    private static X509ExtendedTrustManager read(Path file) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (X509Certificate authority : KeyPair.certificates(KEY, file)) {
                if (authority.getBasicConstraints() < 0) {
                    throw new IllegalArgumentException(KEY + ": " + file + " has the certificate of "
                            + authority.getSubjectX500Principal() + ", which is no authority's; name the file with the"
                            + " authority that clients' certificates come from");
                }
                store.setCertificateEntry("authority-" + number++, authority);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(KEY + ": the authorities in " + file + " can't be used: " + e, e);
        }
    }

    /** Takes what has changed. Connections that there are go on. */
    void look() {
        FileStamp now = FileStamp.of(file);
        if (now.equals(seen)) {
            return;
        }
        seen = now;
        try {
            current = read(file);
            LOG.info("Clients' certificates have to come from the authorities that {} has now.", file);
        } catch (IllegalArgumentException | UncheckedIOException e) {
            LOG.error("The clients' authorities have changed, and those before stay: {}", e.getMessage());
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        current.checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        current.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        current.checkClientTrusted(chain, authType, engine);
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
        return current.getAcceptedIssuers();
    }
}
