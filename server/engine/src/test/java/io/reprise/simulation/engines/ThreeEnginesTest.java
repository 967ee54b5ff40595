package io.reprise.simulation.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.Randomness;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Three engines that do not know each other, each with two clients, are killed and started again under load: no
 * acknowledged deposit is lost and none is applied twice. {@code -Dreprise.seeds=N} runs N other seeds.
 */
final class ThreeEnginesTest {
    private static final int ENGINES = 3;
    private static final int CLIENTS_OF_AN_ENGINE = 2;
    private static final int CALLS = 15;
    private static final long MOST_STEPS = 2_000_000;
    private static final int REPEATED = 10;

    @Test
    void shouldLoseNothingWhenProcessesAndMachinesEnd() {
        AtomicInteger runs = new AtomicInteger();
        Seeds.forEach(30, seed -> {
            if (runs.getAndIncrement() % REPEATED == 0) {
                Simulation.checkRepeats(seed, simulation -> run(simulation, true));
            } else {
                run(new Simulation(seed), true);
            }
        });
    }

    @Test
    void shouldNoticeAnAcknowledgementBeforeTheForce() {
        AtomicInteger noticed = new AtomicInteger();
        for (int seed = 0; seed < 40 && noticed.get() == 0; seed++) {
            try {
                run(new Simulation(seed), false);
            } catch (AssertionError lost) {
                noticed.incrementAndGet();
                assertThat(lost).hasMessageContaining("account");
            }
        }
        assertThat(noticed).hasPositiveValue();
    }

    private static void run(Simulation simulation, boolean synchronous) {
        Randomness random = simulation.randomness();
        SimulatedLinks network = new SimulatedLinks(simulation).breaks(random.chance(0.5) ? 0.01 : 0);
        List<EngineNode> nodes = new ArrayList<>();
        List<Depositor> clients = new ArrayList<>();
        simulation.onNodeFailure((node, role, cause) -> {
            throw cause;
        });
        if (random.chance(0.3)) {
            simulation.pauses(0.0005, 300_000_000).wallClockJumps(0.0005, 10_000_000);
        }
        try {
            for (int i = 0; i < ENGINES; i++) {
                EngineNode node =
                        new EngineNode(simulation, network, "n" + i, CLIENTS_OF_AN_ENGINE, random, synchronous);
                nodes.add(node);
                if (random.chance(0.5)) {
                    node.slow(10_000, 2_000_000);
                }
                node.start();
                for (int account = 0; account < CLIENTS_OF_AN_ENGINE; account++) {
                    String name = node.name() + "-client-" + account;
                    Depositor client = new Depositor(node.name(), account, network.of(name), random.fork(), CALLS);
                    clients.add(client);
                    simulation.add(name, client);
                }
            }
            int kills = random.nextInt(4);
            for (int i = 0; i < kills; i++) {
                simulation.run(random.nextInt(1500));
                EngineNode node = nodes.get(random.nextInt(ENGINES));
                node.kill(random.chance(0.5));
                simulation.run(random.nextInt(200));
                node.start();
            }
            simulation.runUntil(() -> clients.stream().allMatch(Depositor::isDone), MOST_STEPS);
            for (int i = 0; i < clients.size(); i++) {
                EngineNode node = nodes.get(i / CLIENTS_OF_AN_ENGINE);
                clients.get(i).check(node.balance(clients.get(i).account()));
            }
            assertThat(nodes).allMatch(EngineNode::isUp);
        } catch (AssertionError verdict) {
            nodes.forEach(EngineNode::abandon);
            throw verdict;
        }
        nodes.forEach(EngineNode::close);
    }
}
