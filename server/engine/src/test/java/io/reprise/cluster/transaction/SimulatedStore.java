package io.reprise.cluster.transaction;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A partition's rows in a simulation: lists that only grow, and cells. An image has all effects by index.
 */
final class SimulatedStore implements PartitionStore {
    /** Operations of a piece of work: u1 operation, u4 key, u8 value. */
    static final int APPEND = 1;

    static final int READ = 2;
    static final int ADD = 3;
    static final int PUT = 4;
    static final int GET = 5;
    static final int SUM = 6;
    static final int ABORT = 7;

    /** Keys below this are accounts, the others are pointers. */
    static final int POINTERS = 1_000;

    private static final int OPERATION_BYTES = 13;

    private record Applied(long index, byte[] effects) {}

    private record Change(int operation, int key, long value, long before) {}

    private final TreeMap<Integer, List<Long>> lists = new TreeMap<>();
    private final TreeMap<Integer, Long> cells = new TreeMap<>();
    private final List<Applied> applied = new ArrayList<>();
    private final List<Change> running = new ArrayList<>();
    private final Runnable beginning;
    private boolean runs;
    private boolean isLent;

    /** A store whose cells begin as a setter puts them. */
    SimulatedStore(TreeMap<Integer, Long> initial) {
        beginning = () -> {
            lists.clear();
            cells.clear();
            cells.putAll(initial);
        };
        beginning.run();
    }

    /** Lends the store to another thread: no call may touch it until it is back. */
    void lend(boolean lent) {
        isLent = lent;
    }

    @Override
    public boolean isAvailable() {
        return !isLent;
    }

    private void requireHere() {
        require(!isLent, "the store is lent to another thread");
    }

    List<Long> list(int key) {
        return lists.getOrDefault(key, List.of());
    }

    TreeMap<Integer, List<Long>> lists() {
        return lists;
    }

    TreeMap<Integer, Long> cells() {
        return cells;
    }

    /** The sum of all accounts. */
    long sum() {
        return cells.headMap(POINTERS).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Override
    public void begin(long id) {
        requireHere();
        require(!runs, "a transaction runs already");
        runs = true;
    }

    @Override
    public int savepoint() {
        require(runs, "no transaction runs");
        return running.size();
    }

    @Override
    public void rollBack(int savepoint) {
        requireHere();
        require(savepoint <= running.size(), "the savepoint is gone");
        while (running.size() > savepoint) {
            Change last = running.removeLast();
            if (last.operation == APPEND) {
                List<Long> list = lists.get(last.key);
                list.removeLast();
                if (list.isEmpty()) {
                    lists.remove(last.key);
                }
            } else {
                cells.put(last.key, last.before);
            }
        }
    }

    @Override
    public Result run(byte[] work) {
        requireHere();
        require(runs, "no transaction runs");
        ByteBuffer in = ByteBuffer.wrap(work);
        ByteBuffer rows = ByteBuffer.allocate(8192);
        boolean aborted = false;
        while (in.hasRemaining()) {
            int operation = in.get();
            int key = in.getInt();
            long value = in.getLong();
            switch (operation) {
                case APPEND -> {
                    write(rows, list(key));
                    change(APPEND, key, value);
                }
                case READ -> write(rows, list(key));
                case ADD -> {
                    change(PUT, key, cells.get(key) + value);
                    rows.putLong(cells.get(key));
                }
                case PUT -> change(PUT, key, value);
                case GET -> rows.putLong(cells.get(key));
                case SUM -> rows.putLong(sum());
                default -> aborted = true;
            }
        }
        byte[] bytes = new byte[rows.flip().remaining()];
        rows.get(bytes);
        return new Result(aborted, bytes);
    }

    private static void write(ByteBuffer rows, List<Long> list) {
        rows.putLong(list.size());
        list.forEach(rows::putLong);
    }

    private void change(int operation, int key, long value) {
        running.add(new Change(operation, key, value, operation == PUT ? cells.get(key) : 0));
        change(lists, cells, operation, key, value);
    }

    private static void change(
            TreeMap<Integer, List<Long>> lists, TreeMap<Integer, Long> cells, int operation, int key, long value) {
        if (operation == APPEND) {
            lists.computeIfAbsent(key, absent -> new ArrayList<>()).add(value);
        } else {
            cells.put(key, value);
        }
    }

    @Override
    public byte[] effects() {
        ByteBuffer out = ByteBuffer.allocate(OPERATION_BYTES * running.size());
        running.forEach(each -> out.put((byte) each.operation).putInt(each.key).putLong(each.value));
        return out.array();
    }

    @Override
    public void commit(long index) {
        requireHere();
        require(runs, "no transaction runs");
        applied.add(new Applied(index, effects()));
        running.clear();
        runs = false;
    }

    @Override
    public void undo() {
        requireHere();
        rollBack(0);
        runs = false;
    }

    @Override
    public void apply(long index, byte[] effects) {
        requireHere();
        require(!runs, "a transaction runs");
        applied.add(new Applied(index, effects));
        redo(effects);
    }

    private void redo(byte[] effects) {
        ByteBuffer in = ByteBuffer.wrap(effects);
        while (in.hasRemaining()) {
            change(lists, cells, in.get(), in.getInt(), in.getLong());
        }
    }

    @Override
    public byte[] image() {
        int bytes = 0;
        for (Applied each : applied) {
            bytes += 12 + each.effects.length;
        }
        ByteBuffer out = ByteBuffer.allocate(bytes);
        applied.forEach(
                each -> out.putLong(each.index).putInt(each.effects.length).put(each.effects));
        return out.array();
    }

    @Override
    public void load(byte[] image) {
        undo();
        applied.clear();
        beginning.run();
        ByteBuffer in = ByteBuffer.wrap(image);
        while (in.hasRemaining()) {
            long index = in.getLong();
            byte[] effects = Wire.bytes(in);
            apply(index, effects);
        }
    }

    private static void require(boolean holds, String broken) {
        if (!holds) {
            throw new IllegalStateException(broken);
        }
    }
}
