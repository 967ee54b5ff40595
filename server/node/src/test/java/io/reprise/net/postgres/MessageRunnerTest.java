package io.reprise.net.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.reprise.access.Rights;
import io.reprise.net.session.RequestTracing;
import io.reprise.runtime.time.SystemClock;
import io.reprise.session.SessionEngine;
import io.reprise.session.SqlSession;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The messages that the network's loop runs by itself. */
final class MessageRunnerTest {
    private final MessageRunner runner = runner();

    private static MessageRunner runner() {
        SessionEngine engine = (SessionEngine) Proxy.newProxyInstance(
                SessionEngine.class.getClassLoader(),
                new Class<?>[] {SessionEngine.class},
                (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("advisoryLocks");
                    return Optional.empty();
                });
        SqlSession session = new SqlSession(engine, () -> Rights.ALL, "ann", "bank", 1, 1, () -> false);
        return new MessageRunner(
                session,
                new Replies(new BodyWriter()),
                new StatementTimer(new EmbeddedChannel().eventLoop()),
                new RequestSpan(RequestTracing.NONE, SystemClock.INSTANCE),
                (act, end) -> {});
    }

    private static FrontendMessage query(String text) {
        return new FrontendMessage(FrontendMessage.QUERY, (text + "\0").getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldBeginNothingWithoutAMessage() {
        assertThat(runner.runsAtOnce(null)).isFalse();
        assertThat(runner.gathersCommit(null)).isFalse();
    }

    @Test
    void shouldRecogniseTheBeginningOfATransaction() {
        assertThat(runner.runsAtOnce(query("BEGIN"))).isTrue();
        assertThat(runner.runsAtOnce(query("BEGIN; SELECT 1"))).isFalse();
        assertThat(runner.runsAtOnce(new FrontendMessage(FrontendMessage.SYNC, new byte[0])))
                .isFalse();
    }
}
