package io.reprise.client;

import io.reprise.wire.ReplyReader;
import java.util.Locale;

/** The result of a committed call. */
public final class Reply {
    private static final int LONGEST_SHOWN = 100;
    private static final Reply NOTHING = new Reply(null);

    private final Object value;

    private Reply(Object value) {
        this.value = value;
    }

    /** A copy of a received reply; throws the failure if it is one. */
    static Reply of(ReplyReader received) {
        switch (received.outcome()) {
            case NOTHING:
                return NOTHING;
            case VALUE:
                return new Reply(received.value().object());
            case TABLE:
                return new Reply(new Rows(received.table()));
            default:
                throw failure(received);
        }
    }

    static CallException failure(ReplyReader received) {
        io.reprise.wire.WireFailure failure = received.failure();
        return CallException.of(ErrorCode.of(failure.code()), failure.message(), failure.retryIsSafe());
    }

    /** The result: null, Boolean, Long, Double, String or {@link Rows}. */
    public Object value() {
        return value;
    }

    /** A result of type long or int; the count of a written statement. */
    public long longValue() {
        return as(Long.class);
    }

    /** A boolean result. */
    public boolean booleanValue() {
        return as(Boolean.class);
    }

    /** A double result. */
    public double doubleValue() {
        return as(Double.class);
    }

    /** A string result, perhaps null. */
    public String stringValue() {
        return value == null ? null : as(String.class);
    }

    /** The rows of a query, before the first. */
    public Rows rows() {
        return as(Rows.class);
    }

    /** The value, or the first rows; for people. */
    @Override
    public String toString() {
        return value instanceof Rows ? value.toString() : shown(value);
    }

    /** A value of bounded length. */
    static String shown(Object value) {
        if (value instanceof byte[] bytes) {
            return "a binary value of " + bytes.length + " bytes";
        }
        String text = String.valueOf(value);
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
    }

    private static String inWords(Class<?> type) {
        if (type == null) {
            return "nothing";
        }
        if (type == Rows.class) {
            return "rows";
        }
        return type == Long.class ? "an integer" : "a " + type.getSimpleName().toLowerCase(Locale.ROOT);
    }

    private <T> T as(Class<T> type) {
        if (!type.isInstance(value)) {
            throw new IllegalStateException(
                    "the call returned " + inWords(value == null ? null : value.getClass()) + ", not " + inWords(type));
        }
        return type.cast(value);
    }
}
