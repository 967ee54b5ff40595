package io.reprise.net.reprise;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.ReplyWriter;
import java.util.IdentityHashMap;

/**
 * A cache of encoded columns by row shape: each reply with rows names its columns, and they are the longer part of short results. Used
 * by one thread at a time.
 */
final class EncodedColumns {
    /** The most shapes kept; one more clears the cache. */
    private static final int MOST_KEPT = 256;

    private static final int MOST_KEPT_BYTES = 4 << 10;
    private static final int USUAL_BYTES = 256;

    private final IdentityHashMap<RowShape, byte[]> kept = new IdentityHashMap<>();

    /** Writes the columns of rows of this shape. */
    void write(RowShape shape, ReplyWriter to) {
        byte[] known = kept.get(shape);
        to.columns(known != null ? known : encode(shape));
    }

    private byte[] encode(RowShape shape) {
        MessageWriter bytes = new MessageWriter(USUAL_BYTES);
        ReplyWriter writer = new ReplyWriter(bytes);
        for (int i = 0; i < shape.columns(); i++) {
            SqlType type = shape.type(i);
            writer.column(shape.name(i), ColumnTypes.of(type), type.precision(), scale(type));
        }
        byte[] encoded = bytes.toBytes();
        if (encoded.length <= MOST_KEPT_BYTES) {
            if (kept.size() == MOST_KEPT) {
                kept.clear();
            }
            kept.put(shape, encoded);
        }
        return encoded;
    }

    private static int scale(SqlType type) {
        return type.isDecimal() ? type.decimals() : type.isArray() ? 0 : type.scale();
    }
}
