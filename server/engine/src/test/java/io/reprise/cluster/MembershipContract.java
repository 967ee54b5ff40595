package io.reprise.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Membership.Change;
import io.reprise.cluster.Membership.Change.Outcome;
import io.reprise.cluster.Membership.Session;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The behaviour that every membership service has; its subclasses name a service. */
public abstract class MembershipContract {
    /** A view of node 1 or 2 that begins now. */
    protected abstract Membership open(int node);

    /** Polls all open views until the condition holds, or fails. */
    protected abstract void await(BooleanSupplier condition);

    /** The contact of a node's views ends until {@link #heal}. */
    protected abstract void cut(int node);

    /** All contact ends for a moment that is shorter than a session; then there is contact again. */
    protected abstract void outage();

    /** Ends all cuts. */
    protected abstract void heal();

    /** The process of a node's views ends without closing them. */
    protected abstract void crash(int node);

    private Membership one;
    private Membership two;

    private void begin() {
        one = open(1);
        two = open(2);
        one.announce(new byte[] {1});
        two.announce(new byte[] {2});
        await(() -> one.session() == Session.CONNECTED && two.session() == Session.CONNECTED);
        await(() -> one.live().size() == 2 && two.live().size() == 2 && one.map() != null && two.map() != null);
    }

    private Outcome end(Change change) {
        await(() -> change.outcome() != Outcome.PENDING);
        return change.outcome();
    }

    /** Awaits contact; as an owner does, announces again when the session was lost meanwhile. */
    private void reconnect(Membership view, int content) {
        await(() -> {
            if (view.session() == Session.LOST) {
                view.announce(new byte[] {(byte) content});
            }
            return view.session() == Session.CONNECTED;
        });
    }

    private boolean shows(Membership view, int node, int content) {
        byte[] entry = view.live().get(node);
        return entry != null && entry.length == 1 && entry[0] == content;
    }

    @Test
    void shouldBeginWithAnEmptyMapOfVersionZero() {
        begin();

        assertThat(one.map().version()).isZero();
        assertThat(one.map().content()).isEmpty();
    }

    @Test
    void shouldShowLiveNodesAndTheirMapToAll() {
        begin();

        Change change = one.replace(0, new byte[] {5});

        assertThat(end(change)).isEqualTo(Outcome.DONE);
        await(() -> two.map().version() == 1 && one.map().version() == 1);
        assertThat(two.map().content()).containsExactly(5);
        assertThat(shows(two, 1, 1)).isTrue();
        assertThat(shows(one, 2, 2)).isTrue();
    }

    @Test
    void shouldLetOneOfTwoChangesOfTheSameVersionHappen() {
        begin();

        Change ofOne = one.replace(0, new byte[] {1});
        Change ofTwo = two.replace(0, new byte[] {2});

        assertThat(List.of(end(ofOne), end(ofTwo))).containsExactlyInAnyOrder(Outcome.DONE, Outcome.CONFLICT);
        await(() -> one.map().version() == 1 && two.map().version() == 1);
        byte winner = (byte) (ofOne.outcome() == Outcome.DONE ? 1 : 2);
        assertThat(one.map().content()).containsExactly(winner);
        assertThat(two.map().content()).containsExactly(winner);
    }

    @Test
    void shouldReportAConflictWhenTheVersionIsOld() {
        begin();
        end(one.replace(0, new byte[] {1}));

        Change late = two.replace(0, new byte[] {2});

        assertThat(end(late)).isEqualTo(Outcome.CONFLICT);
        await(() -> two.map().version() == 1);
        assertThat(two.map().content()).containsExactly(1);
    }

    @Test
    void shouldLeaveTheOutcomeUnknownWhenContactEnds() {
        begin();

        Change change = one.replace(0, new byte[] {7});
        cut(1);
        await(() -> one.session() == Session.SUSPENDED);
        Change without = one.replace(0, new byte[] {8});

        assertThat(change.outcome()).isNotEqualTo(Outcome.PENDING);
        assertThat(without.outcome()).isEqualTo(Outcome.UNKNOWN);
        heal();
        reconnect(one, 1);
        // The same version again settles an unknown change: afterwards the map has another version.
        Outcome settled = end(one.replace(0, new byte[] {9}));
        assertThat(settled).isIn(Outcome.DONE, Outcome.CONFLICT);
        await(() -> two.map().version() >= 1);
    }

    @Test
    void shouldRemoveANodeWhenItsSessionEndsAndAnnounceItAgain() {
        begin();

        cut(1);
        await(() -> !two.live().containsKey(1));
        heal();
        await(() -> one.session() == Session.LOST);
        one.announce(new byte[] {3});

        await(() -> one.session() == Session.CONNECTED);
        await(() -> shows(two, 1, 3));
    }

    @Test
    void shouldServeAgainAfterAShortOutage() {
        begin();
        end(one.replace(0, new byte[] {5}));

        outage();
        reconnect(one, 1);
        reconnect(two, 2);

        await(() -> shows(one, 1, 1) && shows(one, 2, 2));
        assertThat(end(two.replace(1, new byte[] {6}))).isEqualTo(Outcome.DONE);
        await(() -> one.map().version() == 2);
        assertThat(one.map().content()).containsExactly(6);
    }

    @Test
    void shouldKeepTheEntryOfANodeThatStartedAgain() {
        begin();

        crash(1);
        Membership again = open(1);
        again.announce(new byte[] {4});
        await(() -> shows(two, 1, 4));
        // The first session's end must not remove the entry; a cut of node 2 lasts longer than that session.
        cut(2);
        await(() -> !again.live().containsKey(2));

        assertThat(shows(again, 1, 4)).isTrue();
    }

    @Test
    void shouldAnnounceWhenThereIsContact() {
        begin();
        cut(1);
        await(() -> one.session() == Session.SUSPENDED);

        one.announce(new byte[] {9});
        heal();

        reconnect(one, 9);
        await(() -> shows(two, 1, 9));
    }

    @Test
    void shouldShowTheLastOfTwoEntries() {
        begin();

        one.announce(new byte[] {11});
        one.announce(new byte[] {12});

        await(() -> shows(two, 1, 12));
    }
}
