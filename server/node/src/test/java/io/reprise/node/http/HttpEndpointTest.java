package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.access.Protection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class HttpEndpointTest {
    /** More than wait in the queue and run. */
    private static final int MANY = 100;

    private final HttpClient client = HttpClient.newHttpClient();

    /** As with a disk that can't be written: just then somebody asks how the node is. */
    @Test
    void shouldTellHowItIsWhileAllThatIsPostedWaits() throws Exception {
        NodeState state = new NodeState("till", "1");
        CountDownLatch disk = new CountDownLatch(1);
        HttpEndpoint.Actions slow = () -> {
            try {
                disk.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return "done";
        };
        try (HttpEndpoint endpoint = HttpEndpoint.open(
                new HttpEndpoint.Settings("127.0.0.1", 0, Protection.NONE, 16 << 20), state, slow, "token")) {
            List<CompletableFuture<HttpResponse<String>>> posted = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                posted.add(client.sendAsync(
                        request(endpoint, "/snapshot")
                                .header(HttpEndpoint.TOKEN_HEADER, "token")
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString()));
            }

            HttpResponse<String> refused = anyOf(posted).get(30, TimeUnit.SECONDS);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("too many requests wait for an answer already: it is starting");
            for (String path : List.of("/health", "/ready", "/status", "/metrics")) {
                HttpResponse<String> told =
                        client.send(request(endpoint, path).build(), HttpResponse.BodyHandlers.ofString());
                assertThat(told.statusCode()).as(path).isIn(200, 503);
                assertThat(told.body()).as(path).doesNotContain("too many");
            }
            disk.countDown();
            long done = 0;
            for (CompletableFuture<HttpResponse<String>> each : posted) {
                done += each.get(30, TimeUnit.SECONDS).statusCode() == 200 ? 1 : 0;
            }
            assertThat(done).isBetween(4L, MANY - 1L);
        }
    }

    /** A client that has begun a request and doesn't go on is waited for. */
    @Test
    void shouldTellHowItIsWhileOthersDoNotEndTheirRequests() throws Exception {
        NodeState state = new NodeState("till", "1");
        List<Socket> silent = new ArrayList<>();
        try (HttpEndpoint endpoint = HttpEndpoint.open(
                new HttpEndpoint.Settings("127.0.0.1", 0, Protection.NONE, 16 << 20), state, () -> "done", "token")) {
            loadWhatAsks(endpoint);
            for (String begun :
                    List.of("GET /hea", "POST /sql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n")) {
                for (int i = 0; i < MANY / 4; i++) {
                    Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
                    silent.add(socket);
                    socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
                }
            }

            long beganNs = System.nanoTime();
            for (String path : List.of("/health", "/ready", "/status")) {
                HttpResponse<String> told =
                        client.send(request(endpoint, path).build(), HttpResponse.BodyHandlers.ofString());
                assertThat(told.statusCode()).as(path).isIn(200, 503);
            }
            HttpResponse<String> done = client.send(
                    request(endpoint, "/snapshot")
                            .header(HttpEndpoint.TOKEN_HEADER, "token")
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(done.body()).isEqualTo("done\n");
            assertThat(System.nanoTime() - beganNs)
                    .as("long before the server gives up on them")
                    .isLessThan(TimeUnit.SECONDS.toNanos(8));
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    /** By another client: later requests need a connection of their own. */
    private static void loadWhatAsks(HttpEndpoint endpoint) throws Exception {
        try (HttpClient other = HttpClient.newHttpClient()) {
            other.send(request(endpoint, "/status").build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @SuppressWarnings("unchecked")
    private static CompletableFuture<HttpResponse<String>> anyOf(List<CompletableFuture<HttpResponse<String>>> all) {
        return CompletableFuture.anyOf(all.toArray(CompletableFuture[]::new))
                .thenApply(each -> (HttpResponse<String>) each);
    }

    private static HttpRequest.Builder request(HttpEndpoint endpoint, String path) {
        return HttpRequest.newBuilder(URI.create(endpoint.url() + path)).timeout(Duration.ofSeconds(30));
    }
}
