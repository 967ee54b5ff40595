package io.reprise.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Membership;
import io.reprise.cluster.Membership.Change;
import io.reprise.cluster.Membership.Session;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SimulatedMembershipTest {
    private static final long SESSION_NS = 6_000_000_000L;

    private final Simulation simulation = new Simulation(11);
    private final SimulatedMembership service = new SimulatedMembership(simulation, SESSION_NS);
    private final Membership one = service.of(1);
    private final Membership two = service.of(2);

    private void pass(long ns) {
        long endNs = simulation.clock().nanoTime() + ns;
        while (simulation.clock().nanoTime() < endNs) {
            simulation.clock().advance(1_000_000);
            one.poll(simulation.clock().nanoTime());
            two.poll(simulation.clock().nanoTime());
        }
    }

    private void begin() {
        one.announce(new byte[] {1});
        two.announce(new byte[] {2});
        pass(100_000_000);
    }

    @Test
    void shouldShowLiveNodesAndTheirMapToAll() {
        begin();

        Change change = one.replace(0, new byte[] {5});
        pass(100_000_000);

        assertThat(change.outcome()).isEqualTo(Change.Outcome.DONE);
        assertThat(two.map().version()).isEqualTo(1);
        assertThat(two.map().content()).containsExactly(5);
        assertThat(two.live().keySet()).containsExactly(1, 2);
    }

    @Test
    void shouldLetOneOfTwoChangesOfTheSameVersionHappen() {
        begin();

        Change ofOne = one.replace(0, new byte[] {1});
        Change ofTwo = two.replace(0, new byte[] {2});
        pass(100_000_000);

        assertThat(Set.of(ofOne.outcome(), ofTwo.outcome()))
                .containsExactlyInAnyOrder(Change.Outcome.DONE, Change.Outcome.CONFLICT);
        byte winner = (byte) (ofOne.outcome() == Change.Outcome.DONE ? 1 : 2);
        assertThat(service.map().content()).containsExactly(winner);
    }

    @Test
    void shouldLeaveTheOutcomeUnknownWhenTheContactEnds() {
        begin();
        Set<Integer> versions = new HashSet<>();

        for (int i = 0; i < 40; i++) {
            int before = service.map().version();
            Change change = one.replace(before, new byte[] {7});
            service.cut(1);
            pass(20_000_000);
            assertThat(change.outcome()).isEqualTo(Change.Outcome.UNKNOWN);
            versions.add(service.map().version() - before);
            service.heal();
            pass(20_000_000);
        }

        assertThat(versions).contains(0, 1);
    }

    @Test
    void shouldRemoveANodeWhenItsSessionExpiresAndTellItWhenItIsBack() {
        begin();
        service.cut(1);
        pass(SESSION_NS / 2);

        assertThat(one.session()).isEqualTo(Session.SUSPENDED);
        assertThat(two.live().keySet()).containsExactly(1, 2);
        pass(SESSION_NS);

        assertThat(two.live().keySet()).containsExactly(2);
        assertThat(one.session()).isEqualTo(Session.SUSPENDED);
        service.heal();
        pass(100_000_000);

        assertThat(one.session()).isEqualTo(Session.LOST);
        one.announce(new byte[] {3});
        pass(100_000_000);
        assertThat(two.live().get(1)).containsExactly(3);
    }

    @Test
    void shouldKeepSessionsThroughAnOutage() {
        begin();
        service.outage();
        pass(3 * SESSION_NS);

        assertThat(one.session()).isEqualTo(Session.SUSPENDED);
        service.heal();
        pass(100_000_000);

        assertThat(one.session()).isEqualTo(Session.CONNECTED);
        assertThat(two.live().keySet()).containsExactly(1, 2);
    }

    @Test
    void shouldKeepTheEntryOfANodeThatStartedAgain() {
        begin();
        service.crash(1);
        Membership again = service.of(1);
        again.announce(new byte[] {4});
        for (int i = 0; i < 8000; i++) {
            again.poll(simulation.clock().nanoTime());
            pass(1_000_000);
        }

        assertThat(two.live().get(1)).containsExactly(4);
    }
}
