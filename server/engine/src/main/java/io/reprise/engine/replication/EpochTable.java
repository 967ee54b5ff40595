package io.reprise.engine.replication;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The epochs of a stream and the index at which each begins. Records below the first entry are of epoch 0, or, after an
 * image, unknown. Of very many epochs the oldest are forgotten. Owned by the partition's thread.
 */
final class EpochTable {
    private static final int MOST = 4096;

    private long[] epochs = new long[8];
    private long[] firsts = new long[8];
    private int count;

    /** Whether records before the first entry are unknown. */
    private boolean isCut;

    /** An epoch begins at an index. */
    void begin(long epoch, long index) {
        if (count > 0 && (epoch <= epochs[count - 1] || index <= firsts[count - 1])) {
            throw new IllegalStateException("epoch " + epoch + " begins at " + index + " behind epoch "
                    + epochs[count - 1] + ", which begins at " + firsts[count - 1]);
        }
        if (count == MOST) {
            System.arraycopy(epochs, 1, epochs, 0, count - 1);
            System.arraycopy(firsts, 1, firsts, 0, count - 1);
            count--;
            isCut = true;
        }
        if (count == epochs.length) {
            epochs = Arrays.copyOf(epochs, 2 * count);
            firsts = Arrays.copyOf(firsts, 2 * count);
        }
        epochs[count] = epoch;
        firsts[count++] = index;
    }

    /** An image stands for all records up to one of this epoch; without records: nothing. */
    void cut(long epoch, long index) {
        count = 0;
        isCut = index > 0;
        if (index > 0) {
            begin(epoch, index);
        }
    }

    /** The epoch of the record at an index. */
    long at(long index) {
        int i = count - 1;
        while (i >= 0 && firsts[i] > index) {
            i--;
        }
        return i < 0 ? 0 : epochs[i];
    }

    /** The index of the last record of an epoch in a stream that ends at {@code last}; -1 if the epoch is not known. */
    long lastOf(long epoch, long last) {
        for (int i = count - 1; i >= 0; i--) {
            if (epochs[i] == epoch) {
                return i == count - 1 ? last : firsts[i + 1] - 1;
            }
        }
        if (epoch != 0 || isCut) {
            return -1;
        }
        return count == 0 ? last : firsts[0] - 1;
    }

    int bytes() {
        return 5 + 16 * count;
    }

    void encode(ByteBuffer to) {
        to.put((byte) (isCut ? 1 : 0)).putInt(count);
        for (int i = 0; i < count; i++) {
            to.putLong(epochs[i]).putLong(firsts[i]);
        }
    }

    static EpochTable decode(ByteBuffer from) {
        EpochTable table = new EpochTable();
        boolean cut = from.get() != 0;
        for (int left = from.getInt(); left > 0; left--) {
            table.begin(from.getLong(), from.getLong());
        }
        table.isCut = cut;
        return table;
    }
}
