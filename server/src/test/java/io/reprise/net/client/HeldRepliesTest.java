package io.reprise.net.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.Invocation;
import io.reprise.procedure.ErrorCode;
import io.reprise.wire.MessageWriter;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HeldRepliesTest {
    private static final int MAX_RESULT = 1 << 20;
    private static final int LONG_RESULT = 100 << 10;

    private final HeldReplies held = new HeldReplies(MAX_RESULT, new EncodedColumns());

    private record Expected(Outbox outbox, byte[] bytes) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldGiveWhatWasHeldInItsOrderWhateverItsLength(long seed) {
        Random random = new Random(seed);
        Outbox[] outboxes = {new Outbox(null), new Outbox(null), new Outbox(null)};
        ArrayDeque<Expected> expected = new ArrayDeque<>();
        int most = 0;

        for (int round = 0; round < 400; round++) {
            // Often more come than go, then all go.
            for (int i = random.nextInt(200); i > 0; i--) {
                Outbox outbox = outboxes[random.nextInt(outboxes.length)];
                Invocation ended = ended(random);
                long id = random.nextLong(1, Long.MAX_VALUE);
                held.add(outbox, id, ended);
                expected.add(new Expected(outbox, encoded(id, ended)));
            }
            most = Math.max(most, held.size());
            for (int i = random.nextInt(4) == 0 ? expected.size() : random.nextInt(150);
                    i > 0 && held.size() > 0;
                    i--) {
                Expected next = expected.remove();
                MessageWriter to = new MessageWriter(16);
                assertThat(held.first()).as("seed %d", seed).isSameAs(next.outbox);
                // Who has gone gets nothing.
                if (random.nextInt(10) > 0) {
                    held.copyFirst(to);
                    assertThat(to.toBytes()).as("seed %d", seed).isEqualTo(next.bytes);
                }
                held.removeFirst();
            }
            assertThat(held.size()).isEqualTo(expected.size());
        }

        assertThat(most).as("the ring grew").isGreaterThan(256);
    }

    private static byte[] encoded(long id, Invocation ended) {
        MessageWriter bytes = new MessageWriter(16);
        new ResultWriter(bytes, MAX_RESULT, new EncodedColumns()).ended(id, ended);
        return bytes.toBytes();
    }

    private static Invocation ended(Random random) {
        Invocation ended = new Invocation();
        switch (random.nextInt(8)) {
            case 0 -> ended.fail(ErrorCode.USER_ABORT, "no, and this is why: " + random.nextLong());
            case 1 -> ended.result().string("x".repeat(random.nextInt(500)));
            case 2 -> ended.result().string("y".repeat(random.nextInt(50) == 0 ? LONG_RESULT : 3_000));
            case 3 -> ended.result().number(random.nextDouble());
            default -> ended.result().integer(random.nextLong());
        }
        return ended;
    }
}
