package io.reprise.net.reprise;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.SiteLayout;
import org.junit.jupiter.api.Test;

final class HintedSitesTest {
    private final HintedSites sites = new HintedSites(4, 2, SiteLayout.dealt(4, 2)::siteOf);

    @Test
    void shouldSendCallsToTheSiteThatRunsTheirPartition() {
        assertThat(sites.of(0, 1)).isZero();
        assertThat(sites.of(1, 0)).isZero();
        assertThat(sites.of(2, 0)).isEqualTo(1);
        assertThat(sites.of(3, 0)).isEqualTo(1);
    }

    @Test
    void shouldGiveConnectionsTheirSitesInTurnWhenCallsNameNoPartition() {
        assertThat(sites.of(-1, 6)).isZero();
        assertThat(sites.of(-1, 7)).isEqualTo(1);
        assertThat(sites.of(4, 7)).isEqualTo(1);
        assertThat(sites.of(Integer.MAX_VALUE, Integer.MAX_VALUE)).isEqualTo(1);
    }
}
