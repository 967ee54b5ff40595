package io.reprise.cluster.transaction;

import io.reprise.cluster.Member;
import io.reprise.cluster.replica.Machine;
import io.reprise.cluster.replica.Placement;
import io.reprise.cluster.replica.Replica;
import io.reprise.cluster.replica.ReplicaAgent;
import io.reprise.cluster.replica.ReplicaSettings;
import io.reprise.cluster.replica.SimulatedReplicaLog;
import io.reprise.runtime.Randomness;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** A simulated machine with partitions, which can be killed, lose its power or its disk, and start again. */
final class TransactionNode {
    private static final int MOST_LENT_CYCLES = 100;

    /** The settings that all nodes of a run share. */
    record Cluster(
            Simulation simulation,
            SimulatedLinks network,
            SimulatedMembership service,
            int nodes,
            int partitions,
            int copies,
            long mostForceNs,
            double lends,
            ReplicaSettings replicas,
            TransactionSettings transactions,
            List<TreeMap<Integer, Long>> initial) {}

    private final Cluster cluster;
    private final int number;
    private final Randomness random;

    /** By partition, the duty cycles for which its store is lent, as to a snapshot. */
    private final int[] lentFor;

    private final List<SimulatedReplicaLog> logs = new ArrayList<>();
    private final List<SimulatedStore> stores = new ArrayList<>();
    private final List<PartitionTransactions> transactions = new ArrayList<>();
    private ReplicaAgent replicas;
    private long incarnation;

    TransactionNode(Cluster cluster, int number) {
        this.cluster = cluster;
        this.number = number;
        Simulation simulation = cluster.simulation;
        random = simulation.randomness();
        lentFor = new int[cluster.partitions];
        for (int i = 0; i < cluster.partitions; i++) {
            logs.add(new SimulatedReplicaLog(simulation.clock(), simulation.randomness(), cluster.mostForceNs));
        }
    }

    static String name(int number) {
        return "n" + number;
    }

    long nowNs() {
        return cluster.simulation.clock().nanoTime();
    }

    int number() {
        return number;
    }

    boolean isUp() {
        return replicas != null;
    }

    long incarnation() {
        return incarnation;
    }

    /** The replica of a partition, or null. */
    Replica replica(int partition) {
        return replicas.replica(partition);
    }

    /** The role of the partition's replica. */
    Replica.Role role(int partition) {
        Replica replica = replica(partition);
        return replica == null ? Replica.Role.OUT : replica.role();
    }

    PartitionTransactions transactions(int partition) {
        return transactions.get(partition);
    }

    SimulatedStore store(int partition) {
        return stores.get(partition);
    }

    boolean leads(int partition) {
        return isUp() && role(partition) == Replica.Role.LEADER;
    }

    void start() {
        incarnation = random.nextLong();
        stores.clear();
        transactions.clear();
        List<Machine> machines = new ArrayList<>();
        for (int i = 0; i < logs.size(); i++) {
            SimulatedStore store = new SimulatedStore(cluster.initial.get(i));
            PartitionTransactions of =
                    new PartitionTransactions(i, store, cluster.transactions, cluster.simulation.clock(name(number)));
            logs.get(i).start(incarnation);
            logs.get(i).recover(of.machine());
            stores.add(store);
            transactions.add(of);
            machines.add(of.machine());
        }
        replicas = new ReplicaAgent(
                new Member(number, incarnation),
                new Placement(1, cluster.nodes, cluster.copies),
                cluster.network.of(name(number)),
                TransactionNode::name,
                cluster.service.of(number),
                List.copyOf(logs),
                machines,
                cluster.replicas,
                partition -> lentFor[partition] == 0);
        Arrays.fill(lentFor, 0);
        TransactionSite site =
                new TransactionSite(new Member(number, incarnation), cluster.partitions, replicas.group());
        transactions.forEach(site::add);
        replicas.frames(TransactionSite::receiverOf);
        replicas.group().lentIf(partition -> lentFor[partition] > 0);
        replicas.beside(nowNs -> {
            int work = site.step(nowNs);
            lend();
            return work;
        });
        cluster.simulation.add(name(number), replicas);
    }

    /** Lends stores from the next duty cycle on, and takes others back. */
    private void lend() {
        for (int i = 0; cluster.lends > 0 && i < lentFor.length; i++) {
            if (lentFor[i] > 0) {
                lentFor[i]--;
            } else if (random.chance(cluster.lends)) {
                lentFor[i] = 1 + random.nextInt(MOST_LENT_CYCLES);
            }
            stores.get(i).lend(lentFor[i] > 0);
        }
    }

    void crash(boolean power) {
        cluster.simulation.crash(name(number));
        cluster.network.crash(name(number));
        cluster.service.crash(number);
        logs.forEach(log -> log.crash(power));
        replicas = null;
    }

    void wipe() {
        logs.forEach(SimulatedReplicaLog::wipe);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name(number) + (isUp() ? " runs as " + incarnation : " is down"));
        for (int i = 0; isUp() && i < logs.size(); i++) {
            Replica replica = replica(i);
            if (replica != null) {
                text.append("\n    ")
                        .append(replica.role())
                        .append(" in epoch ")
                        .append(replica.entered());
                text.append(" at ").append(replica.applied()).append(": ").append(transactions.get(i));
            }
        }
        return text.toString();
    }
}
