package io.reprise.client;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts the holder of one certificate and nobody else. Whether it has expired does not matter: it is known to be that one's. */
final class PinnedCertificate extends X509ExtendedTrustManager {
    private final X509Certificate only;

    PinnedCertificate(X509Certificate only) {
        this.only = only;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyType) throws CertificateException {
        if (chain.length == 0 || !chain[0].equals(only)) {
            throw new CertificateException("the server has another certificate than the one that was expected, that of "
                    + only.getSubjectX500Principal() + "; it may have been renewed a moment ago");
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
        return new X509Certificate[] {only};
    }
}
