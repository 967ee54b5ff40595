package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Java strings to and from UTF-8 in the partition's memory. */
public final class Utf8 {
    /** Bytes up to which copying in words pays. */
    private static final int SHORT = 128;

    /** The least character that takes so many bytes besides the first. */
    private static final int[] SHORTEST = {0, 0x80, 0x800, 0x10000};

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Utf8() {}

    /** Encodes a string into scratch, without allocating. Unpaired surrogates become '?', as Java does it. */
    public static long encode(String value, PartitionStore store) {
        int length = value.length();
        if (length > SqlType.MAX_STRING_BYTES) {
            throw tooLong(length);
        }
        long address = store.scratch(length);
        Memory memory = store.memory();
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (c >= 0x80) {
                return encodeGeneral(value, store);
            }
            memory.putByte(address + i, (byte) c);
        }
        return Ref.of(address, length);
    }

    private static long encodeGeneral(String value, PartitionStore store) {
        int bytes = encodedLength(value);
        if (bytes > SqlType.MAX_STRING_BYTES) {
            throw tooLong(bytes);
        }
        long address = store.scratch(bytes);
        long at = address;
        Memory memory = store.memory();
        for (int i = 0; i < value.length(); ) {
            int c = codePoint(value, i);
            i += Character.charCount(c);
            at = put(memory, at, c);
        }
        return Ref.of(address, bytes);
    }

    private static int codePoint(String value, int index) {
        int c = value.codePointAt(index);
        return isSurrogate(c) ? '?' : c;
    }

    private static int encodedLength(String value) {
        long bytes = 0;
        for (int i = 0; i < value.length(); ) {
            int c = codePoint(value, i);
            i += Character.charCount(c);
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    private static long put(Memory memory, long at, int c) {
        if (c < 0x80) {
            memory.putByte(at, (byte) c);
            return at + 1;
        }
        if (c < 0x800) {
            memory.putByte(at, (byte) (0xC0 | c >> 6));
            return tail(memory, at + 1, c, 1);
        }
        if (c < 0x10000) {
            memory.putByte(at, (byte) (0xE0 | c >> 12));
            return tail(memory, at + 1, c, 2);
        }
        memory.putByte(at, (byte) (0xF0 | c >> 18));
        return tail(memory, at + 1, c, 3);
    }

    private static long tail(Memory memory, long at, int c, int count) {
        for (int i = count - 1; i >= 0; i--) {
            memory.putByte(at++, (byte) (0x80 | c >> 6 * i & 0x3F));
        }
        return at;
    }

    /** Decodes a string. Allocates. */
    public static String decode(Memory memory, long ref) {
        byte[] bytes = new byte[Ref.length(ref)];
        copyOut(memory, ref, bytes, 0);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Copies a string's bytes to an array; short ones in words, which is faster than calling the copying routine. */
    static void copyOut(Memory memory, long ref, byte[] to, int at) {
        long address = Ref.address(ref);
        int length = Ref.length(ref);
        if (length > SHORT) {
            MemorySegment.copy(memory.segment(), ValueLayout.JAVA_BYTE, address, to, at, length);
            return;
        }
        int done = 0;
        for (; done + Long.BYTES <= length; done += Long.BYTES) {
            WORD.set(to, at + done, memory.getLong(address + done));
        }
        for (; done < length; done++) {
            to[at + done] = memory.getByte(address + done);
        }
    }

    /** The number of a string's characters (code points): the bytes that don't continue one. */
    public static int characters(Memory memory, long ref) {
        long address = Ref.address(ref);
        int length = Ref.length(ref);
        int characters = 0;
        for (int i = 0; i < length; i++) {
            characters += (memory.getByte(address + i) & 0xC0) != 0x80 ? 1 : 0;
        }
        return characters;
    }

    /** Whether the bytes are UTF-8, so that a string of them has no more than four for each of its characters. */
    static boolean isValid(Memory memory, long ref) {
        long at = Ref.address(ref);
        long end = at + Ref.length(ref);
        while (at < end) {
            int first = memory.getByte(at++);
            if (first >= 0) {
                continue;
            }
            int more = first >> 5 == -2 ? 1 : first >> 4 == -2 ? 2 : first >> 3 == -2 ? 3 : 0;
            if (more == 0 || at + more > end) {
                return false;
            }
            int character = first & 0x3F >> more;
            for (int i = 0; i < more; i++) {
                int next = memory.getByte(at++);
                if (next >> 6 != -2) {
                    return false;
                }
                character = character << 6 | next & 0x3F;
            }
            if (character < SHORTEST[more] || character > Character.MAX_CODE_POINT || isSurrogate(character)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSurrogate(int character) {
        return character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
    }

    /** The offset in bytes at which that many characters after the start end; at most the length. */
    public static int offset(Memory memory, long ref, int start, long characters) {
        long address = Ref.address(ref);
        int length = Ref.length(ref);
        int at = start;
        for (long i = 0; i < characters && at < length; i++) {
            at++;
            while (at < length && (memory.getByte(address + at) & 0xC0) == 0x80) {
                at++;
            }
        }
        return at;
    }

    private static RuntimeException tooLong(int length) {
        return Errors.tooLong("a string of " + length + " bytes is longer than the longest possible, "
                + SqlType.MAX_STRING_BYTES + " bytes");
    }
}
