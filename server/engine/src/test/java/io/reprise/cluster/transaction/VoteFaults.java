package io.reprise.cluster.transaction;

import io.reprise.cluster.Member;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Faults that are aimed at the rules of votes and decisions, and at those of confirmed reads. A run has those of one kind. */
final class VoteFaults extends Aims {
    private static final int KINDS = 6;

    private final int kind;
    private final boolean forced;

    /** The transaction that was found at a moment. */
    private Coordinated found;

    /**
     * Faults at these nodes.
     *
     * @param forced the loss of all power loses nothing that was told
     */
    VoteFaults(
            Simulation simulation,
            SimulatedLinks network,
            SimulatedMembership service,
            List<TransactionNode> nodes,
            int partitions,
            boolean forced) {
        super(simulation, network, service, nodes, partitions);
        kind = (int) Math.floorMod(simulation.seed() / 5, (long) KINDS);
        this.forced = forced;
    }

    @Override
    void strike() {
        switch (kind) {
            case 0 -> pauseAHomeThatAwaitsVotes();
            case 1 -> loseAHomeWithoutFollowers();
            case 2 -> loseADecisionThatOneParticipantHas();
            case 3 -> loseADecisionThatOneParticipantMisses();
            case 4 -> splitFromAFollower();
            default -> losePowerBehindARead();
        }
    }

    /** FENCE: all have voted, the home sleeps, its next leader gives the transaction up, and the home wakes to the votes. */
    private void pauseAHomeThatAwaitsVotes() {
        if (!await(() -> find(this::haveAllVoted))) {
            return;
        }
        long pauseNs = 400_000_000 + random.nextLong(1_200_000_000);
        service.cut(at.number());
        simulation.pause(TransactionNode.name(at.number()), pauseNs);
        simulation.runFor(pauseNs + random.nextLong(500_000_000));
    }

    /** HOME_VOTES: the home's followers miss its part, and all others have voted. */
    private void loseAHomeWithoutFollowers() {
        if (!await(() -> find((node, of) -> line(of).sync().size() > 1 && isProposing(node, of)))) {
            return;
        }
        TransactionNode home = at;
        int of = partition;
        TransactionName name = found.name;
        cutFromFollowers(home, of, false);
        await(200_000_000, () -> isCommitted(home, of, name));
        simulation.runFor(random.nextLong(6_000_000));
        crash(home);
        simulation.runFor(random.nextLong(MOST_WAIT_NS));
    }

    private boolean isProposing(TransactionNode node, int of) {
        for (Coordinated each : node.transactions(of).leading().coordinator.all()) {
            if (each.phase == Coordinated.Phase.PROPOSING && each.mode != Mode.READ_ROUNDS) {
                found = each;
                return true;
            }
        }
        return false;
    }

    /** ASK_ALL: only a participant that is silent knows the decision. */
    private void loseADecisionThatOneParticipantHas() {
        if (!await(() -> find(this::haveAllVoted))) {
            return;
        }
        TransactionNode home = at;
        int of = partition;
        TransactionName name = found.name;
        int knows = someRemote(home, -1);
        Set<Integer> successors = followers(of, home.number());
        cutFromFollowers(home, of, false);
        if (knows < 0 || !await(100_000_000, () -> isCommittedAt(knows, name))) {
            return;
        }
        int silent = leaderOf(knows).number();
        for (int successor : successors) {
            if (successor != silent) {
                network.cut(TransactionNode.name(silent), TransactionNode.name(successor));
            }
        }
        if (random.chance(0.5)) {
            simulation.pause(TransactionNode.name(silent), random.nextLong(2 * MOST_WAIT_NS));
        }
        crash(home);
        simulation.runFor(MOST_WAIT_NS + random.nextLong(MOST_WAIT_NS));
    }

    /** KEEP_UNTIL_VERDICT: one participant knows the decision, and another one that was asked first does not. */
    private void loseADecisionThatOneParticipantMisses() {
        if (!await(() -> find((node, of) -> haveAllVoted(node, of) && found.participants.length > 2))) {
            return;
        }
        TransactionNode home = at;
        TransactionName name = found.name;
        int knows = someRemote(home, -1);
        int misses = knows < 0 ? -1 : someRemote(home, leaderOf(knows).number());
        if (misses < 0) {
            return;
        }
        cutFromFollowers(home, partition, false);
        network.cut(
                TransactionNode.name(home.number()),
                TransactionNode.name(leaderOf(misses).number()));
        if (await(100_000_000, () -> isCommittedAt(knows, name))) {
            crash(home);
            simulation.runFor(MOST_WAIT_NS + random.nextLong(MOST_WAIT_NS));
        }
    }

