package io.reprise.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class TransactionStateTest {
    private static final TransactionName FIRST = new TransactionName(0, 1, 1);
    private static final TransactionName SECOND = new TransactionName(0, 1, 2);
    private static final int[] PARTICIPANTS = {0, 1};

    private final SimulatedStore store = new SimulatedStore(new TreeMap<>());
    private final TransactionState state = new TransactionState(0, store);
    private long index;

    private long apply(TransactionRecord record) {
        state.apply(++index, record.encode());
        return index;
    }

    /** The effects of appending a value to list 0. */
    private static byte[] appending(long value) {
        return new Work().then(SimulatedStore.APPEND, 0, value).bytes();
    }

    private long part(TransactionName name, long id, long value) {
        return apply(new TransactionRecord.Part(name, new Run(id), PARTICIPANTS, appending(value)));
    }

    @Test
    void shouldApplyAPartWhenItIsDecided() {
        part(FIRST, 10, 1);
        assertThat(store.list(0)).isEmpty();

        apply(new TransactionRecord.Decision(FIRST, true));

        assertThat(store.list(0)).containsExactly(1L);
        assertThat(state.committed(FIRST)).isNotNull();
        assertThat(state.open()).isNull();
    }

    @Test
    void shouldForgetAnAbortedPart() {
        part(FIRST, 10, 1);
        apply(new TransactionRecord.Decision(FIRST, false));

        assertThat(store.list(0)).isEmpty();
        assertThat(state.open()).isNull();
        assertThat(state.committed(FIRST)).isNull();
    }

    @Test
    void shouldForgetWhatIsStableAndKnowItsId() {
        part(FIRST, 10, 1);
        long decided = apply(new TransactionRecord.Decision(FIRST, true));
        part(SECOND, 12, 2);
        apply(new TransactionRecord.Decision(SECOND, true));

        apply(new TransactionRecord.Mark(decided));

        assertThat(state.committed(FIRST)).isNull();
        assertThat(state.markId()).isEqualTo(10);
        assertThat(state.committed(SECOND)).isNotNull();
    }

    @Test
    void shouldRefuseIdsThatDoNotAscend() {
        apply(new TransactionRecord.Local(5, appending(1)));

        assertThatThrownBy(() -> apply(new TransactionRecord.Local(5, appending(2))))
                .hasMessageContaining("ascend");
        assertThatThrownBy(() -> part(FIRST, 4, 2)).hasMessageContaining("ascend");
    }

    @Test
    void shouldRunAWithdrawnPartAgainAtItsId() {
        part(FIRST, 10, 1);
        apply(new TransactionRecord.Undone(FIRST));

        part(FIRST, 10, 2);
        apply(new TransactionRecord.Undone(FIRST));

        assertThatThrownBy(() -> part(SECOND, 10, 3)).hasMessageContaining("ascend");
    }

    @Test
    void shouldRefuseADecisionWithoutItsPart() {
        part(FIRST, 10, 1);

        assertThatThrownBy(() -> apply(new TransactionRecord.Decision(SECOND, true)))
                .hasMessageContaining("no open part");
    }

    @Test
    void shouldGoOnFromAnImage() {
        apply(new TransactionRecord.Local(5, appending(1)));
        part(FIRST, 10, 2);
        apply(new TransactionRecord.Decision(FIRST, true));
        part(SECOND, 21, 3);
        SimulatedStore otherStore = new SimulatedStore(new TreeMap<>());
        TransactionState other = new TransactionState(0, otherStore);

        other.load(state.image());
        byte[] decision = new TransactionRecord.Decision(SECOND, true).encode();
        other.apply(index + 1, decision);
        state.apply(index + 1, decision);

        assertThat(otherStore.list(0)).isEqualTo(store.list(0)).isEqualTo(List.of(1L, 2L, 3L));
        assertThat(other.image()).isEqualTo(state.image());
    }
}
