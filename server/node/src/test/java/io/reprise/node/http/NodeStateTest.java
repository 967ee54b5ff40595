package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.RecoveryProgress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeStateTest {
    private final NodeState state = new NodeState("till", "1");

    @Test
    void shouldSayHowFarARecoveryIsWhileItGoesOn() {
        state.recovering(progress(RecoveryProgress.Phase.REPLAYING, 0.25));

        assertThat(state.now().phase()).isEqualTo(NodeState.Phase.RECOVERING);
        assertThat(state.notReady()).contains("it is recovering: replaying, 25%");
    }

    @Test
    void shouldSayThatItIsStartingWhenNothingIsLeftToRecover() {
        state.recovering(progress(RecoveryProgress.Phase.REPLAYING, 0.25));

        state.recovering(progress(RecoveryProgress.Phase.DONE, 1));

        assertThat(state.now().phase()).isEqualTo(NodeState.Phase.STARTING);
        assertThat(state.now().recovery()).isEmpty();
        assertThat(state.notReady()).contains("it is starting");
    }

    private static RecoveryProgress progress(RecoveryProgress.Phase phase, double fraction) {
        return new RecoveryProgress(phase, fraction, 0, Duration.ZERO);
    }
}
