package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClusterOptionsTest {
    @Test
    void shouldRefuseSettingsThatNoClusterCanHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options(1024, 3, 1, 1))
                .withMessageContaining("0 to 1023, not 1024");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options(0, 3, 1, 3))
                .withMessageContaining("kSafety must be from 0 to 2 with 3 nodes, not 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options(0, 3, 0, 1))
                .withMessageContaining("incarnation");
    }

    private static ClusterOptions options(int node, int nodes, long incarnation, int kSafety) {
        return new ClusterOptions(
                node, nodes, incarnation, kSafety, true, Duration.ofSeconds(1), null, null, "peer-" + node, "", 0);
    }
}
