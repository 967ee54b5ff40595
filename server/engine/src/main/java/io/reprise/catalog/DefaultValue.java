package io.reprise.catalog;

import java.util.Arrays;

/** A literal's value in the engine's representation (see {@link SqlType}). */
public sealed interface DefaultValue {
    /** A value of any type but a string's; DOUBLE as its bits. */
    record Word(long value) implements DefaultValue {}

    /** A VARCHAR's UTF-8 bytes or a VARBINARY's bytes. */
    record Bytes(byte[] value) implements DefaultValue {
        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes bytes && Arrays.equals(value, bytes.value);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }
    }

    /** CURRENT_TIMESTAMP: the time of the transaction that inserts. */
    record CurrentTimestamp() implements DefaultValue {}
}