    /** CONFIRM_PARTS: a leader is replaced by a follower elsewhere, and homes beside it do not learn that. */
    private void splitFromAFollower() {
        if (!find((node, of) -> line(of).sync().size() > 1)) {
            return;
        }
        Set<Integer> inside = new HashSet<>(Set.of(at.number()));
        Set<Integer> followers = followers(partition, at.number());
        for (TransactionNode node : nodes) {
            if (!followers.contains(node.number()) && random.chance(0.7)) {
                inside.add(node.number());
            }
        }
        for (int in : inside) {
            service.cut(in);
            for (TransactionNode out : nodes) {
                if (!inside.contains(out.number())) {
                    network.cut(TransactionNode.name(in), TransactionNode.name(out.number()));
                    network.cut(TransactionNode.name(out.number()), TransactionNode.name(in));
                }
            }
        }
        simulation.runFor(MOST_WAIT_NS / 2 + random.nextLong(MOST_WAIT_NS));
    }

    /** READ_STABLE: a read is told, and the power of all replicas fails before the write that it saw is forced. */
    private void losePowerBehindARead() {
        if (!forced || !await(() -> find(this::hasReadUnforced))) {
            return;
        }
        Coordinated read = found;
        int of = other;
        await(20_000_000, () -> read.phase != Coordinated.Phase.CONFIRMING);
        List<Member> replicas = line(of).sync();
        for (Member member : replicas) {
            TransactionNode node = nodes.get(member.node() - 1);
            if (node.isUp()) {
                node.crash(true);
            }
        }
        for (Member member : replicas) {
            TransactionNode node = nodes.get(member.node() - 1);
            if (!node.isUp()) {
                node.start();
            }
        }
    }

    private boolean hasReadUnforced(TransactionNode node, int of) {
        for (Coordinated each : node.transactions(of).leading().coordinator.all()) {
            if (each.phase != Coordinated.Phase.CONFIRMING) {
                continue;
            }
            for (int participant : each.participants) {
                TransactionNode leader = leaderOf(participant);
                if (leader != null
                        && leader.replica(participant).applied()
                                > leader.replica(participant).forced()) {
                    found = each;
                    other = participant;
                    return true;
                }
            }
        }
        return false;
    }

    // ---- Means

    /** Whether all participants have voted for a transaction of this home, which does not know all votes. */
    private boolean haveAllVoted(TransactionNode node, int of) {
        if (line(of).sync().size() < 2) {
            return false;
        }
        for (Coordinated each : node.transactions(of).leading().coordinator.all()) {
            boolean is = each.participants.length > 1
                    && (each.phase == Coordinated.Phase.RUNNING || each.phase == Coordinated.Phase.PREPARING);
            for (int participant : each.participants) {
                is = is && hasVoted(participant, each);
            }
            if (is) {
                found = each;
                return true;
            }
        }
        return false;
    }

    private boolean hasVoted(int participant, Coordinated of) {
        TransactionNode leader = leaderOf(participant);
        Held held = leader == null
                ? null
                : leader.transactions(participant).leading().executor.of(of.name);
        return held != null && held.voted && held.run.equals(of.run);
    }

    /** The node that serves a partition, or null. */
    private TransactionNode leaderOf(int of) {
        for (TransactionNode node : nodes) {
            if (node.leads(of) && node.transactions(of).isServing()) {
                return node;
            }
        }
        return null;
    }

    private boolean isCommitted(TransactionNode node, int of, TransactionName name) {
        return node.leads(of)
                && node.transactions(of).isServing()
                && node.transactions(of).leading().state.committed(name) != null;
    }

    private boolean isCommittedAt(int participant, TransactionName name) {
        TransactionNode leader = leaderOf(participant);
        return leader != null && isCommitted(leader, participant, name);
    }

    /** A participant whose leader is neither the home's node nor another one; -1 if there is none. */
    private int someRemote(TransactionNode home, int without) {
        int first = random.nextInt(found.participants.length);
        for (int i = 0; i < found.participants.length; i++) {
            int participant = found.participants[(first + i) % found.participants.length];
            TransactionNode leader = leaderOf(participant);
            if (leader != null && leader.number() != home.number() && leader.number() != without) {
                return participant;
            }
        }
        return -1;
    }

    private Set<Integer> followers(int of, int leader) {
        Set<Integer> followers = new HashSet<>();
        for (Member member : line(of).sync()) {
            if (member.node() != leader) {
                followers.add(member.node());
            }
        }
        return followers;
    }
}
