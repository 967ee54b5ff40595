package io.reprise.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.reprise.certificate.Fingerprint;
import io.reprise.client.ClientTls;
import io.reprise.node.http.HttpEndpoint;
import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import picocli.CommandLine;

/** A client of a node's HTTP server. It logs in by the token of the data directory, or as a user. */
public final class NodeClient implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** The exit code of a command that its node refused. */
    private static final int REFUSED = 3;

    private static final int OK = 200;
    private static final int NOT_AUTHENTICATED = 401;
    private static final int NOT_PERMITTED = 403;

    private final RunFile node;
    private final HttpClient client;
    private final Credential credential;

    private Optional<Duration> patience = Optional.empty();

    private record Credential(String header, String value) {}

    /** Of the node that wrote this. */
    public NodeClient(RunFile node) {
        this(node, new Credential(HttpEndpoint.TOKEN_HEADER, node.token()));
    }

    /** The same as a user, who may do there what his roles allow and no more. */
    NodeClient(RunFile node, String user, String password) {
        this(node, new Credential("Authorization", "Basic " + base64(user + ":" + password)));
    }

    /**
     * The certificate that a node of this machine has to show, if it speaks TLS. Its name does not matter, because the run file has the
     * address. An entry that is no fingerprint names a file.
     */
    static Optional<ClientTls> tls(RunFile node) {
        String certificate = node.certificate();
        if (certificate.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                Fingerprint.isOne(certificate)
                        ? ClientTls.pinned(certificate)
                        : ClientTls.pinned(Path.of(certificate)));
    }

    private NodeClient(RunFile node, Credential credential) {
        if (node.http().isEmpty()) {
            throw new IllegalStateException("the node, process " + node.pid()
                    + ", has no HTTP server to be asked; its configuration has http.enabled: false");
        }
        this.node = node;
        this.credential = credential;
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT);
        tls(node).ifPresent(tls -> builder.sslContext(tls.context()));
        client = builder.build();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns itself, with a limit for each later wait. */
    NodeClient waitingAtMost(Duration most) {
        patience = Optional.of(most);
        return this;
    }

    /** Reads something. */
    HttpResponse<String> get(String path, String accept) throws IOException, InterruptedException {
        return send(request(path)
                .header("Accept", accept)
                .timeout(CONNECT.multipliedBy(2))
                .GET()
                .build());
    }

    /** Has something done, and waits until it is. */
    HttpResponse<String> post(String path) throws IOException, InterruptedException {
        return post(path, new byte[0]);
    }

    /** The same with something to do it with. */
    public HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return post(path, body.getBytes(StandardCharsets.UTF_8));
    }

    /** The same with bytes. */
    HttpResponse<String> post(String path, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path).POST(HttpRequest.BodyPublishers.ofByteArray(body));
        patience.ifPresent(request::timeout);
        return send(request.build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(node.http() + path)).header(credential.header(), credential.value());
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (ConnectException | HttpConnectTimeoutException | SSLHandshakeException notSent) {
            throw new IllegalStateException(noAnswer(notSent), notSent);
        } catch (IOException e) {
            String outcome = request.method().equals("GET") ? "" : "; whether it was done is not known";
            throw new IllegalStateException(noAnswer(e) + outcome, e);
        }
    }

    private String noAnswer(IOException why) {
        return "the node, process " + node.pid() + ", does not answer at " + node.http() + ": " + why;
    }

    /** The reason of a refusal, as a sentence. The kind of failure comes first if the request was at fault. */
    public static String refusal(HttpResponse<String> answer) throws IOException {
        boolean json = answer.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
        String why = json
                ? new ObjectMapper().readTree(answer.body()).path("problem").asText()
                : answer.body().strip();
        return switch (answer.statusCode()) {
            case NOT_AUTHENTICATED -> "NOT_AUTHENTICATED: " + why;
            case NOT_PERMITTED -> "NOT_PERMITTED: " + why;
            default -> why;
        };
    }

    /** Prints an answer to the command's output, or the reason of a refusal to its errors. Returns the command's exit code. */
    static int print(HttpResponse<String> answer, CommandLine command) throws IOException {
        if (answer.statusCode() == OK) {
            command.getOut().print(answer.body());
            return 0;
        }
        command.getErr().println("reprise: " + refusal(answer));
        return REFUSED;
    }

    @Override
    public void close() {
        client.close();
    }
}
