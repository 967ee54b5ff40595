package io.reprise.cluster.transaction;

import io.reprise.cluster.Member;
import io.reprise.cluster.Membership;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.runtime.Randomness;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Faults in one order, each of which is aimed at a moment. A fault whose moment does not come has no effect. */
abstract class Aims {
    static final long MOST_WAIT_NS = 1_000_000_000L;

    final Simulation simulation;
    final SimulatedLinks network;
    final SimulatedMembership service;
    final List<TransactionNode> nodes;
    final int partitions;
    final Randomness random;

    /** The leader that was found at a moment, and another partition or node that has to do with it. */
    TransactionNode at;

    int partition;
    int other;

    /** The newest map: moments are looked for at each step. */
    private Membership.VersionedMap known;

    private PartitionMap map;

    Aims(
            Simulation simulation,
            SimulatedLinks network,
            SimulatedMembership service,
            List<TransactionNode> nodes,
            int partitions) {
        this.simulation = simulation;
        this.network = network;
        this.service = service;
        this.nodes = nodes;
        this.partitions = partitions;
        random = simulation.randomness();
    }

    /** One of the faults. */
    abstract void strike();

    // ---- Means

    /** A state of a leader. */
    interface Moment {
        boolean isAt(TransactionNode leader, int partition);
    }

    /** Finds a leader at a moment, from a random one on. */
    final boolean find(Moment moment) {
        int first = random.nextInt(partitions);
        for (int i = 0; i < partitions; i++) {
            int of = (first + i) % partitions;
            for (TransactionNode node : nodes) {
                if (node.leads(of) && node.transactions(of).isServing() && moment.isAt(node, of)) {
                    at = node;
                    partition = of;
                    return true;
                }
            }
        }
        return false;
    }

    final boolean await(BooleanSupplier moment) {
        return await(MOST_WAIT_NS, moment);
    }

    final boolean await(long mostNs, BooleanSupplier moment) {
        long endNs = simulation.clock().nanoTime() + mostNs;
        while (!moment.getAsBoolean()) {
            if (simulation.clock().nanoTime() > endNs) {
                return false;
            }
            simulation.step();
        }
        return true;
    }

    final Replicas line(int of) {
        if (service.map() != known) {
            known = service.map();
            map = PartitionMap.decode(known.content());
        }
        return map.partitions().get(of);
    }

    final void cutFromFollowers(TransactionNode leader, int of, boolean both) {
        for (Member member : line(of).sync()) {
            if (member.node() != leader.number()) {
                network.cut(TransactionNode.name(leader.number()), TransactionNode.name(member.node()));
                if (both) {
                    network.cut(TransactionNode.name(member.node()), TransactionNode.name(leader.number()));
                }
            }
        }
    }

    static void crash(TransactionNode node) {
        if (node.isUp()) {
            node.crash(false);
        }
    }
}
