package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.reprise.configuration.NodeConfiguration;
import io.reprise.node.http.HttpEndpoint;
import io.reprise.node.http.PrometheusChecker;
import io.reprise.node.security.Certificates;
import io.reprise.node.security.UsersFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node with TLS and users, over real sockets: for clients and over HTTP. Its certificate is for the name localhost. */
final class SecureNodeTest {
    private static final String PASSWORD = "a long password";
    private static final Duration CONNECTING = Duration.ofMinutes(1);
    private static final String SCHEMA = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL);
            PARTITION TABLE account ON COLUMN id;
            CREATE PROCEDURE Add PARTITION ON TABLE account COLUMN id AS INSERT INTO account VALUES (?, ?);
            """;

    @TempDir
    static Path folder;

    private static Path authority;
    private static NodeProcess node;
    private static HttpClient http;

    @BeforeAll
    static void start() throws Exception {
        Certificates certificates = new Certificates();
        authority = certificates.authority(folder.resolve("ca.crt"));
        certificates.issue("localhost", folder.resolve("node.crt"), folder.resolve("node.key"));
        Files.writeString(folder.resolve("schema.sql"), SCHEMA);
        PasswordHash hash = PasswordHash.of(PASSWORD);
        new UsersFile(folder.resolve("users"))
                .change(users -> users.with(user("ann", hash, "call", "sql"))
                        .with(user("reader", hash, "read"))
                        .with(user("watcher", hash, "watch"))
                        .with(user("root", hash, "administer"))
                        .with(user("none", hash, "call:Nothing")));
        node = NodeProcess.start(configuration("clients: {port: 0}\nhttp: {port: 0}"));
        http = HttpClient.newBuilder()
                .sslContext(ClientTls.trusting(authority).context())
                .build();
    }

    private static User user(String name, PasswordHash hash, String... roles) {
        return new User(name, Rights.parse(List.of(roles)), Optional.of(hash));
    }

    private static NodeConfiguration configuration(String more) {
        return ConfigurationFile.parse("""
                engine: {partitions: 2, memoryPerPartition: 64MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                snapshot: {onStop: false}
                security: {certificate: node.crt, key: node.key, users: users}
                """ + more, "test", folder);
    }

    @AfterAll
    static void stop() {
        http.close();
        node.close();
    }

    private static ClientSettings settings(String host) {
        return ClientSettings.to(InetSocketAddress.createUnresolved(
                        host, node.clients().orElseThrow().getPort()))
                .withConnectTimeout(CONNECTING)
                .withUser("ann", PASSWORD);
    }

    private static void assertNotConnected(ClientSettings settings, String why) {
        // This must not wait for the time for connecting.
        long beganNs = System.nanoTime();
        assertThatThrownBy(() -> Client.connect(settings).close())
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_CONNECTED))
                .hasMessageContaining(why);
        assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(CONNECTING.dividedBy(2));
    }

    @Test
    void shouldCallOverTlsWhenTheAuthorityIsTrusted() {
        try (Client client = Client.connect(settings("localhost").withTls(ClientTls.trusting(authority)))) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                replies.add(client.callAsync("Add", i, i));
            }
            replies.forEach(CompletableFuture::join);

            var rows = client.sql("SELECT id, balance FROM account WHERE id < 2000")
                    .rows();

            assertThat(rows.count()).isEqualTo(2000);
        }
    }

    @Test
    void shouldRefuseAServerWhoseAuthorityIsNotTrusted() throws Exception {
        Path other = new Certificates().authority(folder.resolve("other.crt"));

        assertNotConnected(
                settings("localhost").withTls(ClientTls.trusting(other)), "the server's certificate is not accepted");
        assertNotConnected(
                settings("localhost").withTls(ClientTls.trustingUsualAuthorities()),
                "the server's certificate is not accepted");
        assertNotConnected(settings("localhost").withTls(ClientTls.pinned(other)), "another certificate than the one");
    }

    @Test
    void shouldRefuseAServerOfAnotherNameUnlessItsCertificateIsKnown() {
        assertNotConnected(settings("127.0.0.1").withTls(ClientTls.trusting(authority)), "127.0.0.1");
        try (Client client =
                Client.connect(settings("127.0.0.1").withTls(ClientTls.pinned(folder.resolve("node.crt"))))) {
            assertThat(client.sql("SELECT COUNT(*) FROM account").rows().count())
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldTellAClientWithoutTlsThatThePortSpeaksNothingElse() {
        assertNotConnected(settings("localhost"), "TLS_REQUIRED: this port speaks TLS only");
    }

    /** With TLS, and without. */
    @Test
    void shouldTellAClientAtTheHttpPortThatCallsGoElsewhere() {
        int port = URI.create(node.url().orElseThrow()).getPort();
        ClientSettings page = ClientSettings.to(InetSocketAddress.createUnresolved("localhost", port))
                .withUser("clerk", PASSWORD)
                .withConnectTimeout(CONNECTING);

        assertNotConnected(page.withTls(ClientTls.trusting(authority)), "an HTTP server answers there");
        assertNotConnected(page, "calls go to 21212 unless");
    }

    @Test
    void shouldTellABrowserWithoutTlsAtThePortForCallsWhereThePageIs() throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), node.clients().orElseThrow().getPort())) {
            socket.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("port for calls");
        }
    }

    @Test
    void shouldSayWhichFileToTrustIsWrong() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.crt"), "");

        assertThatThrownBy(() -> ClientTls.trusting(folder.resolve("none.crt")))
                .hasMessageContaining("there is no file");
        assertThatThrownBy(() -> ClientTls.trusting(empty)).hasMessageContaining("has no certificate");
        assertThatThrownBy(() -> ClientTls.trusting(folder.resolve("node.key")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldAnswerOthersWhileSomeSayNothing() throws IOException {
        int port = node.clients().orElseThrow().getPort();
        try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), port);
                Socket half = new Socket(InetAddress.getLoopbackAddress(), port);
                Client client = Client.connect(settings("localhost").withTls(ClientTls.trusting(authority)))) {
            // The beginning of a TLS handshake, and no more.
            half.getOutputStream().write(new byte[] {0x16, 3, 1, 0, 100, 1});

            assertThat(client.call("Add", 9000, 1).longValue()).isEqualTo(1);
            assertThat(silent.isConnected()).isTrue();
        }
    }

    @Test
    void shouldAskForUsersOverHttpButForHealthAndReadiness() throws Exception {
        assertThat(get("/health", null).statusCode()).isEqualTo(200);
        assertThat(get("/ready", null).statusCode()).isEqualTo(200);
        for (String path : List.of("/", "/page.js", "/status", "/metrics")) {
            HttpResponse<String> nobody = get(path, null);
            assertThat(nobody.statusCode()).as(path).isEqualTo(401);
            assertThat(nobody.headers().firstValue("WWW-Authenticate").orElse(""))
                    .startsWith("Basic realm=");
            assertThat(get(path, "watcher").statusCode()).as(path).isEqualTo(200);
            assertThat(get(path, "root").statusCode()).as(path).isEqualTo(200);
            assertThat(get(path, "ann").statusCode()).as(path).isEqualTo(403);
        }
        HttpResponse<String> wrong = send(request("/status").header("Authorization", basic("ann", "wrong password")));
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.body()).contains("no user of this name with this password");
        assertThat(send(request("/status").header("Authorization", "Basic ???")).statusCode())
                .isEqualTo(401);
    }

    @Test
    void shouldAllowOverHttpWhatTheRolesSay() throws Exception {
        String insert = "INSERT INTO account VALUES (7000, 1)";
        String select = "SELECT COUNT(*) FROM account";
        String create = "CREATE TABLE IF_ANY (id BIGINT NOT NULL PRIMARY KEY)";

        assertThat(post("/sql", "reader", select).statusCode()).isEqualTo(200);
        assertThat(post("/sql", "reader", insert).statusCode()).isEqualTo(403);
        assertThat(post("/sql", "reader", create).body()).contains("administer", "not_permitted");
        assertThat(post("/sql", "ann", insert).statusCode()).isEqualTo(200);
        assertThat(post("/sql", "ann", create).statusCode()).isEqualTo(403);
        assertThat(post("/sql", "watcher", select).statusCode()).isEqualTo(403);
        assertThat(post("/sql", "root", select).statusCode()).isEqualTo(403);
        assertThat(post("/sql", "root", create).statusCode()).isEqualTo(200);
        assertThat(post("/ddl", "ann", "DROP TABLE IF_ANY").statusCode()).isEqualTo(403);
        assertThat(post("/ddl", "root", "DROP TABLE IF_ANY").statusCode()).isEqualTo(200);
        assertThat(post("/deploy", "ann", "0\n").statusCode()).isEqualTo(403);
        assertThat(post("/snapshot", "ann", "").statusCode()).isEqualTo(403);
        assertThat(post("/snapshot", "root", "").statusCode()).isEqualTo(200);
        assertThat(post("/sql", "none", select).statusCode()).isEqualTo(403);
        assertThat(node.engine().catalog().tables()).doesNotContainKey("IF_ANY");
    }

    @Test
    void shouldRefuseWhatAnotherSitesPageSends() throws Exception {
        HttpRequest.Builder sent = request("/sql")
                .header("Authorization", basic("ann", PASSWORD))
                .header("Origin", "https://evil.example")
                .POST(HttpRequest.BodyPublishers.ofString("DELETE FROM account"));
        String own = node.url().orElseThrow().replace("127.0.0.1", "localhost");

        assertThat(send(sent).statusCode()).isEqualTo(403);
        assertThat(send(sent.setHeader("Origin", "null")).statusCode()).isEqualTo(403);
        assertThat(send(sent.setHeader("Origin", own.replace("https:", "http:")))
                        .statusCode())
                .as("without TLS")
                .isEqualTo(403);
        assertThat(send(sent.setHeader("Origin", own)
                                .POST(HttpRequest.BodyPublishers.ofString("SELECT COUNT(*) FROM account")))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldOpenEverythingForTheTokenOverHttp() throws Exception {
        String token = RunFile.read(folder.resolve("data")).orElseThrow().token();

        HttpResponse<String> status = send(request("/status").header(HttpEndpoint.TOKEN_HEADER, token));
        HttpResponse<String> wrong = send(request("/status").header(HttpEndpoint.TOKEN_HEADER, token + "0"));

        assertThat(status.statusCode()).isEqualTo(200);
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(token).hasSizeGreaterThan(40);
    }

    @Test
    void shouldCountLoginsAndRefusals() throws Exception {
        get("/status", "ann");
        var metrics = PrometheusChecker.read(get("/metrics", "watcher").body());

        assertThat(metrics.get("reprise_logins_total{outcome=\"accepted\"}")).isPositive();
        assertThat(metrics).containsKey("reprise_logins_total{outcome=\"turned_away\"}");
        assertThat(metrics.get("reprise_not_permitted_total")).isPositive();
    }

    @Test
    void shouldListenEverywhereWithoutAFlagOnlyWithTlsAndUsers() {
        String anywhere = "clients: {port: 0, address: 0.0.0.0}\nhttp: {port: 0}\n";
        NodeConfiguration secure = configuration(anywhere + "data: {directory: anywhere}\n");
        NodeConfiguration withoutUsers = ConfigurationFile.parse(
                "security: {certificate: node.crt, key: node.key}\ndata: {directory: no}\n" + anywhere, "test", folder);
        NodeConfiguration withoutTls = ConfigurationFile.parse(
                "security: {users: users}\ndata: {directory: no}\nclients: {port: 0}\nhttp: {port: 0, address: 0.0.0.0}",
                "test",
                folder);

        assertThatThrownBy(() -> NodeProcess.start(withoutUsers).close())
                .hasMessageContaining("clients need no login")
                .hasMessageContaining("clients.allowRemote");
        assertThatThrownBy(() -> NodeProcess.start(withoutTls).close())
                .hasMessageContaining("there is no TLS")
                .hasMessageContaining("http.allowRemote");
        try (NodeProcess open = NodeProcess.start(secure)) {
            assertThat(open.clients().orElseThrow().getAddress().isAnyLocalAddress())
                    .isTrue();
        }
    }

    @Test
    void shouldSayWhatIsWrongWithTheFilesBeforeItStarts() {
        assertThatThrownBy(() -> NodeProcess.start(ConfigurationFile.parse(
                        "security: {users: nobody}\ndata: {directory: no}\nhttp: {port: 0}", "test", folder)))
                .hasMessageContaining("there is no users' file")
                .hasMessageContaining("reprise user add");
        assertThatThrownBy(() -> NodeProcess.start(ConfigurationFile.parse(
                        "security: {certificate: ca.crt, key: node.key}\ndata: {directory: no}\nhttp: {port: 0}",
                        "test",
                        folder)))
                .hasMessageContaining("security.key")
                .hasMessageContaining("is not that of the certificate");
        assertThat(folder.resolve("no")).doesNotExist();
    }

    @Test
    void shouldNotAnswerHttpWithoutTls() throws IOException {
        int port = URI.create(node.url().orElseThrow()).getPort();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
            socket.getOutputStream()
                    .write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("healthy");
        }
    }

    private static HttpRequest.Builder request(String path) {
        String url = node.url().orElseThrow();
        assertThat(url).startsWith("https://127.0.0.1:");
        return HttpRequest.newBuilder(URI.create(url.replace("127.0.0.1", "localhost") + path));
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private static HttpResponse<String> get(String path, String user) throws Exception {
        HttpRequest.Builder request = request(path);
        return send(user == null ? request : request.header("Authorization", basic(user, PASSWORD)));
    }

    private static HttpResponse<String> post(String path, String user, String body) throws Exception {
        return send(request(path)
                .header("Authorization", basic(user, PASSWORD))
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Each could keep one of few threads for ten seconds. */
    @Test
    void shouldSayThatItIsHealthyAndReadyWhileManyDoNotGoOnWithTheirHandshakes() throws Exception {
        int port = URI.create(node.url().orElseThrow()).getPort();
        List<Socket> silent = new ArrayList<>();
        try (HttpClient another = HttpClient.newBuilder()
                .sslContext(ClientTls.trusting(authority).context())
                .build()) {
            for (int i = 0; i < 40; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                silent.add(socket);
                if (i % 2 == 0) {
                    // The beginning of a TLS handshake, and no more.
                    socket.getOutputStream().write(new byte[] {0x16, 3, 1, 0, 100, 1});
                }
            }

            for (String path : List.of("/health", "/ready")) {
                HttpRequest request =
                        request(path).timeout(Duration.ofSeconds(30)).build();
                assertThat(another.send(request, HttpResponse.BodyHandlers.discarding())
                                .statusCode())
                        .as(path)
                        .isEqualTo(200);
            }
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    /** They need no login and cost whoever opens them nothing. */
    @Test
    void shouldServeOthersWhileManyConnectAndSendNothing() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (NodeProcess other = NodeProcess.start(
                configuration("data: {directory: silent}\nclients: {port: 0, connections: 8}\nhttp: {port: 0}"))) {
            int port = other.clients().orElseThrow().getPort();
            for (int i = 0; i < 1_100; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }

            silent.getFirst().setSoTimeout(60_000);
            assertThat(silent.getFirst().getInputStream().read())
                    .as("the oldest had to go")
                    .isEqualTo(-1);
            try (Client client = Client.connect(ClientSettings.to(InetSocketAddress.createUnresolved("localhost", port))
                    .withConnectTimeout(CONNECTING)
                    .withUser("ann", PASSWORD)
                    .withTls(ClientTls.trusting(authority)))) {
                assertThat(client.call("Add", 1, 1).longValue()).isEqualTo(1);
            }
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }
}
