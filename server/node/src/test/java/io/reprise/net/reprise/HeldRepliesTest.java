package io.reprise.net.reprise;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.Execution;
import io.reprise.execution.Result;
import io.reprise.procedure.ErrorCode;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Replies;
import io.reprise.wire.message.Reply;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HeldRepliesTest {
    private static final int MAX_RESULT = 1 << 20;
    private static final int LONG_RESULT = 100 << 10;

    private final HeldReplies held = new HeldReplies(MAX_RESULT, new EncodedColumns());

    private record Expected(int ticket, Outbox outbox, byte[] bytes) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldGiveEachReplyByItsTicketWhateverItsLength(long seed) {
        Random random = new Random(seed);
        Outbox[] outboxes = {new Outbox(null), new Outbox(null), new Outbox(null)};
        List<Expected> expected = new ArrayList<>();
        int most = 0;

        for (int round = 0; round < 400; round++) {
            // Often more come than go, then all go.
            for (int i = random.nextInt(200); i > 0; i--) {
                Outbox outbox = outboxes[random.nextInt(outboxes.length)];
                Execution ended = ended(random);
                long id = random.nextLong(1, Long.MAX_VALUE);
                int ticket = held.ticket();
                held.add(ticket, outbox, id, ended);
                expected.add(new Expected(ticket, outbox, encoded(id, ended)));
            }
            most = Math.max(most, held.size());
            for (int i = random.nextInt(4) == 0 ? expected.size() : random.nextInt(150);
                    i > 0 && held.size() > 0;
                    i--) {
                // Nearly always the first.
                Expected next = expected.remove(random.nextInt(20) == 0 ? random.nextInt(expected.size()) : 0);
                MessageWriter to = new MessageWriter(16);
                assertThat(held.outbox(next.ticket)).as("seed %d", seed).isSameAs(next.outbox);
                // A client that has gone gets nothing.
                if (random.nextInt(10) > 0) {
                    held.copy(next.ticket, to);
                    assertThat(to.toBytes()).as("seed %d", seed).isEqualTo(next.bytes);
                }
                held.remove(next.ticket);
            }
            assertThat(held.size()).isEqualTo(expected.size());
        }

        assertThat(most).as("the ring grew").isGreaterThan(256);
    }

    /** As when there is no memory for it: the site's thread goes on, and the client is told. */
    @Test
    void shouldSayWhatBecameOfACallWhoseResultCanNotBeEncoded() throws Exception {
        Outbox outbox = new Outbox(null);
        Execution broken = new Execution();
        broken.outcome().result().string("fine");
        assertThat(held.add(held.ticket(), outbox, 1, broken)).isNull();
        assertThat(held.lastLength()).isPositive();
        // Rows of which there are none can't be read.
        Execution unreadable = new Execution();
        unreadable.outcome().result().integer(1);
        breakKind(unreadable.outcome().result());

        int ticket = held.ticket();
        Throwable problem = held.add(ticket, outbox, 2, unreadable);

        assertThat(problem).isInstanceOf(NullPointerException.class);
        MessageWriter to = new MessageWriter(16);
        held.copy(ticket, to);
        Reply reply = Replies.parseFrom(to.toBytes()).getReply(0);
        assertThat(reply.getId()).isEqualTo(2);
        assertThat(reply.getFailure().getCode()).isEqualTo(Failure.Code.RESULT_LOST);
        assertThat(reply.getFailure().getRetryIsSafe()).isFalse();
        assertThat(reply.getFailure().getMessage()).contains("committed", "NullPointerException");
    }

    private static void breakKind(Result result) throws ReflectiveOperationException {
        Field kind = Result.class.getDeclaredField("kind");
        kind.setAccessible(true);
        kind.set(result, Result.Kind.ROWS);
    }

    private static byte[] encoded(long id, Execution ended) {
        MessageWriter bytes = new MessageWriter(16);
        new ResultWriter(bytes, MAX_RESULT, new EncodedColumns()).ended(id, ended);
        return bytes.toBytes();
    }

    private static Execution ended(Random random) {
        Execution ended = new Execution();
        switch (random.nextInt(8)) {
            case 0 -> ended.outcome().fail(ErrorCode.USER_ABORT, "no, and this is why: " + random.nextLong());
            case 1 -> ended.outcome().result().string("x".repeat(random.nextInt(500)));
            case 2 -> ended.outcome().result().string("y".repeat(random.nextInt(50) == 0 ? LONG_RESULT : 3_000));
            case 3 -> ended.outcome().result().number(random.nextDouble());
            default -> ended.outcome().result().integer(random.nextLong());
        }
        return ended;
    }
}
