package io.reprise.storage.image;

import io.reprise.catalog.Table;
import io.reprise.simulation.Seeds;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.TableStore;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/** A table of a random shape, its codec, and where its rows are: for what is compared of a hundred transactions of each seed. */
final class CodecRig {
    private static final int TRANSACTIONS = 100;

    final Random random;
    final RandomTables tables;
    final Table table;
    final PartitionStore store;
    final TableStore rows;
    final RowAccess access;
    final RowImageCodec codec;

    private CodecRig(Random random, PartitionStore store, Function<Random, Table> shape) {
        this.random = random;
        this.store = store;
        tables = new RandomTables(random);
        table = shape.apply(random);
        rows = store.createTable(table);
        access = new RowAccess(store, rows);
        codec = new RowImageCodec(store, rows);
    }

    /** Runs transactions on tables of these shapes, each of which is rolled back. */
    static void forEachTransaction(int seeds, Function<Random, Table> shape, Consumer<CodecRig> transaction) {
        Seeds.forEach(seeds, seed -> {
            try (PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 28))) {
                CodecRig rig = new CodecRig(new Random(seed), store, shape);
                for (int i = 0; i < TRANSACTIONS; i++) {
                    store.begin(i + 1);
                    transaction.accept(rig);
                    store.rollback();
                }
                store.verify();
            }
        });
    }

    /** Inserts a random row. */
    long insert() {
        return access.insert(0, tables.row(table));
    }

    /** A row that is in no index; to be abandoned. */
    long place(List<Object> values) {
        long row = rows.allocate();
        for (int column = 0; column < values.size(); column++) {
            access.write(row, column, values.get(column));
        }
        return row;
    }

    /** Room with anything in it. */
    long dirty(int bytes) {
        long at = store.scratch(bytes);
        for (int i = 0; i < bytes; i++) {
            store.memory().putByte(at + i, (byte) random.nextInt());
        }
        return at;
    }

    /** Room with the same in each byte. */
    long filled(int bytes, int value) {
        long at = store.scratch(bytes);
        for (int i = 0; i < bytes; i++) {
            store.memory().putByte(at + i, (byte) value);
        }
        return at;
    }

    /** Cursor over bytes in the store's memory. */
    ImageCursor cursor(long at, long length) {
        ImageCursor in = new ImageCursor(store.memory());
        in.over(at, length);
        return in;
    }

    String hex(long at, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = store.memory().getByte(at + i);
        }
        return HexFormat.of().formatHex(bytes);
    }
}
