package io.reprise.client;

import io.reprise.certificate.Fingerprint;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts the holder of one certificate only. Whether it has expired does not matter: it is known to be that one's. */
final class PinnedCertificate extends X509ExtendedTrustManager {
    private final String fingerprint;

    /** Of the one that has this, as {@link Fingerprint#of} gives it. */
    PinnedCertificate(String fingerprint) {
        this.fingerprint = fingerprint;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyType) throws CertificateException {
        if (chain.length == 0 || !Fingerprint.of(chain[0]).equals(fingerprint)) {
            throw new CertificateException(
                    "the server has another certificate than the one that was expected, whose SHA-256 is " + fingerprint
                            + "; it may have been renewed a moment ago");
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyType, Socket socket) throws CertificateException {
        checkServerTrusted(chain, keyType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
            throws CertificateException {
        checkServerTrusted(chain, keyType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyType) throws CertificateException {
        throw new CertificateException("this is for clients, which trust servers");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyType, Socket socket) throws CertificateException {
        checkClientTrusted(chain, keyType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
            throws CertificateException {
        checkClientTrusted(chain, keyType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
