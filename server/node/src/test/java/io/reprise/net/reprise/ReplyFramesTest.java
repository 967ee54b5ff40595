package io.reprise.net.reprise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.wire.MessageWriter;
import org.junit.jupiter.api.Test;

final class ReplyFramesTest {
    private static final int LONG_FRAME_BYTES = 256 << 10;

    /** Has one writer, and no memory for another: no array is that long. */
    private final WriterPool pool = new WriterPool(Integer.MAX_VALUE, 1 << 20, new EncodedColumns(), 1 << 20, 1 << 20);

    private final ReplyFrames frames = new ReplyFrames(pool);

    ReplyFramesTest() {
        pool.giveBack(new ResultWriter(new MessageWriter(64), 1 << 20, new EncodedColumns()));
    }

    @Test
    void shouldHaveNothingToHandOverWhenThereIsNoMemoryForTheFirstReply() {
        Outbox first = new Outbox(null);
        Outbox second = new Outbox(null);
        frames.of(first);

        assertThatThrownBy(() -> frames.of(second)).isInstanceOf(OutOfMemoryError.class);

        assertThat(second.replies).isNull();
        assertThat(second.encodedBytes()).isZero();
    }

    @Test
    void shouldKeepTheRepliesThatAreThereWhenThereIsNoMemoryForMore() {
        Outbox outbox = new Outbox(null);
        ResultWriter writer = frames.of(outbox);
        writer.failed(1, ErrorCode.USER_ABORT, "x".repeat(LONG_FRAME_BYTES));
        byte[] before = writer.bytes().toBytes();

        assertThatThrownBy(() -> frames.of(outbox)).isInstanceOf(OutOfMemoryError.class);

        assertThat(outbox.replies).as("it is handed over later").isSameAs(writer);
        assertThat(writer.bytes().toBytes()).isEqualTo(before);
    }
}
