package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.runtime.Randomness;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A simulated machine with a replica of each partition, which can be killed, lose its power or its disk, and start again. */
final class ReplicaNode {
    private static final int MOST_LENT_CYCLES = 100;

    private final Simulation simulation;
    private final SimulatedLinks network;
    private final SimulatedMembership service;
    private final ReplicaSettings settings;
    private final Randomness random;
    private final int number;
    private final int nodes;
    private final List<SimulatedReplicaLog> logs = new ArrayList<>();

    /** By partition, the duty cycles for which it is lent to another thread. */
    private final int[] lentFor;

    /** By partition, the duty cycles for which its values are being loaded. */
    private final int[] loadedIn;

    private Randomness loading;
    private int mostLoading;
    private Randomness lending;
    private double lends;
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
        lentFor = new int[partitions];
        loadedIn = new int[partitions];
        for (int i = 0; i < partitions; i++) {
            logs.add(new SimulatedReplicaLog(simulation.clock(), simulation.randomness(), mostForceNs, window));
        }
    }

    /**
     * Before the start: bounds each log's ring, and lends partitions to another thread for a while.
     *
     * @param chance of a partition to be lent, in each duty cycle
     */
    void limit(int ring, double chance, Randomness drawn) {
        logs.forEach(log -> log.ring(ring));
        lends = chance;
        lending = drawn;
    }

    /** From the next start on values are loaded while the node runs, for so many duty cycles at most. */
    void loadWhileRunning(int mostCycles, Randomness drawn) {
        mostLoading = mostCycles;
        loading = drawn;
    }

    private void load() {
        for (int i = 0; i < loadedIn.length; i++) {
            loadedIn[i] = mostLoading == 0 || logs.get(i).lastIndex() == 0 ? 0 : loading.nextInt(mostLoading);
            machines.get(i).whole(loadedIn[i] == 0);
        }
    }

    /** Lends a partition for so many duty cycles. */
    void lend(int partition, int cycles) {
        lentFor[partition] = cycles;
    }

    /** Whether a call may touch the partition. */
    boolean isAvailable(int partition) {
        return lentFor[partition] == 0 && logs.get(partition).hasRoom();
    }

    private int passCycle() {
        for (int i = 0; i < lentFor.length; i++) {
            if (loadedIn[i] > 0) {
                loadedIn[i]--;
                machines.get(i).whole(loadedIn[i] == 0);
            }
            if (lentFor[i] > 0) {
                lentFor[i]--;
            } else if (lends > 0 && lending.chance(lends)) {
                lentFor[i] = 1 + lending.nextInt(MOST_LENT_CYCLES);
            }
        }
        return 0;
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

    /** The records that were read for peers because they were not at hand. */
    long olderRecords() {
        return logs.stream().mapToLong(SimulatedReplicaLog::olderRecords).sum();
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
        load();
        agent = new ReplicaAgent(
                new Member(number, incarnation),
                new Placement(1, nodes, nodes),
                network.of(name(number)),
                ReplicaNode::name,
                service.of(number),
                List.copyOf(logs),
                List.copyOf(machines),
                settings,
                this::isAvailable);
        Arrays.fill(lentFor, 0);
        agent.group().lentIf(partition -> lentFor[partition] > 0);
        agent.beside(nowNs -> passCycle());
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

    /** From now on it takes time until a log's note of the map is durable. */
    void delayNotes(Randomness drawn) {
        logs.forEach(log -> log.delayNotes(drawn));
    }

    /** Whether each of its logs durably names an epoch. */
    boolean isNoted() {
        return logs.stream().allMatch(log -> log.isNoted() && log.noted().epoch() > 0);
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
