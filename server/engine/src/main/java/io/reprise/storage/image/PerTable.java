package io.reprise.storage.image;

import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Something for each table of a partition, made when it is first asked for and forgotten when definitions have changed. Owned by the
 * holder of the partition.
 */
public final class PerTable<T> {
    private final PartitionStore store;
    private final Function<TableStore, T> maker;
    private Object[] made = new Object[16];

    /** The count of changes of definitions when these were made. */
    private int changes;

    /** The codecs by which rows are written and read. */
    public static PerTable<RowImageCodec> codecs(PartitionStore store) {
        return new PerTable<>(store, table -> new RowImageCodec(store, table));
    }

    /** Made by this. */
    public PerTable(PartitionStore store, Function<TableStore, T> maker) {
        this.store = store;
        this.maker = maker;
    }

    /** To be called whenever definitions may have changed. */
    public void forgetChanged() {
        if (store.tables().changes() != changes) {
            changes = store.tables().changes();
            forget();
        }
    }

    /** Makes all of them anew when they are asked for. */
    public void forget() {
        Arrays.fill(made, null);
    }

    /** For each that has been made. */
    @SuppressWarnings("unchecked")
    public void forEach(Consumer<T> action) {
        for (Object known : made) {
            if (known != null) {
                action.accept((T) known);
            }
        }
    }

    /** The one for this table, which must be there. */
    public T of(int tableId) {
        T known = made(tableId);
        return known != null ? known : make(tableId);
    }

    /** The one for a table with this id, if it has been made; or null. */
    @SuppressWarnings("unchecked")
    public T made(int tableId) {
        return tableId >= 0 && tableId < made.length ? (T) made[tableId] : null;
    }

    /** Tells whether there is such a table; asking for it without that is allowed. */
    public boolean has(int tableId) {
        return made(tableId) != null || store.hasTable(tableId);
    }

    private T make(int tableId) {
        T fresh = maker.apply(store.table(tableId));
        if (tableId >= made.length) {
            made = Arrays.copyOf(made, Math.max(tableId + 1, 2 * made.length));
        }
        made[tableId] = fresh;
        return fresh;
    }
}
