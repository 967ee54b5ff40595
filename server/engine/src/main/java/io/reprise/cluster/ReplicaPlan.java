package io.reprise.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The assignment of replicas to nodes: each node gets about as many replicas and leads as the others, and few replicas move.
 * Nodes that are being removed get none. Equal maps have equal plans.
 */
final class ReplicaPlan {
    private final List<Integer> nodes;
    private final int copies;
    private final List<List<Integer>> goals = new ArrayList<>();

    private ReplicaPlan(PartitionMap map, int copies) {
        nodes = map.staying();
        this.copies = copies;
        for (Replicas line : map.partitions()) {
            List<Integer> goal = new ArrayList<>(line.goal());
            goal.retainAll(nodes);
            goals.add(goal);
        }
    }

    /** The map with goals by which each partition has so many replicas; at least so many nodes stay. */
    static PartitionMap spread(PartitionMap map, int copies) {
        ReplicaPlan plan = new ReplicaPlan(map, copies);
        plan.fill();
        plan.levelReplicas();
        plan.levelLeads();
        PartitionMap planned = map;
        for (int partition = 0; partition < plan.goals.size(); partition++) {
            planned = planned.with(partition, map.partitions().get(partition).toward(plan.goals.get(partition)));
        }
        return planned;
    }

    private void fill() {
        for (List<Integer> goal : goals) {
            while (goal.size() > copies) {
                goal.removeLast();
            }
            while (goal.size() < copies) {
                SortedMap<Integer, Integer> replicas = replicas();
                replicas.keySet().removeAll(goal);
                goal.add(least(replicas));
            }
        }
    }

    private void levelReplicas() {
        while (true) {
            SortedMap<Integer, Integer> replicas = replicas();
            int most = most(replicas);
            int least = least(replicas);
            if (replicas.get(most) - replicas.get(least) <= 1) {
                return;
            }
            for (List<Integer> goal : goals) {
                if (goal.contains(most) && !goal.contains(least)) {
                    goal.set(goal.indexOf(most), least);
                    break;
                }
            }
        }
    }

    private void levelLeads() {
        while (true) {
            SortedMap<Integer, Integer> leads = leads();
            int most = most(leads);
            int least = least(leads);
            if (leads.get(most) - leads.get(least) <= 1 || !passLead(most, least)) {
                return;
            }
        }
    }

    /** A lead goes from a node to another, directly or by a third that gives one of its own. */
    private boolean passLead(int from, int to) {
        if (passDirectly(from, to)) {
            return true;
        }
        for (int by : nodes) {
            if (by != from && by != to && mayPass(from, by) && mayPass(by, to)) {
                return passDirectly(from, by) && passDirectly(by, to);
            }
        }
        return false;
    }

    private boolean mayPass(int from, int to) {
        return goals.stream().anyMatch(goal -> goal.getFirst() == from && goal.contains(to));
    }

    private boolean passDirectly(int from, int to) {
        for (List<Integer> goal : goals) {
            if (goal.getFirst() == from && goal.contains(to)) {
                goal.remove(Integer.valueOf(to));
                goal.addFirst(to);
                return true;
            }
        }
        return false;
    }

    private SortedMap<Integer, Integer> replicas() {
        SortedMap<Integer, Integer> count = none();
        goals.forEach(goal -> goal.forEach(node -> count.merge(node, 1, Integer::sum)));
        return count;
    }

    private SortedMap<Integer, Integer> leads() {
        SortedMap<Integer, Integer> count = none();
        goals.forEach(goal -> count.merge(goal.getFirst(), 1, Integer::sum));
        return count;
    }

    private SortedMap<Integer, Integer> none() {
        SortedMap<Integer, Integer> count = new TreeMap<>();
        nodes.forEach(node -> count.put(node, 0));
        return count;
    }

    /** The lowest node with the highest count. */
    private static int most(SortedMap<Integer, Integer> counts) {
        int most = counts.firstKey();
        for (int node : counts.keySet()) {
            most = counts.get(node) > counts.get(most) ? node : most;
        }
        return most;
    }

    /** The lowest node with the lowest count. */
    private static int least(SortedMap<Integer, Integer> counts) {
        int least = counts.firstKey();
        for (int node : counts.keySet()) {
            least = counts.get(node) < counts.get(least) ? node : least;
        }
        return least;
    }
}
