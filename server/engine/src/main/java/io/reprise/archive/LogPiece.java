package io.reprise.archive;

import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.DataFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * A piece of archived log: bytes of one segment as they are in its file, and behind them a footer. The first piece of a segment
 * begins with the segment's header block; the last one ends behind the end mark, and the zeros to the segment's end are left out.
 *
 * <pre>
 *  footer, 112 bytes, little endian
 *    0  8  magic "RPRSPIEC"
 *    8 16  database id, upper and lower half
 *   24  8  position of the segment
 *   32  8  bytes of the segment
 *   40  8  position of the piece's first byte
 *   48  8  position at which the log goes on behind the piece
 *   56  8  transaction id of the first frame; 0 if no frame has records
 *   64  8  transaction id of the last frame
 *   72  8  number of records
 *   80  8  time of the copy, microseconds since 1970
 *   88  8  bytes before the footer
 *   96  4  format, 1
 *  100  4  CRC32C of the bytes before the footer
 *  104  4  CRC32C of the footer's first 104 bytes
 *  108  4  zeros
 * </pre>
 *
 * @param copiedMicros the log was durable up to the end by then
 * @param content the bytes before the footer
 */
record LogPiece(
        DatabaseId database,
        long segment,
        long segmentBytes,
        long begin,
        long end,
        long firstTransaction,
        long lastTransaction,
        long records,
        long copiedMicros,
        long content,
        int crc) {
    static final int FOOTER = 112;

    private static final long MAGIC = 0x4345495053525052L;
    private static final int FORMAT = 1;
    private static final int CHECKED = 104;
    private static final int FORMAT_AT = 96;

    ByteBuffer footer() {
        ByteBuffer bytes = ByteBuffer.allocate(FOOTER).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC).putLong(database.high()).putLong(database.low());
        bytes.putLong(segment).putLong(segmentBytes).putLong(begin).putLong(end);
        bytes.putLong(firstTransaction).putLong(lastTransaction).putLong(records);
        bytes.putLong(copiedMicros).putLong(content).putInt(FORMAT).putInt(crc);
        bytes.putInt(checksum(bytes)).putInt(0);
        return bytes.flip();
    }

    /** Reads the footer of a piece; throws {@link DamagedArchiveException} if it is none. */
    static LogPiece read(DataFile file, DatabaseId database, PieceName name) {
        long size = file.size();
        ByteBuffer bytes = ByteBuffer.allocate(FOOTER).order(ByteOrder.LITTLE_ENDIAN);
        if (size < FOOTER || file.read(size - FOOTER, bytes) < FOOTER) {
            throw damaged(name, "it is cut off");
        }
        if (bytes.getLong(0) != MAGIC || bytes.getInt(CHECKED) != checksum(bytes) || bytes.getInt(FOOTER - 4) != 0) {
            throw damaged(name, "its footer is wrong");
        }
        if (bytes.getInt(FORMAT_AT) != FORMAT) {
            throw damaged(
                    name,
                    "it has format " + bytes.getInt(FORMAT_AT) + ", and this program reads format " + FORMAT + " only");
        }
        LogPiece piece = new LogPiece(
                new DatabaseId(bytes.getLong(8), bytes.getLong(16)),
                bytes.getLong(24),
                bytes.getLong(32),
                bytes.getLong(40),
                bytes.getLong(48),
                bytes.getLong(56),
                bytes.getLong(64),
                bytes.getLong(72),
                bytes.getLong(80),
                bytes.getLong(88),
                bytes.getInt(100));
        if (!piece.database.equals(database)) {
            throw damaged(name, "it is of database " + piece.database);
        }
        if (piece.begin != name.begin() || piece.end != name.end() || piece.content != size - FOOTER) {
            throw damaged(name, "it has another piece's footer, or a wrong size");
        }
        return piece;
    }

    static DamagedArchiveException damaged(PieceName name, String what) {
        return new DamagedArchiveException("The archived piece of log " + name.text() + " is damaged: " + what + ".");
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(0).limit(CHECKED));
        return (int) crc.getValue();
    }
}
