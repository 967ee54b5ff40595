package io.reprise.log;

import io.reprise.id.DatabaseId;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC32C over the database's id and then some bytes: bytes of another database never fit. One thread. */
final class FrameChecksum {
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer database = ByteBuffer.allocateDirect(2 * Long.BYTES);

    FrameChecksum(DatabaseId id) {
        database.putLong(0, Long.reverseBytes(id.high())).putLong(Long.BYTES, Long.reverseBytes(id.low()));
    }

    /** The checksum of bytes of a buffer, whose position and limit are moved. */
    int of(ByteBuffer buffer, int from, int to) {
        crc.reset();
        crc.update(database.clear());
        crc.update(buffer.clear().position(from).limit(to));
        return (int) crc.getValue();
    }
}
