package io.reprise.engine.replication;

import java.nio.ByteBuffer;

/**
 * The beginning of an image of a partition: all but its rows and outcomes of calls.
 *
 * <pre>
 *  8 highest transaction id | 8 last change of the schema | 8 hash of the schema | 4 length and schema
 *  | 4 length, buckets and state of transactions; big-endian
 * </pre>
 *
 * @param lastId the highest transaction id of the stream
 * @param changed the last change of the schema, as a transaction of the cluster
 * @param schemaHash a hash of the schema
 * @param schema the whole schema
 * @param state the partition's buckets, and the state of transactions over nodes
 */
record ImageHead(long lastId, long changed, long schemaHash, byte[] schema, byte[] state) {
    byte[] encode() {
        return ByteBuffer.allocate(3 * Long.BYTES + 2 * Integer.BYTES + schema.length + state.length)
                .putLong(lastId)
                .putLong(changed)
                .putLong(schemaHash)
                .putInt(schema.length)
                .put(schema)
                .putInt(state.length)
                .put(state)
                .array();
    }

    static ImageHead decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new ImageHead(in.getLong(), in.getLong(), in.getLong(), bytes(in), bytes(in));
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }
}
