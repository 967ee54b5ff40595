package io.reprise.command;

import io.reprise.client.ClientTls;
import io.reprise.node.http.HttpEndpoint;
import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Talks to a node's HTTP server. */
public final class NodeClient implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final RunFile node;
    private final HttpClient client;

    /** Of the node that wrote this. */
    public NodeClient(RunFile node) {
        if (node.http().isEmpty()) {
            throw new IllegalStateException("the node, process " + node.pid()
                    + ", has no HTTP server to be asked; its configuration has http.enabled: false");
        }
        this.node = node;
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT);
        if (!node.certificate().isEmpty()) {
            // Known by its certificate, whatever name that is for: the address is the one at which this machine reaches
            // it.
            builder.sslContext(ClientTls.pinned(Path.of(node.certificate())).context());
        }
        client = builder.build();
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
        return send(
                request(path).POST(HttpRequest.BodyPublishers.ofByteArray(body)).build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(node.http() + path)).header(HttpEndpoint.TOKEN_HEADER, node.token());
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the node, process " + node.pid() + ", does not answer at " + node.http() + ": " + e, e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
