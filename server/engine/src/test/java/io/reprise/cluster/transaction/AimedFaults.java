package io.reprise.cluster.transaction;

import io.reprise.cluster.Member;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.List;

/**
 * Several faults in one order, each of which is aimed at a rule: random faults meet such an order too rarely. A fault whose moment does
 * not come has no effect.
 */
final class AimedFaults extends Aims {
    /** Faults at these nodes. */
    AimedFaults(
            Simulation simulation,
            SimulatedLinks network,
            SimulatedMembership service,
            List<TransactionNode> nodes,
            int partitions) {
        super(simulation, network, service, nodes, partitions);
    }

    @Override
    void strike() {
        switch (random.nextInt(5)) {
            case 0 -> replaceALeaderThatReadersAsk();
            case 1 -> loseAPartThatVotedAndMoved();
            case 2 -> loseAPartThatAJoinerMisses();
            case 3 -> loseAHomeWithASilentParticipant();
            default -> jumpAheadOfReservations();
        }
    }

    // ---- The faults

    /** CONFIRM_PARTS: a leader is replaced, and neither it nor another home learns that. */
    private void replaceALeaderThatReadersAsk() {
        if (!find((node, of) -> line(of).sync().size() > 1)) {
            return;
        }
        cutFromFollowers(at, partition, true);
        service.cut(at.number());
        service.cut(1 + random.nextInt(nodes.size()));
        simulation.runFor(500_000_000L + random.nextLong(MOST_WAIT_NS));
    }

    /** VOTE_FOR_RUN: a participant has voted for a run before the id was final, and the next run's part is lost. */
    private void loseAPartThatVotedAndMoved() {
        if (!await(() -> find(this::hasVotedEarly))) {
            return;
        }
        TransactionNode leader = at;
        cutFromFollowers(leader, partition, false);
        simulation.runFor(random.nextLong(30_000_000L));
        crash(leader);
        simulation.runFor(random.nextLong(MOST_WAIT_NS));
    }

    private boolean hasVotedEarly(TransactionNode node, int of) {
        if (line(of).sync().size() < 2) {
            return false;
        }
        for (Held held : node.transactions(of).leading().executor.all()) {
            Coordinated home = held.voted ? coordinated(held.name) : null;
            if (home != null && held.name.home() != of && home.phase == Coordinated.Phase.PROPOSING) {
                return true;
            }
        }
        return false;
    }

    private Coordinated coordinated(TransactionName name) {
        for (TransactionNode node : nodes) {
            if (node.leads(name.home()) && node.transactions(name.home()).leading() != null) {
                for (Coordinated each :
                        node.transactions(name.home()).leading().coordinator.all()) {
                    if (each.name.equals(name)) {
                        return each;
                    }
                }
            }
        }
        return null;
    }

    /** JOINER_NEEDS_VOTED: a joiner comes into sync while a part is on its way to it for which the others have voted. */
    private void loseAPartThatAJoinerMisses() {
        if (!find((node, of) -> line(of).sync().size() > 1)) {
            return;
        }
        int of = partition;
        Member follower = line(of).sync().stream()
                .filter(member -> member.node() != at.number())
                .findFirst()
                .orElseThrow();
        TransactionNode joiner = nodes.get(follower.node() - 1);
        if (joiner.isUp()) {
            crash(joiner);
        }
        simulation.runFor(random.nextLong(MOST_WAIT_NS / 2));
        joiner.start();
        if (!await(() -> find((node, each) -> each == of && hasVotedBefore(node, each, joiner.number())))) {
            return;
        }
        network.cut(TransactionNode.name(at.number()), TransactionNode.name(joiner.number()));
        boolean joins = await(() -> line(of).member(joiner.number())
                .filter(member -> member.incarnation() == joiner.incarnation())
                .isPresent());
        if (joins) {
            for (Member member : line(of).sync()) {
                if (member.node() != joiner.number()
                        && nodes.get(member.node() - 1).isUp()) {
                    crash(nodes.get(member.node() - 1));
                }
            }
            simulation.runFor(random.nextLong(MOST_WAIT_NS));
        }
    }

    private static boolean hasVotedBefore(TransactionNode node, int of, int joiner) {
        long[] received = new long[1];
        node.replica(of).eachFollower((peer, inSync, has, durable) -> {
            if (peer == joiner && !inSync) {
                received[0] = has;
            }
        });
        for (Held held : node.transactions(of).leading().executor.all()) {
            if (held.voted && received[0] > 0 && received[0] < held.partIndex) {
                return true;
            }
        }
        return false;
    }

    /** STABLE_IN_FRONT: a home ends while a participant has not heard its decision, and others have run behind it. */
    private void loseAHomeWithASilentParticipant() {
        if (!await(() -> find(this::hasJustDecided))) {
            return;
        }
        TransactionNode home = at;
        network.cut(TransactionNode.name(home.number()), TransactionNode.name(other));
        simulation.runFor(random.nextLong(MOST_WAIT_NS / 2));
        if (home.isUp()) {
            crash(home);
        }
        simulation.runFor(random.nextLong(MOST_WAIT_NS / 2));
    }

    private boolean hasJustDecided(TransactionNode node, int of) {
        for (Coordinated each : node.transactions(of).leading().coordinator.all()) {
            if (each.phase == Coordinated.Phase.COMMITTED) {
                for (int participant : each.participants) {
                    int leader = line(participant).leader();
                    if (!each.stable[each.place(participant)] && leader != node.number()) {
                        other = leader;
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** RAISE_BY_OWN_NUMBER: a participant's clock is ahead, so it raises the ids of transactions that come together. */
    private void jumpAheadOfReservations() {
        for (int i = 0; i < 5; i++) {
            simulation
                    .clock(TransactionNode.name(1 + random.nextInt(nodes.size())))
                    .jumpWallClock(random.nextLong(3_000_000));
            simulation.runFor(random.nextLong(40_000_000L));
        }
    }
}
