package io.reprise.runtime.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompositeAgentTest {
    private final List<String> journal = new ArrayList<>();
    private final ScriptedAgent a = new ScriptedAgent("a", journal);
    private final ScriptedAgent b = new ScriptedAgent("b", journal);
    private final ScriptedAgent c = new ScriptedAgent("c", journal);
    private final CompositeAgent composite = new CompositeAgent("all", List.of(a, b, c));

    @Test
    void shouldRunInOrderWithOneTimeAndEndInOppositeOrder() {
        a.workCount = 1;
        c.workCount = 4;

        composite.onStart();
        int workCount = composite.doWork(77);
        composite.onClose();

        assertThat(workCount).isEqualTo(5);
        assertThat(journal)
                .containsExactly(
                        "a start", "b start", "c start", "a work", "b work", "c work", "c close", "b close", "a close");
        assertThat(List.of(a.lastNowNs, b.lastNowNs, c.lastNowNs)).containsOnly(77L);
    }

    @Test
    void shouldEndWhatHadStartedWhenOneCannotStart() {
        c.onStartFailure = new IllegalStateException("no");
        a.onCloseFailure = new IllegalArgumentException("nor that");

        assertThatThrownBy(composite::onStart).isSameAs(c.onStartFailure).hasSuppressedException(a.onCloseFailure);

        assertThat(journal).containsExactly("a start", "b start", "c start", "b close", "a close");
        assertThat(CompositeAgent.currentRole(composite)).isEqualTo("c");
    }

    @Test
    void shouldEndAllWhenSomeFailToEnd() {
        c.onCloseFailure = new IllegalStateException("first");
        a.onCloseFailure = new IllegalStateException("second");
        composite.onStart();

        assertThatThrownBy(composite::onClose).isSameAs(c.onCloseFailure).hasSuppressedException(a.onCloseFailure);

        assertThat(journal).endsWith("c close", "b close", "a close");
        assertThat(CompositeAgent.currentRole(composite)).isEqualTo("c");
    }

    @Test
    void shouldNameTheAgentThatFailedWhenCompositesAreNested() {
        CompositeAgent outer = new CompositeAgent("outer", List.of(new ScriptedAgent("x", journal), composite));
        b.doWorkFailure = new IllegalStateException("no");
        outer.onStart();

        assertThatThrownBy(() -> outer.doWork(1)).isSameAs(b.doWorkFailure);

        assertThat(CompositeAgent.currentRole(outer)).isEqualTo("b");
        assertThat(journal).doesNotContain("c work");
    }

    @Test
    void shouldRefuseToBeEmpty() {
        assertThatThrownBy(() -> new CompositeAgent("none", List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
