package io.reprise.cluster.transaction;

import io.reprise.cluster.transaction.TransactionHistory.Call;
import io.reprise.runtime.Randomness;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A procedure on pointers that form one ring over all partitions. It follows three of them and swaps the two in the
 * middle, or follows all and checks that they come back to the first.
 */
final class Ring implements Procedure {
    private final Call call;
    private final int partitions;
    private final boolean isRead;
    private final int first;
    private final List<Integer> way = new ArrayList<>();

    Ring(Call call, int partitions, boolean isRead, Randomness random) {
        this.call = call;
        this.partitions = partitions;
        this.isRead = isRead;
        first = random.nextInt(size(partitions));
    }

    static int size(int partitions) {
        return 2 * partitions;
    }

    /** The initial pointers of a partition. */
    static void initial(TreeMap<Integer, Long> cells, int partition, int partitions) {
        for (int key = partition; key < size(partitions); key += partitions) {
            cells.put(SimulatedStore.POINTERS + key, (long) (key + 1) % size(partitions));
        }
    }

    @Override
    public boolean beginsAtHome() {
        return first % 2 == 0;
    }

    @Override
    public Step next(int round, SortedMap<Integer, Result> rows) {
        if (round == 0) {
            way.clear();
            way.add(first);
        } else if (round <= length()) {
            way.add((int)
                    ByteBuffer.wrap(rows.values().iterator().next().rows()).getLong());
        }
        TreeMap<Integer, byte[]> works = new TreeMap<>();
        if (round < length()) {
            int key = way.getLast();
            works.put(
                    key % partitions,
                    new Work()
                            .then(SimulatedStore.GET, SimulatedStore.POINTERS + key)
                            .bytes());
            return new Step(Step.Kind.STATEMENTS, works, -1);
        }
        if (isRead || round > length()) {
            return new Step(Step.Kind.COMMIT, works, -1);
        }
        TreeMap<Integer, Work> puts = new TreeMap<>();
        put(puts, way.get(0), way.get(2));
        put(puts, way.get(2), way.get(1));
        put(puts, way.get(1), way.get(3));
        puts.forEach((partition, work) -> works.put(partition, work.bytes()));
        return new Step(Step.Kind.STATEMENTS, works, -1);
    }

    private int length() {
        return isRead ? size(partitions) : 3;
    }

    private void put(TreeMap<Integer, Work> puts, int key, int value) {
        puts.computeIfAbsent(key % partitions, absent -> new Work())
                .then(SimulatedStore.PUT, SimulatedStore.POINTERS + key, value);
    }

    /** A told read came back to its first pointer, and not before. */
    void check() {
        boolean once = way.subList(0, way.size() - 1).stream().distinct().count() == size(partitions);
        if (isRead && !(once && way.getLast() == first)) {
            throw new AssertionError("the ring is broken: " + way + " in " + call);
        }
    }
}
