package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.runtime.Randomness;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;

/** A simulated machine with a replica of each partition, which can be killed, lose its power or its disk, and start again. */
final class ReplicaNode {
    private final Simulation simulation;
    private final SimulatedLinks network;
    private final SimulatedMembership service;
    private final ReplicaSettings settings;
    private final Randomness random;
    private final int number;
    private final int nodes;
    private final List<SimulatedReplicaLog> logs = new ArrayList<>();
    private List<ValueList> machines = List.of();
    private ReplicaAgent agent;
    private long incarnation;

    ReplicaNode(
            Simulation simulation,
            SimulatedLinks network,
            SimulatedMembership service,
            ReplicaSettings settings,
            int number,
            int nodes,
            int partitions,
            long mostForceNs,
            int window) {
        this.simulation = simulation;
        this.network = network;
        this.service = service;
        this.settings = settings;
        this.number = number;
        this.nodes = nodes;
        random = simulation.randomness();
        for (int i = 0; i < partitions; i++) {
            logs.add(new SimulatedReplicaLog(simulation.clock(), simulation.randomness(), mostForceNs, window));
        }
    }

    static String name(int number) {
        return "n" + number;
    }

    boolean isUp() {
        return agent != null;
    }

    long incarnation() {
        return incarnation;
    }

    Replica replica(int partition) {
        return agent.replica(partition);
    }

    ValueList machine(int partition) {
        return machines.get(partition);
    }

    void start() {
        incarnation = random.nextLong();
        machines = new ArrayList<>();
        for (SimulatedReplicaLog log : logs) {
            log.start(incarnation);
            ValueList machine = new ValueList();
            log.recover(machine);
            machines.add(machine);
        }
        agent = new ReplicaAgent(
                new Member(number, incarnation),
                new Placement(1, nodes, nodes),
                network.of(name(number)),
                ReplicaNode::name,
                service.of(number),
                List.copyOf(logs),
                List.copyOf(machines),
                settings,
                partition -> true);
        simulation.add(name(number), agent);
    }

    /** The node is about to stop. */
    void leave() {
        agent.leave();
    }

    boolean hasLeft() {
        return agent.hasLeft();
    }

    void balance() {
        agent.balance();
    }

    /** The number of partitions in which it leads or follows. */
    int parts() {
        int parts = 0;
        for (int i = 0; i < logs.size(); i++) {
            Replica.Role role = agent.replica(i).role();
            parts += role == Replica.Role.OUT ? 0 : 1;
        }
        return parts;
    }

    void crash(boolean power) {
        simulation.crash(name(number));
        ended(power);
    }

    /** After the simulation has dropped the agent. */
    void ended(boolean power) {
        network.crash(name(number));
        service.crash(number);
        logs.forEach(log -> log.crash(power));
        agent = null;
    }

    void wipe() {
        logs.forEach(SimulatedReplicaLog::wipe);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name(number) + (isUp() ? " runs as " + incarnation : " is down"));
        for (int i = 0; isUp() && i < logs.size(); i++) {
            Replica replica = agent.replica(i);
            text.append("; partition ").append(i).append(": ").append(replica.role());
            text.append(" in epoch ").append(replica.entered()).append(" at ").append(replica.applied());
            text.append(logs.get(i).isLoading() ? " loading" : "");
        }
        return text.toString();
    }
}
