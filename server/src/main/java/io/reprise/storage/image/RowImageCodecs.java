package io.reprise.storage.image;

import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import java.util.Arrays;

/** The codecs of a partition's tables; makes another one when a table's definition has changed. */
public final class RowImageCodecs {
    private final PartitionStore store;
    private RowImageCodec[] codecs = new RowImageCodec[16];

    /** No codecs yet. */
    public RowImageCodecs(PartitionStore store) {
        this.store = store;
    }

    /** The codec of a table of this partition. */
    public RowImageCodec of(TableStore table) {
        int id = table.table().id();
        RowImageCodec codec = id < codecs.length ? codecs[id] : null;
        return codec != null && codec.isFor(table) ? codec : make(table, id);
    }

    private RowImageCodec make(TableStore table, int id) {
        if (id >= codecs.length) {
            codecs = Arrays.copyOf(codecs, Math.max(id + 1, 2 * codecs.length));
        }
        codecs[id] = new RowImageCodec(store, table);
        return codecs[id];
    }
}
