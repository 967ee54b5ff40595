package io.reprise.execution.deploy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Text;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/**
 * The values that one call passes to a procedure, kept without boxing so that the holder can be pooled: a caller fills
 * it from left to right after {@link #clear}, {@link ProcedureSignature#check} converts it to what the procedure takes,
 * and from then on it does not change until the transaction has ended. References are not copied: the caller leaves the
 * arrays it passed alone.
 *
 * <p>Owned by the initiator, then by the executor; handed over through a queue.
 */
public final class Arguments {
    /** The known kind of a value. */
    public enum Kind {
        /** No value. */
        NULL,
        /** {@link #word} holds an integer. */
        INTEGER,
        /** {@link #word} holds the bits of a double. */
        DOUBLE,
        /** {@link #word} holds 0 or 1. */
        BOOLEAN,
        /** {@link #reference} holds a String, Text, BigDecimal, byte[], int[], long[], double[] or String[]. */
        REFERENCE
    }

    private static final int INITIAL_CAPACITY = 8;

    /** Room for more values is given back: pooled holders are thousands, and live as long as the node. */
    private static final int MOST_KEPT = 64;

    private static final Kind[] KINDS = Kind.values();
    private static final byte NULL = (byte) Kind.NULL.ordinal();

    private long[] words = new long[INITIAL_CAPACITY];
    /** Null until there is one, so that calls of words only have less to go through; null wherever the kind is another. */
    private Object[] references;
    /** Ordinals of {@link Kind}: bytes are stored without the garbage collector's barrier. */
    private byte[] kinds = new byte[INITIAL_CAPACITY];

    private int count;

    /** The originals of {@link #replace}, in this order, so that they can be put back; null until there are some. */
    private Replaced replaced;

    /** Values as they were passed, and where. */
    private static final class Replaced {
        private int[] indexes = new int[INITIAL_CAPACITY];
        private byte[] kinds = new byte[INITIAL_CAPACITY];
        private long[] words = new long[INITIAL_CAPACITY];
        private Object[] references = new Object[INITIAL_CAPACITY];
        private int count;

        void add(int index, byte kind, long word, Object reference) {
            if (count == indexes.length) {
                indexes = Arrays.copyOf(indexes, 2 * count);
                kinds = Arrays.copyOf(kinds, 2 * count);
                words = Arrays.copyOf(words, 2 * count);
                references = Arrays.copyOf(references, 2 * count);
            }
            indexes[count] = index;
            kinds[count] = kind;
            words[count] = word;
            references[count++] = reference;
        }

        void clear() {
            Arrays.fill(references, 0, count, null);
            count = 0;
        }
    }

    /** Arguments from boxed values: the convenient way, for calls whose speed does not matter. */
    public static Arguments of(Object... values) {
        Arguments arguments = new Arguments();
        for (Object value : values) {
            arguments.addObject(value);
        }
        return arguments;
    }

    /** The values with copies of those that their owner may change when the call has been sent: arrays and texts. */
    public static Object[] copies(Object... values) {
        Object[] copies = values.clone();
        for (int i = 0; i < copies.length; i++) {
            copies[i] = switch (copies[i]) {
                case byte[] a -> a.clone();
                case int[] a -> a.clone();
                case long[] a -> a.clone();
                case double[] a -> a.clone();
                case String[] a -> a.clone();
                case Text t -> new Text().wrap(MemorySegment.ofArray(t.toBytes()), 0, t.length());
                case null, default -> copies[i];
            };
        }
        return copies;
    }

    /** Forgets all values. */
    public Arguments clear() {
        if (words.length > MOST_KEPT) {
            words = new long[INITIAL_CAPACITY];
            kinds = new byte[INITIAL_CAPACITY];
            references = null;
            replaced = null;
        } else if (references != null) {
            clearReferences();
        }
        if (replaced != null) {
            replaced.clear();
        }
        count = 0;
        return this;
    }

    private void clearReferences() {
        for (int i = 0; i < count; i++) {
            if (references[i] != null) {
                references[i] = null;
            }
        }
    }

    /** The number of values there is room for. */
    int capacity() {
        return words.length;
    }

    /** The number of values. */
    public int count() {
        return count;
    }

    /** Appends an integer; also a TIMESTAMP (microseconds since 1970), DATE (days since 1970) or TIME (microseconds since midnight). */
    public Arguments add(long value) {
        append(Kind.INTEGER, value);
        return this;
    }

    /** Appends a double. */
    public Arguments add(double value) {
        append(Kind.DOUBLE, Double.doubleToRawLongBits(value));
        return this;
    }

    /** Appends a boolean. */
    public Arguments add(boolean value) {
        append(Kind.BOOLEAN, value ? 1 : 0);
        return this;
    }

    /** Appends a string. */
    public Arguments add(String value) {
        return addReference(value);
    }

    /** Appends a string; its bytes are not copied and must stay as they are until the transaction has ended. */
    public Arguments add(Text value) {
        return addReference(value);
    }

    /** Appends a decimal. */
    public Arguments add(BigDecimal value) {
        return addReference(value);
    }

