package io.reprise.node.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.reprise.net.peer.PeerTls;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PeerTlsFilesTest {
    @TempDir
    Path folder;

    private X509Bundle authority;

    @BeforeEach
    void makeAuthority() throws Exception {
        authority = new CertificateBuilder()
                .subject("CN=Cluster")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Files.writeString(file("authority"), authority.getCertificatePEM());
        issue("node-0");
    }

    private Path file(String name) {
        return folder.resolve(name + ".pem");
    }

    private void issue(String name) throws Exception {
        X509Bundle issued = new CertificateBuilder()
                .subject("CN=" + name)
                .addSanDnsName(name)
                .buildIssuedBy(authority);
        Files.writeString(file("certificate"), issued.getCertificatePathPEM());
        Files.writeString(file("key"), issued.getPrivateKeyPEM());
    }

    private PeerTlsFiles files() {
        return new PeerTlsFiles(file("certificate"), file("key"), file("authority"));
    }

    /** Completes a handshake in memory; returns the certificates that client and server have shown. */
    private static X509Certificate[] handshake(PeerTls tls) throws Exception {
        SSLEngine client = tls.context().createSSLEngine();
        client.setUseClientMode(true);
        SSLEngine server = tls.context().createSSLEngine();
        server.setUseClientMode(false);
        server.setNeedClientAuth(true);
        ByteBuffer up = ByteBuffer.allocate(1 << 16);
        ByteBuffer down = ByteBuffer.allocate(1 << 16);
        for (int i = 0; i < 50; i++) {
            pass(client, down, up);
            pass(server, up, down);
        }
        return new X509Certificate[] {
            (X509Certificate) server.getSession().getPeerCertificates()[0],
            (X509Certificate) client.getSession().getPeerCertificates()[0]
        };
    }

    private static void pass(SSLEngine engine, ByteBuffer from, ByteBuffer to) throws Exception {
        from.flip();
        engine.unwrap(from, ByteBuffer.allocate(1 << 16));
        from.compact();
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        if (engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP) {
            engine.wrap(ByteBuffer.allocate(0), to);
        }
    }

    @Test
    void shouldShowTheCertificateOnBothSides() throws Exception {
        X509Certificate[] shown = handshake(files().tls());

        assertThat(shown[0].getSubjectX500Principal().getName()).isEqualTo("CN=node-0");
        assertThat(shown[1].getSubjectX500Principal().getName()).isEqualTo("CN=node-0");
    }

    @Test
    void shouldTakeARenewedCertificate() throws Exception {
        PeerTlsFiles files = files();
        issue("node-0-renewed");

        files.look();

        assertThat(handshake(files.tls())[0].getSubjectX500Principal().getName())
                .isEqualTo("CN=node-0-renewed");
    }

    @Test
    void shouldNameTheKeyOfAFileThatCannotBeUsed() throws Exception {
        Files.writeString(file("key"), "nothing");

        assertThatThrownBy(this::files).hasMessageContaining("cluster.peer.key");
    }

    @Test
    void shouldRefuseAuthoritiesThatAreNone() throws Exception {
        Files.copy(file("certificate"), file("leaf"));

        assertThatThrownBy(() -> new PeerTlsFiles(file("certificate"), file("key"), file("leaf")))
                .hasMessageContaining("cluster.peer.authorities")
                .hasMessageContaining("which is no authority's");
    }
}
