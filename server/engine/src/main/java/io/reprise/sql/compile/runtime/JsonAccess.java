package io.reprise.sql.compile.runtime;

import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;

/** The operators {@code ->} and {@code ->>} of JSON. */
public final class JsonAccess {
    /** A part that is not there. */
    public static final long NONE = -1;

    private JsonAccess() {}

    /** The member of an object with a name, the last one of several; NONE for anything else. */
    public static long valueOfMember(PartitionStore store, long json, long name) {
        return new JsonText(store.memory(), json).member(Utf8.decode(store.memory(), name));
    }

    /** The element of an array with a number, from 0, or from the end if it is negative; NONE for anything else. */
    public static long valueOfElement(PartitionStore store, long json, long number) {
        if (number >= 0) {
            return new JsonText(store.memory(), json).element(number);
        }
        long count = new JsonText(store.memory(), json).elements();
        return -number > count ? NONE : new JsonText(store.memory(), json).element(count + number);
    }

    /** The same as text. */
    public static long textOfMember(PartitionStore store, long json, long name) {
        return text(store, valueOfMember(store, json, name));
    }

    /** The same as text. */
    public static long textOfElement(PartitionStore store, long json, long number) {
        return text(store, valueOfElement(store, json, number));
    }

    /** A string without quotes and escapes; null is no text. */
    private static long text(PartitionStore store, long value) {
        if (value == NONE) {
            return NONE;
        }
        byte first = store.memory().getByte(Ref.address(value));
        if (first == 'n') {
            return NONE;
        } else if (first != '"') {
            return value;
        }
        String quoted = Utf8.decode(store.memory(), value);
        return Utf8.encode(JsonText.unescaped(quoted), store);
    }
}