    /** Appends a binary value. */
    public Arguments add(byte[] value) {
        return addReference(value);
    }

    /** Appends an array. */
    public Arguments add(int[] value) {
        return addReference(value);
    }

    /** Appends an array. */
    public Arguments add(long[] value) {
        return addReference(value);
    }

    /** Appends an array. */
    public Arguments add(double[] value) {
        return addReference(value);
    }

    /** Appends an array. */
    public Arguments add(String[] value) {
        return addReference(value);
    }

    /** Appends null. */
    public Arguments addNull() {
        append(Kind.NULL, 0);
        return this;
    }

    /** Appends a boxed value of any type that a procedure can take. */
    public Arguments addObject(Object value) {
        return switch (value) {
            case null -> addNull();
            case Boolean b -> add(b.booleanValue());
            case Byte n -> add(n.longValue());
            case Short n -> add(n.longValue());
            case Integer n -> add(n.longValue());
            case Long n -> add(n.longValue());
            case Float n -> add(n.doubleValue());
            case Double n -> add(n.doubleValue());
            case String s -> addReference(s);
            case Text t -> addReference(t);
            case BigDecimal d -> addReference(d);
            case Instant time -> add(micros(time));
            case LocalDate date -> add(date.toEpochDay());
            case LocalTime time -> add(time.toNanoOfDay() / 1000);
            case byte[] a -> addReference(a);
            case int[] a -> addReference(a);
            case long[] a -> addReference(a);
            case double[] a -> addReference(a);
            case String[] a -> addReference(a);
            default ->
                throw new ProcedureException(
                        ErrorCode.INVALID_VALUE,
                        "argument " + (count + 1) + " is a " + value.getClass().getTypeName()
                                + ", which a procedure can't take; pass a boolean, an integer, a double, a String, a Text,"
                                + " a BigDecimal, an Instant, a LocalDate, a LocalTime, a byte[], or an array of int, long, double or"
                                + " String");
        };
    }

    /** The microseconds of a TIMESTAMP, rounded down. */
    private long micros(Instant time) {
        try {
            return ChronoUnit.MICROS.between(Instant.EPOCH, time.truncatedTo(ChronoUnit.MICROS));
        } catch (ArithmeticException e) {
            throw new ProcedureException(
                    ErrorCode.INVALID_VALUE,
                    "argument " + (count + 1) + " is the time " + time
                            + ", which is too far from 1970 for a TIMESTAMP");
        }
    }

    /** The known kind of the value at this position (from 0). */
    public Kind kind(int index) {
        return KINDS[kinds[index]];
    }

    /** Whether the value is null. */
    public boolean isNull(int index) {
        return kinds[index] == NULL;
    }

    /** An integer, a boolean as 0 or 1, a double as its bits. */
    public long word(int index) {
        return words[index];
    }

    /** A double. */
    public double doubleAt(int index) {
        return Double.longBitsToDouble(words[index]);
    }

    /** A value that is not a word; null for null. */
    public Object reference(int index) {
        return references == null ? null : references[index];
    }

    /** The value boxed, for messages and for calls whose speed does not matter. */
    public Object boxed(int index) {
        return switch (kind(index)) {
            case NULL -> null;
            case INTEGER -> words[index];
            case DOUBLE -> doubleAt(index);
            case BOOLEAN -> words[index] != 0;
            case REFERENCE -> reference(index);
        };
    }

    /** Replaces a value by its equal of another type. */
    void replace(int index, Kind kind, long word, Object reference) {
        if (replaced == null) {
            replaced = new Replaced();
        }
        replaced.add(index, kinds[index], words[index], reference(index));
        put(index, kind, word, reference);
    }

    /** Makes all values what they were when they were passed: another version of the procedure may take others. */
    public void restore() {
        if (replaced == null) {
            return;
        }
        for (int i = replaced.count - 1; i >= 0; i--) {
            put(replaced.indexes[i], KINDS[replaced.kinds[i]], replaced.words[i], replaced.references[i]);
        }
        replaced.clear();
    }

    private void put(int index, Kind kind, long word, Object reference) {
        kinds[index] = (byte) kind.ordinal();
        words[index] = word;
        if (reference != null || references != null) {
            references()[index] = reference;
        }
    }

    /** The ordinal of the value's kind. */
    int kindOrdinal(int index) {
        return kinds[index];
    }

    private Arguments addReference(Object value) {
        if (value == null) {
            return addNull();
        }
        int at = append(Kind.REFERENCE, 0);
        references()[at] = value;
        return this;
    }

    private Object[] references() {
        if (references == null) {
            references = new Object[words.length];
        }
        return references;
    }

    private int append(Kind kind, long word) {
        int at = count;
        if (at == words.length) {
            words = Arrays.copyOf(words, 2 * at);
            references = references == null ? null : Arrays.copyOf(references, 2 * at);
            kinds = Arrays.copyOf(kinds, 2 * at);
        }
        kinds[at] = (byte) kind.ordinal();
        words[at] = word;
        count = at + 1;
        return at;
    }
}
