package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reprise.access.Protection;
import io.reprise.access.Right;
import io.reprise.access.Rights;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.net.session.PlanningQueues;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Statements over HTTP, of a node without a port for clients. */
@Timeout(120)
final class SqlPathTest {
    private static final String SHORT = "SELECT n FROM t";
    private static final String LONG = "SELECT" + " ".repeat(PlanningQueues.SHORT_TEXT) + "n FROM t";
    private static final long LARGEST_RESULT = 16 << 20;

    private final NodeState state = new NodeState("till", "1");
    private final HttpClient client = HttpClient.newHttpClient();
    private Reprise engine;
    private HttpEndpoint endpoint;

    @BeforeEach
    void open() {
        engine = Options.create()
                .partitions(1)
                .ddl("CREATE TABLE t (n INTEGER NOT NULL PRIMARY KEY)")
                .open();
        state.serving(engine);
        endpoint = HttpEndpoint.open(
                new HttpEndpoint.Settings("127.0.0.1", 0, Protection.NONE, LARGEST_RESULT), state, () -> "", "token");
    }

    @AfterEach
    void close() {
        endpoint.close();
        engine.close();
        client.close();
    }

    private CompletableFuture<String> send(String statement) {
        return client.sendAsync(
                        HttpRequest.newBuilder(URI.create(endpoint.url() + "/sql"))
                                .header(HttpEndpoint.TOKEN_HEADER, "token")
                                .timeout(Duration.ofMinutes(1))
                                .POST(HttpRequest.BodyPublishers.ofString(statement))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .thenApply(HttpResponse::body);
    }

    /** Holds the thread that plans texts of this length; returns its name. */
    private String hold(String text, CountDownLatch released) throws Exception {
        CompletableFuture<String> holding = new CompletableFuture<>();
        CompletableFuture.runAsync(() -> state.planning().submit(this, text, () -> {
            holding.complete(Thread.currentThread().getName());
            await(released);
        }));
        return holding.get(1, TimeUnit.MINUTES);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldPlanOnOneThreadForShortTextsAndOneForLongOnes() throws Exception {
        CountDownLatch released = new CountDownLatch(1);

        assertThat(hold(LONG, released)).startsWith("reprise-till-http-long-planning-");
        CompletableFuture<String> waiting = send(LONG);
        assertThat(send(SHORT).get()).contains("\"count\":0");
        assertThat(hold(SHORT, released)).startsWith("reprise-till-http-planning-");
        assertThat(engine.isPlanned(LONG)).isFalse();
        released.countDown();

        assertThat(waiting.get()).contains("\"count\":0");
        assertThat(engine.isPlanned(LONG)).isTrue();
    }

    @Test
    void shouldRunAPlannedStatementWhileOthersArePlanned() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        engine.plan(SHORT, () -> true);
        hold(SHORT, released);

        String answer = send(SHORT).get();

        assertThat(answer).contains("\"count\":0");
        released.countDown();
    }

    @Test
    void shouldAnswerWhenTheNodeStopsAndNoThreadIsLeftToPlan() throws Exception {
        CountDownLatch queued = new CountDownLatch(1);
        state.planBy(new PlanningQueues(task -> queued.countDown(), task -> queued.countDown(), 10));
        CompletableFuture<String> answer = send(SHORT);
        queued.await();

        state.stopping();

        assertThat(answer.get()).contains("\"code\":\"shutting_down\"");
    }

    @Test
    void shouldNotChangeWithoutTheRightWhenAPlannedStatementReadsNoMore() {
        SqlRequest request = SqlRequest.of(
                "INSERT INTO t VALUES (1)".getBytes(StandardCharsets.UTF_8),
                Rights.of(Right.READ),
                LARGEST_RESULT,
                false);

        request.planned(true);
        request.run(engine);

        assertThat(request.answer().code()).isEqualTo(403);
        assertThat(engine.sql(SHORT).rows().next()).isFalse();
    }

    @Test
    void shouldAuditAChangeOfTheSchemaWhoseAnswerCanNotBeSent() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.reprise.audit");
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        try (AnswerLimit limit = new AnswerLimit("till", Duration.ofMinutes(1));
                FewThreads threads = new FewThreads("reprise-till-http-post-")) {
            SqlPath path = new SqlPath(LARGEST_RESULT, state, new HttpAnswers(limit), threads);

            assertThatThrownBy(() -> path.answer(
                            new LostExchange("CREATE TABLE u (n INTEGER)"),
                            new HttpGuard.Answer(Rights.ALL, 0, "", "ann")))
                    .isInstanceOf(IOException.class);

            assertThat(engine.catalog().tables()).containsKey("U");
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly("user ann from 127.0.0.1: CREATE TABLE u (n INTEGER): done");
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
    }
}
