package io.reprise.sql.compile.runtime;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import java.util.UUID;

/** UUIDs as 16 bytes and as text. */
public final class Uuids {
    /** The bytes of a UUID. */
    public static final int BYTES = 16;

    private static final int DIGITS = 2 * BYTES;

    private Uuids() {}

    /** The bytes of a UUID that is written with or without hyphens and braces. */
    public static byte[] bytes(String text) {
        String digits = text.trim().replace("-", "");
        if (digits.startsWith("{") && digits.endsWith("}")) {
            digits = digits.substring(1, digits.length() - 1);
        }
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES && digits.length() == DIGITS; i++) {
            int high = Character.digit(digits.charAt(2 * i), 16);
            int low = Character.digit(digits.charAt(2 * i + 1), 16);
            if (high < 0 || low < 0) {
                throw invalid(text);
            }
            bytes[i] = (byte) (high << 4 | low);
        }
        if (digits.length() != DIGITS) {
            throw invalid(text);
        }
        return bytes;
    }

    private static RuntimeException invalid(String text) {
        return Errors.invalid("'" + text + "' is not a UUID such as 123e4567-e89b-12d3-a456-426614174000");
    }

    /** A UUID as it is written. */
    public static String text(byte[] bytes) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            high = high << Byte.SIZE | bytes[i] & 0xFF;
            low = low << Byte.SIZE | bytes[Long.BYTES + i] & 0xFF;
        }
        return new UUID(high, low).toString();
    }

    /** CAST of a string to UUID. Bytes that are a UUID stay as they are. */
    public static long parse(PartitionStore store, long ref) {
        byte[] bytes = bytes(Utf8.decode(store.memory(), ref));
        long to = store.scratch(BYTES);
        for (int i = 0; i < BYTES; i++) {
            store.memory().putByte(to + i, bytes[i]);
        }
        return Ref.of(to, BYTES);
    }

    /** CAST of a UUID to a string. */
    public static long toText(PartitionStore store, long ref) {
        Memory memory = store.memory();
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = memory.getByte(Ref.address(ref) + i);
        }
        return Utf8.encode(text(bytes), store);
    }
}
