package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.simulation.Simulation;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real engines whose leads are uneven for a while. Without an operator each node leads its share in the end. */
final class EvenLeadsTest {
    private static final int NODES = 3;
    private static final int PARTITIONS = 6;
    private static final Duration FAILURE = Duration.ofMillis(300);

    private GrowthScenario scenario;

    @AfterEach
    void end() {
        if (scenario != null) {
            scenario.end();
        }
    }

    private void make(long seed) {
        scenario = new GrowthScenario(new Simulation(seed), NODES, NODES, PARTITIONS, 1, FAILURE);
    }

    /** No frame of the node reaches another one. */
    private void mute(int node) {
        for (int other = 0; other < NODES; other++) {
            if (other != node) {
                scenario.network().cut(ClusterMachine.name(node), ClusterMachine.name(other));
            }
        }
    }

    private boolean isEven() {
        for (int node = 0; node < NODES; node++) {
            if (scenario.leads(node) != PARTITIONS / NODES) {
                return false;
            }
        }
        return true;
    }

    private void reachEvenLeads() {
        scenario.reach("even leads", () -> scenario.isSettled() && isEven());
    }

    @Test
    void shouldLeadEvenlyWhenANodeIsHeardLateAfterAStart() {
        for (long silentMs : new long[] {500, 2_000, 6_000}) {
            end();
            make(silentMs);
            scenario.nodes.forEach(ClusterMachine::start);
            mute(0);
            scenario.simulation.runFor(silentMs * 1_000_000);

            scenario.network().heal();

            reachEvenLeads();
        }
    }

    @Test
    void shouldKeepTheLeadsWhenANodeIsHeardBeforeItsTimeIsOver() {
        make(1);
        scenario.nodes.forEach(ClusterMachine::start);
        scenario.reach("all in sync", scenario::isSettled);
        int version = scenario.version();

        scenario.simulation.runFor(20 * FAILURE.toNanos());

        assertThat(scenario.version()).isEqualTo(version);
        assertThat(isEven()).isTrue();
    }

    @Test
    void shouldLeadEvenlyAgainWhenANodeWasNotHeard() {
        make(2);
        scenario.start();
        scenario.load();
        mute(0);
        scenario.reach("no lead at the mute node", () -> scenario.leads(0) == 0);

        scenario.network().heal();

        reachEvenLeads();
        scenario.check();
    }

    @Test
    void shouldLeadEvenlyAgainWhenNodesHaveRestartedInTurn() {
        make(3);
        scenario.start();
        scenario.load();
        for (int node = 0; node < NODES; node++) {
            scenario.nodes.get(node).kill(true);
            scenario.reach(
                    "leaders elsewhere", () -> scenario.leads(0) + scenario.leads(1) + scenario.leads(2) == PARTITIONS);
            scenario.nodes.get(node).start();
            scenario.reach("all in sync", scenario::isSettled);
        }

        reachEvenLeads();
        scenario.check();
    }
}
