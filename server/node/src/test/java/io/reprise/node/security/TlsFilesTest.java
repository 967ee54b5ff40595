package io.reprise.node.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.reprise.runtime.time.SystemClock;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TlsFilesTest {
    @TempDir
    Path folder;

    private Path certificate;
    private Path key;

    @BeforeEach
    void name() {
        certificate = folder.resolve("node.crt");
        key = folder.resolve("node.key");
    }

    private TlsFiles open() {
        return new TlsFiles(certificate, key, Optional.empty(), SystemClock.INSTANCE);
    }

    @Test
    void shouldUseARenewedCertificateForTheNextConnection() throws Exception {
        X509Bundle first = new Certificates().issue("localhost", certificate, key);
        TlsFiles tls = open();
        Certificate before = shown(tls, first);

        X509Bundle second = new Certificates().issue("localhost", certificate, key);
        tls.look();

        assertThat(before).isEqualTo(first.getCertificate());
        assertThat(shown(tls, second)).isEqualTo(second.getCertificate());
    }

    @Test
    void shouldKeepTheCertificateUntilTheNewOneHasItsKey() throws Exception {
        X509Bundle first = new Certificates().issue("localhost", certificate, key);
        TlsFiles tls = open();

        X509Bundle second = new Certificates().issue("localhost", certificate, folder.resolve("new.key"));
        tls.look();
        Certificate between = shown(tls, first);
        Files.copy(folder.resolve("new.key"), key, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        tls.look();

        assertThat(between).isEqualTo(first.getCertificate());
        assertThat(shown(tls, second)).isEqualTo(second.getCertificate());
    }

    @Test
    void shouldTakeEachKindOfKey() throws Exception {
        for (CertificateBuilder.Algorithm algorithm : Arrays.asList(
                CertificateBuilder.Algorithm.rsa2048,
                CertificateBuilder.Algorithm.ecp384,
                CertificateBuilder.Algorithm.ed25519)) {
            X509Bundle made = new CertificateBuilder()
                    .algorithm(algorithm)
                    .subject("CN=localhost")
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
            Files.writeString(certificate, made.getCertificatePEM());
            Files.writeString(key, made.getPrivateKeyPEM());

            assertThat(shown(open(), made)).as(algorithm.name()).isEqualTo(made.getCertificate());
        }
    }

    @Test
    void shouldSayWhichFileIsWrongAndWhy() throws Exception {
        new Certificates().issue("localhost", certificate, key);
        String pem = Files.readString(key);
        String chain = Files.readString(certificate);

        Files.writeString(key, pem.replace("PRIVATE KEY", "EC PRIVATE KEY"));
        assertThatThrownBy(this::open).hasMessageContaining("security.key").hasMessageContaining("openssl pkcs8");
        Files.writeString(key, pem.substring(0, 60));
        assertThatThrownBy(this::open).hasMessageContaining("has no key in PEM");
        Files.writeString(key, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        assertThatThrownBy(this::open).hasMessageContaining("is no EC key");
        Files.writeString(key, pem);
        new Certificates().issue("localhost", certificate, folder.resolve("other.key"));
        assertThatThrownBy(this::open).hasMessageContaining("is not that of the certificate");
        Files.writeString(certificate, "no certificate");
        assertThatThrownBy(this::open).hasMessageContaining("security.certificate");
        Files.writeString(certificate, "");
        assertThatThrownBy(this::open).hasMessageContaining("has no certificate");
        Files.writeString(certificate, chain);
        Files.delete(key);
        assertThatThrownBy(this::open).hasMessageContaining("there is no file " + key);
    }

    @Test
    void shouldSayWhenACertificateDoesNotCountYetOrAnyMoreOrNotForLong() throws Exception {
        Instant end = Instant.parse("2030-01-31T00:00:00Z");
        X509Certificate own =
                new Certificates().issueClient("CN=node", end, certificate, key).getCertificate();

        assertThat(TlsFiles.timeProblem(own, Instant.parse("2029-12-31T00:00:00Z")))
                .hasValueSatisfying(
                        problem -> assertThat(problem).contains("not valid before 2030-01-01", "refuse it"));
        assertThat(TlsFiles.timeProblem(own, Instant.parse("2030-01-02T00:00:00Z")))
                .isEmpty();
        assertThat(TlsFiles.timeProblem(own, Instant.parse("2030-01-20T00:00:00Z")))
                .hasValue("expires at " + end);
        assertThat(TlsFiles.timeProblem(own, Instant.parse("2030-02-01T00:00:00Z")))
                .hasValueSatisfying(problem -> assertThat(problem).contains("has expired", "refuse it"));
    }

    /** The certificate that a client sees which trusts the one. */
    private static Certificate shown(TlsFiles tls, X509Bundle trusted) throws Exception {
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(null, new TrustManager[] {trusted.toTrustManager()}, null);
        InetAddress local = InetAddress.getLoopbackAddress();
        try (SSLServerSocket listening = (SSLServerSocket)
                        tls.tls().context().getServerSocketFactory().createServerSocket(0, 1, local);
                SSLSocket socket =
                        (SSLSocket) client.getSocketFactory().createSocket(local, listening.getLocalPort())) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try (SSLSocket accepted = (SSLSocket) listening.accept()) {
                    accepted.startHandshake();
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            socket.startHandshake();
            Certificate shown = socket.getSession().getPeerCertificates()[0];
            served.join();
            return shown;
        }
    }
}
