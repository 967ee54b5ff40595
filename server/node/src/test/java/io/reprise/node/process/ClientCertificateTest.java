package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.X509Bundle;
import io.reprise.access.PasswordHash;
import io.reprise.access.Rights;
import io.reprise.access.User;
import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.ClientTls;
import io.reprise.client.ErrorCode;
import io.reprise.client.Reply;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.node.security.Certificates;
import io.reprise.node.security.UsersFile;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Hello;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that show certificates, at a node that wants them besides passwords, and at one that takes them instead. */
final class ClientCertificateTest {
    private static final String PASSWORD = "a long password";
    private static final String SCHEMA = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL);
            PARTITION TABLE account ON COLUMN id;
            CREATE PROCEDURE Add PARTITION ON TABLE account COLUMN id AS INSERT INTO account VALUES (?, ?);
            """;
    private static final int HALF_DONE = 1_030;
    private static final int TLS_HANDSHAKE = 0x16;

    @TempDir
    static Path folder;

    private static Certificates clients;
    private static ClientTls trust;

    /** Wants certificates, and passwords too. */
    private static NodeProcess wanting;

    /** Takes certificates instead of passwords. */
    private static NodeProcess naming;

    @BeforeAll
    static void start() throws Exception {
        Certificates servers = new Certificates();
        clients = new Certificates();
        trust = ClientTls.trusting(servers.authority(folder.resolve("ca.crt")));
        servers.issue("localhost", folder.resolve("node.crt"), folder.resolve("node.key"));
        clients.authority(folder.resolve("clients.crt"));
        clients.authority(folder.resolve("renewed.crt"));
        issue("ann", "CN=ann,O=Example");
        issue("bob", "CN=bob,O=Example");
        issue("stranger", "CN=stranger,O=Example");
        issue("two", "CN=ann,CN=bob,O=Example");
        Files.writeString(folder.resolve("schema.sql"), SCHEMA);
        new UsersFile(folder.resolve("users"))
                .change(users -> users.with(user("ann", PasswordHash.of(PASSWORD), "call", "sql", "watch"))
                        .with(user("bob", PasswordHash.ofNone(), "call")));
        wanting = node("wanting", "authorities: clients.crt");
        naming = node("naming", "authorities: clients.crt, required: false, nameUsers: true");
    }

    private static Instant inDays(int days) {
        return Instant.now().plus(Duration.ofDays(days));
    }

    private static User user(String name, PasswordHash hash, String... roles) {
        return new User(name, Rights.parse(List.of(roles)), Optional.of(hash));
    }

    private static void issue(String name, String subject) throws Exception {
        clients.issueClient(subject, inDays(10), certificate(name), key(name));
    }

    private static Path certificate(String name) {
        return folder.resolve(name + ".crt");
    }

    private static Path key(String name) {
        return folder.resolve(name + ".key");
    }

    private static ClientTls showing(String name) {
        return trust.withCertificate(certificate(name), key(name));
    }

    private static NodeProcess node(String name, String certificates) {
        return NodeProcess.start(ConfigurationFile.parse("""
                node: {name: %s}
                data: {directory: %s}
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                snapshot: {onStop: false}
                clients: {port: 0}
                http: {port: 0}
                security:
                  certificate: node.crt
                  key: node.key
                  users: users
                  clientCertificates: {%s}
                """.formatted(name, name, certificates), "test", folder));
    }

    @AfterAll
    static void stop() {
        wanting.close();
        naming.close();
    }

    private static ClientSettings to(NodeProcess node) {
        return ClientSettings.to(InetSocketAddress.createUnresolved(
                        "localhost", node.clients().orElseThrow().getPort()))
                .withConnectTimeout(Duration.ofSeconds(60));
    }

    /** Without waiting for the end of the time for connecting. */
    private static void assertRefused(ClientSettings settings, ErrorCode code, String why) {
        long beganNs = System.nanoTime();
        assertThatThrownBy(() -> Client.connect(settings).close())
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(why);
        assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void shouldAskForBothWhereCertificatesDoNotNameUsers() {
        try (Client client = Client.connect(to(wanting).withTls(showing("bob")).withUser("ann", PASSWORD))) {
            assertThat(client.call("Add", 1, 1).longValue()).isEqualTo(1);
        }
        assertRefused(
                to(wanting).withTls(trust).withUser("ann", PASSWORD),
                ErrorCode.NOT_AUTHENTICATED,
                "wants a certificate of its clients");
        assertRefused(to(wanting).withTls(showing("ann")), ErrorCode.NOT_AUTHENTICATED, "wants a user and a password");
        assertRefused(
                to(wanting).withTls(showing("ann")).withUser("ann", "a wrong password"),
                ErrorCode.NOT_AUTHENTICATED,
                "no user of this name with this password");
    }

    @Test
    void shouldTakeTheCertificateInsteadOfAPasswordWhereItNamesTheUser() {
        try (Client client = Client.connect(to(naming).withTls(showing("bob")))) {
            assertThat(client.call("Add", 2, 1).longValue()).isEqualTo(1);
            assertThatThrownBy(() -> client.sql("SELECT COUNT(*) FROM account"))
                    .hasMessageContaining("user bob may not run statements");
        }
        try (Client client = Client.connect(to(naming).withTls(trust).withUser("ann", PASSWORD))) {
            assertThat(client.sql("SELECT COUNT(*) FROM account").rows().count())
                    .isEqualTo(1);
        }
        assertRefused(
                to(naming).withTls(showing("bob")).withUser("ann", PASSWORD),
                ErrorCode.NOT_AUTHENTICATED,
                "the certificate is that of user bob");
        assertRefused(
                to(naming).withTls(showing("stranger")), ErrorCode.NOT_AUTHENTICATED, "there is no user stranger");
        assertRefused(to(naming).withTls(showing("two")), ErrorCode.NOT_AUTHENTICATED, "has no single CN");
        assertRefused(to(naming).withTls(trust), ErrorCode.NOT_AUTHENTICATED, "wants a user and a password");
        assertRefused(
                to(naming).withTls(trust).withUser("bob", "any password"),
                ErrorCode.NOT_AUTHENTICATED,
                "no user of this name with this password");
    }

    @Test
    void shouldRefuseACertificateThatDoesNotCountWhateverElseIsShown() throws Exception {
        Certificates others = new Certificates();
        others.issueClient("CN=ann", inDays(10), certificate("other"), key("other"));
        clients.issueClient("CN=ann", Instant.now().minusSeconds(60), certificate("expired"), key("expired"));
        clients.issue("localhost", certificate("server"), key("server"));

        for (NodeProcess node : List.of(wanting, naming)) {
            for (String shown : List.of("other", "expired", "server")) {
                assertRefused(
                        to(node).withTls(showing(shown)).withUser("ann", PASSWORD),
                        ErrorCode.NOT_CONNECTED,
                        "the server does not accept this client's certificate: ");
            }
        }
    }

    /** TLS names the authorities that a server accepts, and clients show what comes from one of these only. */
    @Test
    void shouldSayThatACertificateWasNotShownWhenItComesFromAnAuthorityOfAnotherName() throws Exception {
        new Certificates("CN=Another authority")
                .issueClient("CN=ann", inDays(10), certificate("foreign"), key("foreign"));

        assertRefused(
                to(wanting).withTls(showing("foreign")).withUser("ann", PASSWORD),
                ErrorCode.NOT_AUTHENTICATED,
                "this client's certificate was not shown, because the server asks for none, or for one of other authorities");
    }

    @Test
    void shouldRefuseAKeyThatIsNotTheCertificatesBeforeItConnects() throws Exception {
        clients.issueClient("CN=ann", inDays(10), certificate("kept"), key("kept"));
        clients.issueClient("CN=ann", inDays(10), certificate("lost"), key("lost"));

        assertThatThrownBy(() -> trust.withCertificate(certificate("kept"), key("lost")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lost.key")
                .hasMessageContaining("is not that of the certificate in")
                .hasMessageContaining("CN=ann");
    }

    @Test
    void shouldNeedNoCertificateForTheNodesToken() throws IOException {
        String token = RunFile.read(folder.resolve("wanting")).orElseThrow().token();

        try (Client client = Client.connect(to(wanting).withTls(trust).withUser(User.TOKEN_NAME, token))) {
            assertThat(client.sql("SELECT COUNT(*) FROM account").rows().count())
                    .isEqualTo(1);
        }
        assertRefused(
                to(wanting).withTls(trust).withUser(User.TOKEN_NAME, token + "0"),
                ErrorCode.NOT_AUTHENTICATED,
                "wants a certificate");
    }

    @Test
    void shouldAskOverHttpToo() throws Exception {
        assertThat(status(wanting, trust)).isEqualTo(401);
        assertThat(status(wanting, showing("ann"))).isEqualTo(401);
        assertThat(status(naming, trust)).isEqualTo(401);
        assertThat(status(naming, showing("ann"))).isEqualTo(200);
        assertThat(status(naming, showing("bob"))).isEqualTo(403);
    }

    private static int status(NodeProcess node, ClientTls tls) throws Exception {
        URI status = URI.create(node.url().orElseThrow().replace("127.0.0.1", "localhost") + "/status");
        try (HttpClient http = HttpClient.newBuilder().sslContext(tls.context()).build()) {
            return http.send(HttpRequest.newBuilder(status).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    @Test
    void shouldRefuseAResumedSessionWhenTheAuthorityWasReplaced() throws Exception {
        ClientTls tls = showing("ann");
        try (NodeProcess node = node("renewed", "authorities: renewed.crt, nameUsers: true")) {
            Client.connect(to(node).withTls(tls)).close();

            new Certificates().authority(folder.resolve("next.crt"));
            Files.move(folder.resolve("next.crt"), folder.resolve("renewed.crt"), StandardCopyOption.REPLACE_EXISTING);

            // It is noticed within a second or two.
            long deadlineNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (connects(node, tls)) {
                assertThat(System.nanoTime()).isLessThan(deadlineNs);
                Thread.onSpinWait();
            }
            assertThat(connects(node, showing("ann"))).isFalse();
        }
    }

    @Test
    void shouldRefuseARevokedCertificateAtBothPortsAndEndItsConnectionsWithoutARestart() throws Exception {
        X509Bundle carl = clients.issueClient("CN=ann,OU=Revoked", inDays(10), certificate("carl"), key("carl"));
        Path list = Files.write(folder.resolve("clients.crl"), clients.revocationList(inDays(3)));
        try (NodeProcess node =
                        node("revoking", "authorities: clients.crt, revocationList: clients.crl, nameUsers: true");
                Client revoked = Client.connect(to(node).withTls(showing("carl")));
                Client other = Client.connect(to(node).withTls(showing("bob")))) {
            revoked.call("Add", 1, 1);
            assertThat(status(node, showing("carl"))).isEqualTo(200);

            Path next = Files.writeString(
                    folder.resolve("next.crl"), Certificates.pem(clients.revocationList(inDays(3), carl)));
            Files.move(next, list, StandardCopyOption.REPLACE_EXISTING);
            awaitRefusal(revoked);

            assertThat(other.call("Add", 2, 1).longValue()).isEqualTo(1);
            assertThat(status(node, showing("ann"))).isEqualTo(200);
            assertThatThrownBy(() -> status(node, showing("carl"))).isInstanceOf(IOException.class);
            assertRefused(
                    to(node).withTls(showing("carl")),
                    ErrorCode.NOT_CONNECTED,
                    "the server does not accept this client's certificate: ");
            assertThat(metrics(node))
                    .contains("\nreprise_revoked_certificates 1", "\nreprise_revocation_list_outdated 0");

            Files.writeString(list, "half a list");
            awaitMetric(node, "\nreprise_revocation_list_outdated 1");
            assertThat(connects(node, showing("carl"))).isFalse();
            assertThat(connects(node, showing("bob"))).isTrue();
        }
    }

    /** It is noticed within a second or two. */
    private static void awaitRefusal(Client client) {
        long deadlineNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (true) {
            try {
                client.sql("SELECT COUNT(*) FROM account");
            } catch (CallException refused) {
                assertThat(refused).hasMessageContaining("the certificate of user ann has been revoked");
                return;
            }
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
        }
    }

    private static void awaitMetric(NodeProcess node, String line) throws Exception {
        long deadlineNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!metrics(node).contains(line)) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
        }
    }

    private static String metrics(NodeProcess node) throws Exception {
        URI metrics = URI.create(node.url().orElseThrow().replace("127.0.0.1", "localhost") + "/metrics");
        try (HttpClient http =
                HttpClient.newBuilder().sslContext(showing("ann").context()).build()) {
            return http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static boolean connects(NodeProcess node, ClientTls tls) {
        try {
            Client.connect(to(node).withTls(tls)).close();
            return true;
        } catch (CallException refused) {
            return false;
        }
    }

    /** In one of TLS 1.2 it could show another certificate than the one with which it has logged in, or none that can be revoked. */
    @Test
    void shouldEndAConnectionWhoseClientAsksForASecondHandshake() throws Exception {
        try (SSLSocket socket = (SSLSocket) showing("ann")
                .context()
                .getSocketFactory()
                .createSocket(
                        InetAddress.getLoopbackAddress(),
                        naming.clients().orElseThrow().getPort())) {
            socket.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.startHandshake();
            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
            assertThat(socket.getSession().getLocalCertificates()).isNotNull();
            MessageWriter hello = new MessageWriter(64);
            int begin = hello.beginFrame(Wire.HELLO);
            hello.raw(Hello.newBuilder()
                    .setLeastVersion(1)
                    .setGreatestVersion(1)
                    .build()
                    .toByteArray());
            hello.endFrame(begin);
            socket.getOutputStream().write(hello.toBytes());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int length = in.readInt();
            assertThat(in.readByte()).isEqualTo(Wire.WELCOME);
            in.skipNBytes(length - 1);

            // It only asks; a read shows the result.
            socket.startHandshake();

            assertThatThrownBy(() -> in.readFully(new byte[1]))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("handshake_failure");
        }
    }

    @Test
    void shouldSayWhatIsWrongWithTheAuthoritiesBeforeItStarts() {
        assertThatThrownBy(() -> node("wrong", "authorities: ann.crt").close())
                .hasMessageContaining("security.clientCertificates.authorities")
                .hasMessageContaining("which is no authority's");
        assertThatThrownBy(() -> node("wrong", "authorities: none.crt").close())
                .hasMessageContaining("there is no file");
        assertThatThrownBy(() -> trust.withCertificate(certificate("ann"), folder.resolve("ann.crt")))
                .hasMessageContaining("has no key in PEM");
        assertThat(folder.resolve("wrong")).doesNotExist();
    }

    @Test
    void shouldServeOthersWhileManyLeaveTheirHandshakesHalfDone() throws Exception {
        byte[] hello = clientHello();
        List<Socket> halfDone = new ArrayList<>();
        try (Client before = Client.connect(to(naming).withTls(showing("ann")))) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < HALF_DONE; i++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        naming.clients().orElseThrow().getPort());
                halfDone.add(socket);
                socket.getOutputStream().write(hello);
                assertThat(socket.getInputStream().read()).isEqualTo(TLS_HANDSHAKE);
                replies.add(before.callAsync("Add", 1_000 + i, 1));
            }
            // Soon: the node does not wait for it for long.
            assertThat(isEnded(halfDone.getLast(), Duration.ofMillis(200))).isFalse();
            try (Client during = Client.connect(to(naming).withTls(showing("bob")))) {
                assertThat(during.call("Add", 3, 1).longValue()).isEqualTo(1);
            }
            for (CompletableFuture<Reply> reply : replies) {
                assertThat(reply.join().longValue()).isEqualTo(1);
            }

            // The oldest had to go.
            assertThat(isEnded(halfDone.getFirst(), Duration.ofSeconds(30))).isTrue();
        } finally {
            for (Socket socket : halfDone) {
                socket.close();
            }
        }
    }

    /** Whether the server has ended the connection; there is nothing more to read then than its answer. */
    private static boolean isEnded(Socket socket, Duration patience) throws IOException {
        socket.setSoTimeout((int) patience.toMillis());
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static byte[] clientHello() throws Exception {
        SSLEngine engine = trust.context().createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        ByteBuffer bytes = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), bytes);
        return java.util.Arrays.copyOf(bytes.array(), bytes.position());
    }
}
