package io.reprise.recovery.replay;

import java.nio.ByteBuffer;

/**
 * The payload of an IMAGE record. Between the begin and the end of an image the replica holds nothing that counts. An image
 * that was given up has no end; a replay passes over those of its blocks that find no room.
 *
 * <pre>
 *  BEGIN  1 byte 1
 *  BLOCK  1 byte 2 | a block of {@link PartitionImage}
 *  END    1 byte 3 | 8 index and 8 epoch of the last record that the image stands for | 8 its transaction id |
 *         the state of transactions over nodes; big-endian
 * </pre>
 */
public record ImageRecord(Part part, byte[] block, long index, long epoch, long lastId, byte[] state) {
    /** The parts of an image in the log. */
    public enum Part {
        BEGIN,
        BLOCK,
        END
    }

    private static final byte[] NOTHING = {};

    /** The beginning of an image. */
    public static byte[] begin() {
        return new byte[] {1};
    }

    /** One of its blocks. */
    public static byte[] block(byte[] content) {
        return ByteBuffer.allocate(1 + content.length)
                .put((byte) 2)
                .put(content)
                .array();
    }

    /** Its end, at which it stands for all records up to an index. */
    public static byte[] end(long index, long epoch, long lastId, byte[] state) {
        return ByteBuffer.allocate(25 + state.length)
                .put((byte) 3)
                .putLong(index)
                .putLong(epoch)
                .putLong(lastId)
                .put(state)
                .array();
    }

    private static byte[] rest(ByteBuffer in) {
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        return rest;
    }

    /** Reads a payload. */
    public static ImageRecord decode(byte[] payload) {
        ByteBuffer in = ByteBuffer.wrap(payload);
        byte kind = in.get();
        return switch (kind) {
            case 1 -> new ImageRecord(Part.BEGIN, NOTHING, 0, 0, 0, NOTHING);
            case 2 -> new ImageRecord(Part.BLOCK, rest(in), 0, 0, 0, NOTHING);
            case 3 -> new ImageRecord(Part.END, NOTHING, in.getLong(), in.getLong(), in.getLong(), rest(in));
            default -> throw new IllegalStateException("an image record is of the unknown kind " + kind);
        };
    }
}
