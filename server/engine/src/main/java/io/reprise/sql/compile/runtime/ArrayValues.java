package io.reprise.sql.compile.runtime;

import io.reprise.catalog.ArrayReader;
import io.reprise.catalog.ArrayText;
import io.reprise.catalog.ArrayWriter;
import io.reprise.catalog.SqlType;
import io.reprise.procedure.LoopGuard;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The functions of arrays. A type of arrays is given by its scale ({@link SqlType#ofArrayScale}), an element as its word: a string as a
 * reference, a DOUBLE as its bits. Elements count from 1.
 */
public final class ArrayValues {
    private ArrayValues() {}

    static byte[] bytes(PartitionStore store, long ref) {
        Strings.pace(Ref.length(ref));
        byte[] bytes = new byte[Ref.length(ref)];
        Utf8.copyOut(store.memory(), ref, bytes, 0);
        return bytes;
    }

    static long put(PartitionStore store, byte[] bytes) {
        if (bytes.length > SqlType.MAX_STRING_BYTES) {
            throw ArrayText.tooLong(bytes.length);
        }
        Memory memory = store.memory();
        long address = store.scratch(bytes.length);
        memory.copyIn(MemorySegment.ofArray(bytes), 0, address, bytes.length);
        return Ref.of(address, bytes.length);
    }

    /** A reader of the array's bytes, which are copied. */
    public static ArrayReader reader(PartitionStore store, long ref, int scale) {
        return new ArrayReader(SqlType.ofArrayScale(scale), bytes(store, ref));
    }

    /** The element that a reader has reached, which is not NULL. */
    public static long element(PartitionStore store, ArrayReader at) {
        return at.isOfStrings() ? put(store, at.string()) : at.word();
    }

    /** CAST of a string to an array. */
    public static long parse(PartitionStore store, long ref, int scale) {
        return put(store, ArrayElements.parse(SqlType.ofArrayScale(scale), Utf8.decode(store.memory(), ref)));
    }

    /** CAST of an array to a string. */
    public static long toText(PartitionStore store, long ref, int scale) {
        return Utf8.encode(ArrayText.of(SqlType.ofArrayScale(scale), bytes(store, ref)), store);
    }

    /** CAST of an array to one of other elements. */
    public static long convert(PartitionStore store, long ref, int from, int to) {
        return put(
                store, ArrayElements.convert(SqlType.ofArrayScale(from), bytes(store, ref), SqlType.ofArrayScale(to)));
    }

    /** The number of elements. */
    public static long count(PartitionStore store, long ref, int scale) {
        return ArrayReader.count(SqlType.ofArrayScale(scale), bytes(store, ref));
    }

    /** A reader at the element with a number; null if the element is NULL or there is none. */
    public static ArrayReader item(PartitionStore store, long ref, long number, int scale) {
        if (number < 1 || number > Ref.length(ref)) {
            return null;
        }
        ArrayReader reader = reader(store, ref, scale);
        for (long i = 0; i < number; i++) {
            if (!reader.next()) {
                return null;
            }
        }
        return reader.isNull() ? null : reader;
    }

    /** A writer of an array of a type. */
    public static ArrayWriter writer(int scale) {
        return new ArrayWriter(SqlType.ofArrayScale(scale).element());
    }

    /** Adds an element. The array is refused as soon as it is too long. */
    public static void add(PartitionStore store, ArrayWriter to, long element, int isNull) {
        int before = to.length();
        write(store, to, element, isNull);
        if (to.length() - before > SqlType.MAX_STRING_BYTES) {
            throw ArrayText.tooLong(to.length() - before);
        }
        Strings.checkLength(to.length());
    }

    /** The array of the elements that were added. */
    public static long written(PartitionStore store, ArrayWriter writer) {
        return put(store, writer.toBytes());
    }

    private static void write(PartitionStore store, ArrayWriter to, long element, int isNull) {
        if (isNull != 0) {
            to.addNull();
        } else if (to.isOfStrings()) {
            to.add(bytes(store, element));
        } else {
            to.add(element);
        }
    }

    /** An array with an element behind its last one. */
    public static long append(PartitionStore store, long ref, long element, int isNull, int scale) {
        return Strings.concat(store, ref, one(store, element, isNull, scale));
    }

    /** An array with an element in front of its first one. */
    public static long prepend(PartitionStore store, long ref, long element, int isNull, int scale) {
        return Strings.concat(store, one(store, element, isNull, scale), ref);
    }

    private static long one(PartitionStore store, long element, int isNull, int scale) {
        return put(store, oneElement(store, element, isNull, scale));
    }

    /** The bytes of an array of one element. */
    private static byte[] oneElement(PartitionStore store, long element, int isNull, int scale) {
        ArrayWriter writer = writer(scale);
        write(store, writer, element, isNull);
        return writer.toBytes();
    }

    /** The array without the elements that equal one. */
    public static long remove(PartitionStore store, long ref, long element, int isNull, int scale) {
        byte[] sought = oneElement(store, element, isNull, scale);
        byte[] bytes = bytes(store, ref);
        byte[] rest = new byte[bytes.length];
        ArrayReader reader = new ArrayReader(SqlType.ofArrayScale(scale), bytes);
        int length = 0;
        int from = 0;
        while (reader.next()) {
            int end = reader.end();
            if (!Arrays.equals(bytes, from, end, sought, 0, sought.length)) {
                System.arraycopy(bytes, from, rest, length, end - from);
                length += end - from;
            }
            from = end;
        }
        return put(store, Arrays.copyOf(rest, length));
    }

    /** The number of the first element that equals one; 0: there is none. */
    public static long position(PartitionStore store, long ref, long element, int isNull, int scale) {
        byte[] sought = oneElement(store, element, isNull, scale);
        byte[] bytes = bytes(store, ref);
        ArrayReader reader = new ArrayReader(SqlType.ofArrayScale(scale), bytes);
        int from = 0;
        for (int number = 1; reader.next(); number++) {
            if (Arrays.equals(bytes, from, reader.end(), sought, 0, sought.length)) {
                return number;
            }
            from = reader.end();
        }
        return 0;
    }

    /** 1 if each element of the second array is one of the first, otherwise 0. NULL is none of any. */
    public static long contains(PartitionStore store, long ref, long other, int scale) {
        return ArrayElements.contains(SqlType.ofArrayScale(scale), bytes(store, ref), bytes(store, other)) ? 1 : 0;
    }

    /** 1 if an element of the second array is one of the first, otherwise 0. */
    public static long overlaps(PartitionStore store, long ref, long other, int scale) {
        return ArrayElements.overlaps(SqlType.ofArrayScale(scale), bytes(store, ref), bytes(store, other)) ? 1 : 0;
    }

    /** The texts of the elements with a separator between them, without those that are NULL. */
    public static long join(PartitionStore store, long ref, long separator, int scale) {
        return join(store, ref, separator, -1, scale);
    }

    /** The same with a text in place of NULL; -1: none. */
    public static long join(PartitionStore store, long ref, long separator, long otherwise, int scale) {
        String instead = otherwise == -1 ? null : Utf8.decode(store.memory(), otherwise);
        String between = Utf8.decode(store.memory(), separator);
        SqlType element = SqlType.ofArrayScale(scale).element();
        ArrayReader reader = reader(store, ref, scale);
        StringBuilder text = new StringBuilder();
        boolean first = true;
        while (reader.next()) {
            LoopGuard.check();
            String each = reader.isNull() ? instead : ArrayText.element(element, reader);
            if (each != null) {
                String before = first ? "" : between;
                // Each character has a byte or more.
                Strings.checkLength((long) text.length() + before.length() + each.length());
                text.append(before).append(each);
                first = false;
            }
        }
        return Utf8.encode(text.toString(), store);
    }

    /** The parts of a text between separators, as strings. Of an empty text there are none. */
    public static long split(PartitionStore store, long text, long separator) {
        String whole = Utf8.decode(store.memory(), text);
        String between = Utf8.decode(store.memory(), separator);
        ArrayWriter parts = new ArrayWriter(SqlType.TEXT);
        int from = 0;
        while (!whole.isEmpty() && from >= 0) {
            int end = between.isEmpty() ? -1 : whole.indexOf(between, from);
            String part = end < 0 ? whole.substring(from) : whole.substring(from, end);
            parts.add(part.getBytes(StandardCharsets.UTF_8));
            from = end < 0 ? -1 : end + between.length();
        }
        return put(store, parts.toBytes());
    }
}
