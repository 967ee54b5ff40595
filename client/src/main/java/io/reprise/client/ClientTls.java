package io.reprise.client;

import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * How a client recognises its servers, and encrypts what it says to them. There is no way to trust just any server: that would
 * keep out nobody who can read what passes by, because who can read can mostly answer too.
 */
public final class ClientTls {
    private final SSLContext context;
    private final boolean checksName;

    private ClientTls(SSLContext context, boolean checksName) {
        this.context = context;
        this.checksName = checksName;
    }

    /** Servers whose certificates come from the authorities that this JVM trusts, and have their names or addresses. */
    public static ClientTls trustingUsualAuthorities() {
        return new ClientTls(context(null), true);
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
            for (X509Certificate certificate : read(certificates)) {
                trusted.setCertificateEntry("trusted-" + number++, certificate);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return new ClientTls(context(factory.getTrustManagers()), true);
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
        X509Certificate only = read(certificate).get(0);
        return new ClientTls(context(new TrustManager[] {new PinnedCertificate(only)}), false);
    }

    /** For connections that others make. Who uses it has to ask for the name to be checked, unless it was made by {@link #pinned}. */
    public SSLContext context() {
        return context;
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

    private static SSLContext context(TrustManager[] trust) {
        try {
            SSLContext made = SSLContext.getInstance("TLS");
            made.init(null, trust, null);
            return made;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no TLS", e);
        }
    }

    private static List<X509Certificate> read(Path file) {
        List<X509Certificate> certificates = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            CertificateFactory.getInstance("X.509").generateCertificates(in).forEach(certificate -> {
                certificates.add((X509Certificate) certificate);
            });
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + file + " with certificates to trust", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("can't read the certificates to trust in " + file + ": " + e, e);
        } catch (CertificateException e) {
            throw new IllegalArgumentException(
                    file + " has no certificates in PEM, the form that begins with -----BEGIN CERTIFICATE-----: "
                            + e.getMessage(),
                    e);
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException(
                    file + " has no certificate; it should have one that begins with -----BEGIN CERTIFICATE-----");
        }
        return certificates;
    }

    /** What went wrong with a handshake, as a person would want it. */
    static String explain(Throwable failure) {
        if (failure instanceof NotSslRecordException) {
            return "the server does not speak TLS on this port";
        }
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String message = String.valueOf(deepest.getMessage());
        if (deepest instanceof CertificateException || failure instanceof SSLException && message.contains("PKIX")) {
            return "the server's certificate is not accepted: " + message;
        }
        return deepest instanceof GeneralSecurityException
                ? "the server's certificate is not accepted: " + message
                : "no TLS with the server: " + message;
    }
}
