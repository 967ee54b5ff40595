package io.reprise.catalog;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.Arrays;

/** Reads the elements of an array from the bytes that {@link ArrayWriter} describes. Bytes that are no array are INVALID_VALUE. */
public final class ArrayReader {
    private final SqlType element;
    private final byte[] bytes;
    private int at;
    private boolean isNull;
    private long word;

    /** The bytes of a string within those of the array, without what ends it, and the number of bytes 00 in it. */
    private int stringStart;

    private int stringEnd;
    private int zeros;

    /** A reader in front of the first element. */
    public ArrayReader(SqlType array, byte[] bytes) {
        element = array.element();
        this.bytes = bytes;
    }

    /** The number of elements of an array; also the check that it is one. */
    public static int count(SqlType array, byte[] bytes) {
        ArrayReader reader = new ArrayReader(array, bytes);
        int count = 0;
        while (reader.next()) {
            count++;
        }
        return count;
    }

    /** Moves to the next element; false behind the last one. */
    public boolean next() {
        if (at == bytes.length) {
            return false;
        }
        byte tag = bytes[at++];
        isNull = tag == ArrayWriter.NULL;
        if (isNull) {
            return true;
        } else if (tag != ArrayWriter.VALUE) {
            throw malformed();
        }
        if (isOfStrings()) {
            readString();
        } else {
            readWord();
        }
        return true;
    }

    /** The index behind the element. */
    public int end() {
        return at;
    }

    private void readWord() {
        int width = element.kind().width();
        if (bytes.length - at < width) {
            throw malformed();
        }
        long ordered = 0;
        for (int i = 0; i < width; i++) {
            ordered = (ordered << Byte.SIZE) | (bytes[at++] & 0xFF);
        }
        if (element.kind() == SqlType.Kind.DOUBLE) {
            word = ordered < 0 ? ordered ^ Long.MIN_VALUE : ~ordered;
        } else {
            int unused = Long.SIZE - Byte.SIZE * width;
            word = (ordered ^ (1L << (Byte.SIZE * width - 1))) << unused >> unused;
        }
    }

    private void readString() {
        stringStart = at;
        zeros = 0;
        while (true) {
            if (bytes.length - at < 2) {
                throw malformed();
            }
            if (bytes[at++] == 0) {
                byte behind = bytes[at++];
                if (behind == 0) {
                    break;
                } else if (behind != ArrayWriter.ESCAPED) {
                    throw malformed();
                }
                zeros++;
            }
        }
        stringEnd = at - 2;
    }

    private ProcedureException malformed() {
        return new ProcedureException(ErrorCode.INVALID_VALUE, "the bytes are no array of " + element);
    }

    /** Whether the element is NULL. */
    public boolean isNull() {
        return isNull;
    }

    /** Whether the elements are strings. */
    public boolean isOfStrings() {
        return element.kind().isString();
    }

    /** The element's word, unless it is NULL or a string; a DOUBLE as its bits. */
    public long word() {
        return word;
    }

    /** A copy of the element's bytes, if it is a string and not NULL. */
    public byte[] string() {
        if (zeros == 0) {
            return Arrays.copyOfRange(bytes, stringStart, stringEnd);
        }
        byte[] string = new byte[stringEnd - stringStart - zeros];
        int to = 0;
        for (int i = stringStart; i < stringEnd; i++) {
            string[to++] = bytes[i];
            i += bytes[i] == 0 ? 1 : 0;
        }
        return string;
    }
}
