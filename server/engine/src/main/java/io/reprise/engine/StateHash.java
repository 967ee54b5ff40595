package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.storage.PartitionStore;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The content of all tables, as a hash of each: the same for any number of partitions, because it is a sum over rows.
 * Logged when an engine is closed, and compared when a recovery has come to the same place.
 *
 * <pre>
 *  byte format (1) | int count, then for each table by id: int table id | long rows | long hash
 *  numbers: little endian
 * </pre>
 *
 * @param tables in the order of their ids
 */
record StateHash(List<TableState> tables) {
    private static final byte FORMAT = 1;
    private static final int HEADER = 5;
    private static final int ENTRY = 20;

    /** One table: the number of its rows, and the hash of their values. */
    record TableState(int id, long rows, long hash) {}

    /**
     * Hashes what is there, each partition on a thread of its own if there may be threads. Throws IllegalStateException if the
     * copies of a replicated table differ.
     */
    static StateHash of(Catalog catalog, List<PartitionStore> stores, boolean threads) {
        List<Table> tables = new ArrayList<>(new TreeMap<>(byId(catalog)).values());
        long[][] hashes = new long[stores.size()][tables.size()];
        List<Runnable> parts = new ArrayList<>();
        for (int i = 0; i < hashes.length; i++) {
            PartitionStore store = stores.get(i);
            long[] ofPartition = hashes[i];
            parts.add(() -> {
                for (int t = 0; t < ofPartition.length; t++) {
                    ofPartition[t] = store.table(tables.get(t).id()).contentHash();
                }
            });
        }
        run(parts, threads);
        List<TableState> states = new ArrayList<>();
        for (int t = 0; t < hashes[0].length; t++) {
            states.add(sum(tables.get(t), t, hashes, stores));
        }
        return new StateHash(states);
    }

    private static TreeMap<Integer, Table> byId(Catalog catalog) {
        TreeMap<Integer, Table> tables = new TreeMap<>();
        catalog.tables().values().forEach(table -> tables.put(table.id(), table));
        return tables;
    }

    private static TableState sum(Table table, int position, long[][] hashes, List<PartitionStore> stores) {
        long rows = 0;
        long hash = 0;
        for (int i = 0; i < hashes.length; i++) {
            if (i > 0 && table.replicated()) {
                if (hashes[i][position] != hash) {
                    throw new IllegalStateException(
                            "replicated table " + table.name() + " holds something else in partition " + i
                                    + " than in partition 0; this is a bug of the server, please report it");
                }
            } else {
                rows += stores.get(i).table(table.id()).count();
                hash += hashes[i][position];
            }
        }
        return new TableState(table.id(), rows, hash);
    }

    private static void run(List<Runnable> parts, boolean threads) {
        if (!threads || parts.size() == 1) {
            parts.forEach(Runnable::run);
            return;
        }
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> started = new ArrayList<>();
        for (Runnable part : parts) {
            started.add(Thread.ofPlatform()
                    .name("state-hash-" + started.size())
                    .uncaughtExceptionHandler((thread, cause) -> failure.compareAndSet(null, cause))
                    .start(part));
        }
        boolean interrupted = false;
        for (Thread thread : started) {
            interrupted |= join(thread);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("the state could not be hashed: " + failure.get(), failure.get());
        }
    }

    /** Returns whether this thread was interrupted, and leaves the interrupt for later. */
    private static boolean join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER + ENTRY * tables.size()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(FORMAT).putInt(tables.size());
        for (TableState table : tables) {
            bytes.putInt(table.id).putLong(table.rows).putLong(table.hash);
        }
        return bytes.array();
    }

    /** Reads what {@link #encode} wrote; throws IllegalArgumentException, saying what is wrong with it. */
    static StateHash decode(byte[] encoded) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        try {
            byte format = bytes.get();
            if (format != FORMAT) {
                throw new IllegalArgumentException(
                        "the state hash is written in format " + format + ", and this version reads format " + FORMAT);
            }
            int count = bytes.getInt();
            if (count < 0 || (long) count * ENTRY != bytes.remaining()) {
                throw new IllegalArgumentException(
                        "the state hash says that it has " + count + " tables, in " + encoded.length + " bytes");
            }
            List<TableState> tables = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                tables.add(new TableState(bytes.getInt(), bytes.getLong(), bytes.getLong()));
            }
            return new StateHash(tables);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("the state hash ends in the middle (" + encoded.length + " bytes)", e);
        }
    }

    /** The first table that is another one here than it was, in words. */
    Optional<String> differenceFrom(StateHash before, Catalog catalog) {
        TreeMap<Integer, TableState> were = new TreeMap<>();
        before.tables.forEach(table -> were.put(table.id, table));
        for (TableState now : tables) {
            TableState was = were.remove(now.id);
            String name = catalog.table(now.id).map(Table::name).orElse("number " + now.id);
            if (was == null) {
                return Optional.of("table " + name + " was not there");
            }
            if (was.rows != now.rows) {
                return Optional.of("table " + name + " had " + was.rows + " rows and has " + now.rows);
            }
            if (was.hash != now.hash) {
                return Optional.of("table " + name + " has as many rows as before, " + now.rows + ", but other values");
            }
        }
        return were.isEmpty()
                ? Optional.empty()
                : Optional.of("table number " + were.firstKey() + " is not there any more");
    }

    /** In one line, for people. */
    String describe(Catalog catalog) {
        StringBuilder line = new StringBuilder();
        for (TableState table : tables) {
            line.append(line.isEmpty() ? "" : ", ")
                    .append(catalog.table(table.id).map(Table::name).orElse("table " + table.id))
                    .append(' ')
                    .append(table.rows)
                    .append(" rows ")
                    .append(Long.toHexString(table.hash));
        }
        return line.toString();
    }
}
