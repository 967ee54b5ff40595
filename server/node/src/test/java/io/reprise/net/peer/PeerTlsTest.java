package io.reprise.net.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.reprise.cluster.Link;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Mutual TLS between nodes: the refusals, and their messages. */
final class PeerTlsTest {
    private final List<PeerPort> ports = new ArrayList<>();
    private X509Bundle authority;

    @BeforeEach
    void makeAuthority() throws Exception {
        authority = authority();
    }

    @AfterEach
    void close() {
        ports.forEach(PeerPort::close);
    }

    private static X509Bundle authority() throws Exception {
        return new CertificateBuilder()
                .subject("CN=Test authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    private static PeerTls tls(X509Bundle trusted, X509Bundle issuer, String name) throws Exception {
        X509Bundle own = new CertificateBuilder()
                .subject("CN=" + name)
                .addSanDnsName(name)
                .buildIssuedBy(issuer);
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(own.toKeyStore(new char[0]), new char[0]);
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("authority", trusted.getCertificate());
        TrustManagerFactory trusts = TrustManagerFactory.getInstance("PKIX");
        trusts.init(trust);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusts.getTrustManagers(), null);
        return PeerTls.of(context);
    }

    private PeerPort open(PeerSettings settings) {
        PeerPort port = PeerPorts.open(settings);
        ports.add(port);
        return port;
    }

    private PeerPort node(int node) throws Exception {
        return open(PeerPorts.settings(node, tls(authority, authority, "node-" + node)));
    }

    private String refusal(PeerPort from, PeerPort to) {
        Link link = from.connect(PeerPorts.address(to));
        PeerPorts.await(() -> link.state() == Link.State.CLOSED);
        return from.problems().get(PeerPorts.address(to));
    }

    @Test
    void shouldCarryFramesOfNodesWithCertificatesOfTheCluster() throws Exception {
        PeerPort from = node(0);
        PeerPort to = node(1);
        byte[] frame = new byte[3 << 20];
        frame[frame.length - 1] = 8;

        Link link = from.connect(PeerPorts.address(to));
        PeerPorts.await(() -> link.send(frame, 0, frame.length));
        Link[] accepted = new Link[1];
        byte[][] received = new byte[1][];
        PeerPorts.await(() -> accepted[0] != null || (accepted[0] = to.accept()) != null);
        PeerPorts.await(() -> (received[0] = accepted[0].receive()) != null);

        assertThat(received[0]).isEqualTo(frame);
    }

    @Test
    void shouldRefuseACertificateOfAnotherNode() throws Exception {
        PeerPort from = open(PeerPorts.settings(0, tls(authority, authority, "node-7")));

        assertThat(refusal(from, node(1)))
                .contains("node 0 shows a certificate for [node-7, node-7], which has to name node-0");
    }

    @Test
    void shouldNotTalkToAServerWithACertificateOfAnotherNode() throws Exception {
        PeerPort to = open(PeerPorts.settings(1, tls(authority, authority, "node-7")));

        assertThat(refusal(node(0), to))
                .contains("node 1 shows a certificate for")
                .contains("has to name node-1");
    }

    @Test
    void shouldRefuseACertificateOfAnotherAuthority() throws Exception {
        PeerPort from = open(PeerPorts.settings(0, tls(authority, authority(), "node-0")));
        PeerPort to = node(1);

        Link link = from.connect(PeerPorts.address(to));
        PeerPorts.await(() -> link.state() == Link.State.CLOSED);

        assertThat(to.accept()).isNull();
        assertThat(from.problems()).containsKey(PeerPorts.address(to));
    }

    @Test
    void shouldNotTrustAServerOfAnotherAuthority() throws Exception {
        PeerPort to = open(PeerPorts.settings(1, tls(authority, authority(), "node-1")));

        assertThat(refusal(node(0), to)).contains("the TLS handshake failed").contains("the cluster's authority");
    }

    @Test
    void shouldTellAPeerWithoutTlsToUseIt() throws Exception {
        assertThat(refusal(open(PeerPorts.settings(0)), node(1)))
                .contains("node 1 requires TLS between nodes")
                .contains("certificate, key and authorities");
    }

    @Test
    void shouldTellThatAServerHasNoTls() throws Exception {
        PeerPort to = open(PeerPorts.settings(1));

        assertThat(refusal(node(0), to)).isNotEmpty();
        assertThat(to.accept()).isNull();
    }
}
