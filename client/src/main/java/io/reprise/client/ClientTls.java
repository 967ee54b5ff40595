package io.reprise.client;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.reprise.certificate.Fingerprint;
import io.reprise.certificate.KeyPair;
import io.reprise.certificate.PemFile;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * The client's side of TLS: recognises servers and encrypts connections. There is no way to trust any server: such trust would
 * not keep out a reader of the traffic, who can mostly answer too.
 */
public final class ClientTls {
    private static final String ALERT = "Received fatal alert: ";
    private static final char[] NO_PASSWORD = new char[0];

    private final TrustManager[] trust;
    private final SSLContext context;
    private final boolean checksName;
    private final boolean hasCertificate;

    private ClientTls(KeyManager[] own, TrustManager[] trust, boolean checksName) {
        hasCertificate = own != null;
        this.trust = trust;
        this.checksName = checksName;
        context = context(own, trust);
    }

    /** Servers whose certificates come from the authorities that this JVM trusts, and have their names or addresses. */
    public static ClientTls trustingUsualAuthorities() {
        return new ClientTls(null, null, true);
    }

    /**
     * Servers whose certificates come from these authorities, or are among these, and have their names or addresses.
     *
     * @param certificates a file in PEM, read now
     */
    public static ClientTls trusting(Path certificates) {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (X509Certificate certificate : PemFile.of(certificates).certificates()) {
                trusted.setCertificateEntry("trusted-" + number++, certificate);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return new ClientTls(null, factory.getTrustManagers(), true);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("can't trust the certificates in " + certificates + ": " + e, e);
        }
    }

    /**
     * Only the server that has this certificate, by whatever name or address it is called: for who has the certificate from the
     * server's own machine.
     *
     * @param certificate a file in PEM, whose first certificate counts; read now
     */
    public static ClientTls pinned(Path certificate) {
        return pinned(Fingerprint.of(PemFile.of(certificate).certificates()[0]));
    }

    /**
     * The same.
     *
     * @param fingerprint the SHA-256 of the certificate, in hexadecimal digits, also as {@code AB:CD:...}, which openssl prints
     * @throws IllegalArgumentException if it is none
     */
    public static ClientTls pinned(String fingerprint) {
        return new ClientTls(null, new TrustManager[] {new PinnedCertificate(Fingerprint.parse(fingerprint))}, false);
    }

    /**
     * The same, showing this certificate to servers that ask for one.
     *
     * @param certificate a file in PEM with the client's own certificate first, and those that vouch for it behind it; read now
     * @param key a file in PEM with its private key, in PKCS #8 without a password; read now
     */
    public ClientTls withCertificate(Path certificate, Path key) {
        KeyPair pair = KeyPair.read(PemFile.of(certificate), PemFile.of(key), "client");
        try {
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, null);
            own.setKeyEntry("own", pair.key(), NO_PASSWORD, pair.chain());
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(own, NO_PASSWORD);
            return new ClientTls(factory.getKeyManagers(), trust, checksName);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "the certificate in " + certificate + " and the key in " + key + " can't be used: " + e, e);
        }
    }

    /**
     * For connections that others make. Its users have to ask for the name to be checked, unless it was made by
     * {@link #pinned}.
     */
    public SSLContext context() {
        return context;
    }

    /** Whether there is a certificate for servers that ask for one. */
    boolean hasCertificate() {
        return hasCertificate;
    }

    SSLEngine engine(String host, int port) {
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        if (checksName) {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
        }
        return engine;
    }

    private static SSLContext context(KeyManager[] own, TrustManager[] trust) {
        try {
            SSLContext made = SSLContext.getInstance("TLS");
            made.init(own, trust, null);
            return made;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no TLS", e);
        }
    }

    /** Whether the next handshake may go well: this one just ended, as those do that are too many for a server. */
    static boolean mayPass(Throwable failure) {
        return failure instanceof ClosedChannelException || failure instanceof SslHandshakeTimeoutException;
    }

    /** Whether the server has said what is wrong with the handshake. With TLS 1.3 it does after the client's side of it has ended. */
    static boolean isRefusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException
                    && String.valueOf(cause.getMessage()).contains(ALERT)) {
                return true;
            }
        }
        return false;
    }

    /** The problem of a handshake, in words for people. */
    static String explain(Throwable failure) {
        if (failure instanceof NotSslRecordException) {
            return "the server does not speak TLS on this port";
        }
        if (failure instanceof ClosedChannelException) {
            return "the server ended the TLS handshake without a word; it may have too many under way";
        }
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String message = String.valueOf(deepest.getMessage());
        if (message.contains(ALERT)) {
            String said = message.substring(message.indexOf(ALERT) + ALERT.length());
            return said.contains("certificate") || said.equals("unknown_ca")
                    ? "the server does not accept this client's certificate: " + said
                    : "the server ended the TLS handshake: " + said;
        }
        if (deepest instanceof CertificateException || failure instanceof SSLException && message.contains("PKIX")) {
            return "the server's certificate is not accepted: " + message;
        }
        return deepest instanceof GeneralSecurityException
                ? "the server's certificate is not accepted: " + message
                : "no TLS with the server: " + message;
    }
}
