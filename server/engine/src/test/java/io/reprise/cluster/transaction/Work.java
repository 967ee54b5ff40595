package io.reprise.cluster.transaction;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A piece of work for a simulated store, and the reading of its rows. */
final class Work {
    private final ByteBuffer operations = ByteBuffer.allocate(1024);

    Work then(int operation, int key, long value) {
        operations.put((byte) operation).putInt(key).putLong(value);
        return this;
    }

    Work then(int operation, int key) {
        return then(operation, key, 0);
    }

    byte[] bytes() {
        byte[] bytes = new byte[operations.position()];
        operations.get(0, bytes);
        return bytes;
    }

    static List<Long> list(ByteBuffer rows) {
        List<Long> list = new ArrayList<>();
        for (long left = rows.getLong(); left > 0; left--) {
            list.add(rows.getLong());
        }
        return list;
    }
}
