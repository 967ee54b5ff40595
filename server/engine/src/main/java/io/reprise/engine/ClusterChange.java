package io.reprise.engine;

import java.nio.ByteBuffer;

/**
 * A change of the schema as the nodes of a cluster pass it on.
 *
 * <pre>
 *  8 transaction of the schema that it changes, big-endian | change, as in a CATALOG record
 * </pre>
 */
final class ClusterChange {
    private ClusterChange() {}

    static byte[] encode(long base, SchemaRecord change) {
        byte[] record = change.encode();
        return ByteBuffer.allocate(Long.BYTES + record.length)
                .putLong(base)
                .put(record)
                .array();
    }

    /** The cluster's transaction that made the schema before the change; 0 if the cluster was created with it. */
    static long base(byte[] change) {
        return ByteBuffer.wrap(change).getLong();
    }

    /** The change as a CATALOG record has it. */
    static byte[] record(byte[] change) {
        byte[] record = new byte[change.length - Long.BYTES];
        System.arraycopy(change, Long.BYTES, record, 0, record.length);
        return record;
    }
}
