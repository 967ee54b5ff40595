package io.reprise.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TransactionMessageTest {
    private static final TransactionName NAME = new TransactionName(3, 1L << 40, 7);
    private static final Run RUN = new Run(1L << 50);
    private static final int[] PARTICIPANTS = {0, 3, 4095};
    private static final byte[] WORK = {1, 2, 3};

    private static List<TransactionMessage> messages() {
        Result result = new Result(true, WORK);
        List<TransactionMessage> messages = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            messages.add(
                    new TransactionMessage.Reserve(NAME, 5, mode, PARTICIPANTS, List.of(WORK, Result.NONE.rows())));
        }
        for (Verdict verdict : Verdict.values()) {
            messages.add(new TransactionMessage.Decide(NAME, RUN, verdict));
            messages.add(new TransactionMessage.Answer(NAME, verdict));
        }
        messages.addAll(List.of(
                new TransactionMessage.Proposed(NAME, 5),
                new TransactionMessage.Move(NAME, 6),
                new TransactionMessage.Ran(NAME, RUN, List.of(result, Result.NONE)),
                new TransactionMessage.Prepared(NAME, RUN),
                new TransactionMessage.Execute(NAME, 5, 2, -1, true, WORK),
                new TransactionMessage.Execute(NAME, 5, 2, 1, false, WORK),
                new TransactionMessage.Rows(NAME, 5, 2, result),
                new TransactionMessage.Prepare(NAME, RUN),
                new TransactionMessage.Finish(NAME),
                new TransactionMessage.Confirmed(NAME),
                new TransactionMessage.Done(NAME),
                new TransactionMessage.Stable(NAME, 5),
                new TransactionMessage.StableAll(NAME, 5),
                new TransactionMessage.Ask(NAME)));
        return messages;
    }

    @Test
    void shouldReadWhatItWrote() {
        Set<Class<?>> kinds = new HashSet<>();
        for (TransactionMessage message : messages()) {
            kinds.add(message.getClass());
            TransactionMessage.Envelope envelope =
                    new TransactionMessage.Envelope(1, -2, -3, 4, 5, 1L << 40, 7, 1L << 41, message);

            byte[] frame = envelope.encode();
            TransactionMessage.Envelope read = TransactionMessage.Envelope.decode(frame);

            assertThat(read).usingRecursiveComparison().as("%s", message).isEqualTo(envelope);
        }
        assertThat(kinds).as("each kind").hasSize(TransactionMessage.class.getPermittedSubclasses().length);
    }

    @Test
    void shouldReadALongMessage() {
        byte[] rows = new byte[100_000];
        Arrays.fill(rows, (byte) 9);
        TransactionMessage message = new TransactionMessage.Ran(NAME, RUN, List.of(new Result(false, rows)));

        byte[] frame = new TransactionMessage.Envelope(1, 2, 3, 4, 5, 6, 7, 8, message).encode();

        assertThat(TransactionMessage.Envelope.decode(frame).message())
                .usingRecursiveComparison()
                .isEqualTo(message);
    }

    @Test
    void shouldRejectAnUnknownKind() {
        byte[] frame =
                new TransactionMessage.Envelope(1, 2, 3, 4, 5, 6, 7, 8, new TransactionMessage.Ask(NAME)).encode();
        frame[frame.length - TransactionName.BYTES - 1] = 99;

        assertThatThrownBy(() -> TransactionMessage.Envelope.decode(frame))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("99");
    }

    @Test
    void shouldReadTheRecordsItWrote() {
        List<TransactionRecord> records = List.of(
                new TransactionRecord.Local(5, WORK),
                new TransactionRecord.Part(NAME, RUN, PARTICIPANTS, WORK),
                new TransactionRecord.Undone(NAME),
                new TransactionRecord.Decision(NAME, true),
                new TransactionRecord.Decision(NAME, false),
                new TransactionRecord.Mark(6));
        Set<Class<?>> kinds = new HashSet<>();

        for (TransactionRecord record : records) {
            kinds.add(record.getClass());
            assertThat(TransactionRecord.decode(record.encode()))
                    .usingRecursiveComparison()
                    .isEqualTo(record);
        }

        assertThat(kinds).hasSize(TransactionRecord.class.getPermittedSubclasses().length);
    }
}
