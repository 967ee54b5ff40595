package io.reprise.simulation;

import io.reprise.cluster.Membership;
import io.reprise.cluster.MembershipContract;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The simulated service is as every service is. */
final class SimulatedMembershipContractTest extends MembershipContract {
    private static final long SESSION_NS = 6_000_000_000L;
    private static final long STEP_NS = 1_000_000;
    private static final int MOST_STEPS = 60_000;

    private record View(int node, Membership membership) {}

    private final Simulation simulation = new Simulation(17);
    private final SimulatedMembership service = new SimulatedMembership(simulation, SESSION_NS);
    private final List<View> views = new ArrayList<>();

    @Override
    protected Membership open(int node) {
        Membership view = service.of(node);
        views.add(new View(node, view));
        return view;
    }

    private void step() {
        simulation.clock().advance(STEP_NS);
        views.forEach(view -> view.membership().poll(simulation.clock().nanoTime()));
    }

    @Override
    protected void await(BooleanSupplier condition) {
        for (int i = 0; !condition.getAsBoolean(); i++) {
            if (i == MOST_STEPS) {
                throw new AssertionError("not within a minute");
            }
            step();
        }
    }

    @Override
    protected void cut(int node) {
        service.cut(node);
    }

    @Override
    protected void outage() {
        service.outage();
        for (int i = 0; i < 100; i++) {
            step();
        }
        service.heal();
    }

    @Override
    protected void heal() {
        service.heal();
    }

    @Override
    protected void crash(int node) {
        service.crash(node);
        views.removeIf(view -> view.node() == node);
    }
}
