package io.reprise.simulation;

import io.reprise.cluster.Links;
import io.reprise.cluster.LinksContract;
import java.util.function.BooleanSupplier;

/** Simulated links keep the contract of {@link Links}. */
final class SimulatedLinksContractTest extends LinksContract {
    private static final int STEPS = 10_000;

    private final Simulation simulation = new Simulation(3);
    private final SimulatedLinks network = new SimulatedLinks(simulation).tellRefusals();
    private final Links[] links = {network.of("zero"), network.of("one")};

    @Override
    protected Links links(int node) {
        return links[node];
    }

    @Override
    protected String address() {
        return "one";
    }

    @Override
    protected String deadAddress() {
        return "two";
    }

    @Override
    protected void await(BooleanSupplier condition) {
        for (int i = 0; i < STEPS; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
            simulation.clock().advance(10_000);
        }
        throw new AssertionError("the condition did not hold within " + STEPS + " steps");
    }
}
