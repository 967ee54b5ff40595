package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AnswerLimitTest {
    private static final byte[] LONG = new byte[64 << 20];

    @Test
    void shouldEndAnExchangeWhenItsClientDoesNotReadTheAnswer() throws Exception {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        try (AnswerLimit limit = new AnswerLimit("test", Duration.ofMillis(100));
                Serving serving = new Serving(limit, ended);
                Socket deaf = new Socket()) {
            deaf.setReceiveBufferSize(1 << 12);
            deaf.connect(serving.address());
            deaf.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(ended.get(30, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldLeaveAnExchangeAloneWhoseClientReads() throws Exception {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        try (AnswerLimit limit = new AnswerLimit("test", Duration.ofMinutes(1));
                Serving serving = new Serving(limit, ended);
                Socket reading = new Socket()) {
            reading.connect(serving.address());
            reading.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            long length = reading.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());

            assertThat(length).isGreaterThan(LONG.length);
            assertThat(ended.get(30, TimeUnit.SECONDS)).isNull();
        }
    }

    /** The JDK's server counts its own limit from the end of the request: it would end what takes long to be done. */
    @Test
    void shouldNotLimitHowLongTheNodeTakesBeforeItAnswers() throws Exception {
        Class.forName(HttpEndpoint.class.getName());

        assertThat(System.getProperty("sun.net.httpserver.maxRspTime")).isNull();
    }

    /** A server that gives everybody a long answer. */
    private static final class Serving implements AutoCloseable {
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

        Serving(AnswerLimit limit, CompletableFuture<Throwable> ended) throws IOException {
            server.setExecutor(threads);
            server.createContext("/", exchange -> {
                try (exchange;
                        InputStream body = exchange.getRequestBody()) {
                    body.readAllBytes();
                    limit.during(exchange, () -> {
                        exchange.sendResponseHeaders(200, LONG.length);
                        exchange.getResponseBody().write(LONG);
                    });
                    ended.complete(null);
                } catch (IOException | RuntimeException failure) {
                    ended.complete(failure);
                }
            });
            server.start();
        }

        InetSocketAddress address() {
            return server.getAddress();
        }

        @Override
        public void close() {
            server.stop(0);
            threads.shutdown();
        }
    }
}
