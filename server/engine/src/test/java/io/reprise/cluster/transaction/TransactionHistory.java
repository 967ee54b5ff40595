package io.reprise.cluster.transaction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The calls of a run and what was told of them. Lists only grow and their values are unique, so the end of each list is
 * its order of versions. The history is strictly serializable if the graph of calls has no cycle: a writer precedes the
 * next writer of its list and all who read its value, a reader precedes the writer of the value that it misses, and a
 * told call precedes all that began later.
 */
public final class TransactionHistory {
    /** A list: a partition and a key. */
    public record ListKey(int partition, int key) {}

    /** A call with the lists that it appends its value to, and those that it was told of. */
    public static final class Call {
        public final long value;
        final String kind;
        final long beganNs;
        public final List<ListKey> appends = new ArrayList<>();
        public final Map<ListKey, List<Long>> reads = new LinkedHashMap<>();
        public long toldNs = Long.MAX_VALUE;
        public Outcome.Kind outcome = Outcome.Kind.UNKNOWN;

        Call(long value, String kind, long beganNs) {
            this.value = value;
            this.kind = kind;
            this.beganNs = beganNs;
        }

        boolean isTold() {
            return outcome == Outcome.Kind.DONE || outcome == Outcome.Kind.USER_ABORT;
        }

        @Override
        public String toString() {
            return kind + " " + value + " " + outcome + " [" + beganNs + ", " + (isTold() ? toldNs : "-") + "] appends "
                    + appends + " read " + reads;
        }
    }

    private final List<Call> calls = new ArrayList<>();

    /** A call that begins. */
    public Call begin(long value, String kind, long nowNs) {
        Call call = new Call(value, kind, nowNs);
        calls.add(call);
        return call;
    }

    /** The number of calls whose end was told. */
    public int told() {
        return (int) calls.stream().filter(Call::isTold).count();
    }

    /** Checks against the lists at the end, by partition. */
    public void check(Map<Integer, TreeMap<Integer, List<Long>>> ends) {
        Map<ListKey, List<Long>> lists = new LinkedHashMap<>();
        ends.forEach((partition, byKey) -> byKey.forEach((key, list) -> lists.put(new ListKey(partition, key), list)));
        List<Call> counting = new ArrayList<>();
        for (Call call : calls) {
            if (checkWhole(call, lists) || call.isTold()) {
                counting.add(call);
            }
        }
        new Order(counting, lists).check();
    }

    /** All of a call's values are there, or none; true if all. */
    private static boolean checkWhole(Call call, Map<ListKey, List<Long>> lists) {
        int there = 0;
        for (ListKey key : call.appends) {
            List<Long> list = lists.getOrDefault(key, List.of());
            int count = (int) list.stream().filter(value -> value == call.value).count();
            require(count <= 1, "appended twice: " + call);
            there += count;
        }
        require(there == 0 || there == call.appends.size(), "half a transaction: " + call + " in " + lists);
        if (call.outcome == Outcome.Kind.DONE) {
            require(there == call.appends.size(), "told, and lost: " + call + " in " + lists);
        } else if (call.outcome != Outcome.Kind.UNKNOWN) {
            require(there == 0, "told to have no effect, and has: " + call);
        }
        return there > 0;
    }

    private static void require(boolean holds, String broken) {
        if (!holds) {
            throw new AssertionError(broken);
        }
    }

    /** The graph: a node for each call and, behind it, one for each told moment in order. */
    private static final class Order {
        private final List<Call> calls;
        private final Map<ListKey, List<Long>> lists;
        private final List<List<Integer>> next = new ArrayList<>();
        private final Map<Long, Integer> writers = new HashMap<>();

        Order(List<Call> calls, Map<ListKey, List<Long>> lists) {
            this.calls = calls;
            this.lists = lists;
            for (int i = 0; i < calls.size(); i++) {
                next.add(new ArrayList<>());
                writers.put(calls.get(i).value, i);
            }
        }

        void check() {
            lists.values().forEach(list -> {
                for (int i = 1; i < list.size(); i++) {
                    edge(writer(list.get(i - 1)), writer(list.get(i)));
                }
            });
            for (int i = 0; i < calls.size(); i++) {
                if (calls.get(i).isTold()) {
                    reads(i);
                }
            }
            moments();
            findCycle();
        }

        private int writer(long value) {
            Integer writer = writers.get(value);
            require(writer != null, "nobody wrote " + value);
            return writer;
        }

        private void edge(int from, int to) {
            if (from != to) {
                next.get(from).add(to);
            }
        }

        private void reads(int reader) {
            calls.get(reader).reads.forEach((key, seen) -> {
                List<Long> end = lists.getOrDefault(key, List.of());
                boolean prefix =
                        seen.size() <= end.size() && end.subList(0, seen.size()).equals(seen);
                require(prefix, "read what is not there: " + calls.get(reader) + " of " + key + " " + end);
                if (!seen.isEmpty()) {
                    edge(writer(seen.getLast()), reader);
                }
                if (seen.size() < end.size()) {
                    edge(reader, writer(end.get(seen.size())));
                }
            });
        }

        private void moments() {
            long[] told = calls.stream()
                    .filter(Call::isTold)
                    .mapToLong(call -> call.toldNs)
                    .sorted()
                    .distinct()
                    .toArray();
            int first = calls.size();
            for (int i = 0; i < told.length; i++) {
                next.add(new ArrayList<>());
                if (i > 0) {
                    next.get(first + i - 1).add(first + i);
                }
            }
            for (int i = 0; i < calls.size(); i++) {
                Call call = calls.get(i);
                if (call.isTold()) {
                    next.get(i).add(first + Arrays.binarySearch(told, call.toldNs));
                }
                int before = Arrays.binarySearch(told, call.beganNs);
                before = (before < 0 ? -before - 1 : before) - 1;
                if (before >= 0) {
                    next.get(first + before).add(i);
                }
            }
        }

        private void findCycle() {
            int[] state = new int[next.size()];
            int[] path = new int[next.size()];
            int[] taken = new int[next.size()];
            for (int root = 0; root < next.size(); root++) {
                int depth = 0;
                if (state[root] != 0) {
                    continue;
                }
                path[0] = root;
                state[root] = 1;
                while (depth >= 0) {
                    int node = path[depth];
                    if (taken[node] == next.get(node).size()) {
                        state[node] = 2;
                        depth--;
                        continue;
                    }
                    int child = next.get(node).get(taken[node]++);
                    require(state[child] != 1, "not strictly serializable", path, depth, child);
                    if (state[child] == 0) {
                        state[child] = 1;
                        path[++depth] = child;
                    }
                }
            }
        }

        private void require(boolean holds, String broken, int[] path, int depth, int child) {
            if (holds) {
                return;
            }
            StringBuilder cycle = new StringBuilder(broken + ":");
            int from = depth;
            while (path[from] != child) {
                from--;
            }
            for (int i = from; i <= depth; i++) {
                cycle.append("\n  ").append(path[i] < calls.size() ? calls.get(path[i]) : "then");
            }
            throw new AssertionError(cycle.toString());
        }

        private static void require(boolean holds, String broken) {
            TransactionHistory.require(holds, broken);
        }
    }
}
