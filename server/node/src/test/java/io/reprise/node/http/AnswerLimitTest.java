package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

final class AnswerLimitTest {
    private static final byte[] LONG = new byte[64 << 20];

    @Test
    void shouldEndAnExchangeWhenItsClientDoesNotReadTheAnswer() throws Exception {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        try (AnswerLimit limit = new AnswerLimit("test", Duration.ofMillis(100));
                Serving serving = new Serving(limit, ended, Optional.empty());
                Socket deaf = deaf(serving.address())) {
            deaf.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(ended.get(30, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
        }
    }

    /** A node that ends while somebody asks for its metrics has no bug. */
    @Test
    void shouldEndAnAnswerWhenTheServerHasEnded() {
        AnswerLimit limit = new AnswerLimit("test", Duration.ofMinutes(1));
        limit.close();

        assertThatThrownBy(() -> limit.during(() -> {})).isInstanceOf(IOException.class);
    }

    private static Socket deaf(InetSocketAddress address) throws IOException {
        Socket deaf = new Socket();
        deaf.setReceiveBufferSize(1 << 12);
        deaf.connect(address);
        return deaf;
    }

    @Test
    void shouldEndAnEncryptedExchangeWhenItsClientDoesNotReadTheAnswer() throws Exception {
        X509Bundle certificate = new CertificateBuilder()
                .subject("CN=localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        SSLContext own = SSLContext.getInstance("TLS");
        own.init(certificate.toKeyManagerFactory().getKeyManagers(), null, null);
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        try (AnswerLimit limit = new AnswerLimit("test", Duration.ofMillis(100));
                Serving serving = new Serving(limit, ended, Optional.of(own));
                Socket deaf = deaf(serving.address());
                Socket encrypted = trusting(certificate).getSocketFactory().createSocket(deaf, "localhost", 0, true)) {
            encrypted.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(ended.get(30, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
            // Nothing of it is left to whoever the thread serves next.
            assertThat(serving.isInterrupted()).isFalse();
            deaf.close();
        }
    }

    private static SSLContext trusting(X509Bundle certificate) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("own", certificate.getCertificate());
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    @Test
    void shouldLeaveAnExchangeAloneWhoseClientReads() throws Exception {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        try (AnswerLimit limit = new AnswerLimit("test", Duration.ofMinutes(1));
                Serving serving = new Serving(limit, ended, Optional.empty());
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
        private final HttpServer server;
        private volatile boolean interrupted;

        Serving(AnswerLimit limit, CompletableFuture<Throwable> ended, Optional<SSLContext> tls) throws IOException {
            server = open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tls);
            server.setExecutor(threads);
            server.createContext("/", exchange -> {
                try (exchange;
                        InputStream body = exchange.getRequestBody()) {
                    body.readAllBytes();
                    limit.during(() -> {
                        exchange.sendResponseHeaders(200, LONG.length);
                        exchange.getResponseBody().write(LONG);
                    });
                    ended.complete(null);
                } catch (IOException | RuntimeException failure) {
                    interrupted = Thread.currentThread().isInterrupted();
                    ended.complete(failure);
                }
            });
            server.start();
        }

        private static HttpServer open(InetSocketAddress at, Optional<SSLContext> tls) throws IOException {
            if (tls.isEmpty()) {
                return HttpServer.create(at, 0);
            }
            HttpsServer encrypting = HttpsServer.create(at, 0);
            encrypting.setHttpsConfigurator(new HttpsConfigurator(tls.get()));
            return encrypting;
        }

        boolean isInterrupted() {
            return interrupted;
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
