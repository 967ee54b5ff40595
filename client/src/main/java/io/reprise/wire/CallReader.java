package io.reprise.wire;

/**
 * Goes through the calls of a frame, and through the arguments of each. A call is looked through before its arguments are
 * read, so fields may come in any order. Reused; one thread's at a time.
 */
public final class CallReader {
    private final MessageReader frame = new MessageReader();
    private final MessageReader call = new MessageReader();
    private final ValueReader value = new ValueReader();
    private long id;
    private long procedure;
    private long timeoutMs;
    private long sequence;
    private long acknowledged;
    private int arguments;

    /** The partition that a frame is for, if it says so first; otherwise -1. Never fails: it is only a hint. */
    public static int partition(byte[] bytes, int from, int length) {
        if (length < 2 || bytes[from] != Wire.CALLS_PARTITION) {
            return -1;
        }
        int low = bytes[from + 1];
        if (low >= 0) {
            return low - 1;
        }
        return length < 3 || bytes[from + 2] < 0 ? -1 : (bytes[from + 2] << 7 | low & 0x7F) - 1;
    }

    /**
     * The number that is hashed into a bucket, for the argument at a position in the bytes of an {@link ArgumentWriter}. It is a whole
     * number itself, the hash of a string or of bytes, and 0 for NULL and other kinds.
     */
    long partitioningValue(byte[] bytes, int length, int position) {
        call.over(bytes, 0, length);
        for (int i = 0; i < position && call.hasMore(); i++) {
            call.skip(call.tag());
        }
        if (!call.hasMore()) {
            return 0;
        }
        switch (nextArgument().kind()) {
            case INTEGER:
                return value.integer();
            case TEXT:
            case BINARY:
                return PartitioningHash.of(bytes, value.from(), value.length());
            default:
                return 0;
        }
    }

    /** Begins before the first call of a frame. */
    public void over(byte[] bytes, int from, int length) {
        frame.over(bytes, from, length);
        acknowledged = 0;
    }

    /** The beginning of the call that {@link #next} would move to: another reader can go on from there. */
    public int position() {
        return frame.position();
    }

    /** Moves to the next call; false when there is none. */
    public boolean next() {
        while (frame.hasMore()) {
            int tag = frame.tag();
            if (tag == Wire.CALLS_CALL) {
                int length = frame.length();
                int from = frame.position();
                frame.move(from + length, frame.limit());
                look(from, length);
                return true;
            }
            if (tag == Wire.CALLS_ACKNOWLEDGED) {
                acknowledged = number(frame.varint());
            } else {
                frame.skip(tag);
            }
        }
        return false;
    }

    private void look(int from, int length) {
        id = 0;
        procedure = 0;
        timeoutMs = 0;
        sequence = 0;
        arguments = 0;
        MessageReader reader = call.over(frame.array(), from, length);
        while (reader.hasMore()) {
            int tag = reader.tag();
            switch (tag) {
                case Wire.CALL_ID:
                    id = reader.varint();
                    break;
                case Wire.CALL_PROCEDURE:
                    procedure = reader.varint();
                    break;
                case Wire.CALL_TIMEOUT_MS:
                    timeoutMs = reader.varint();
                    break;
                case Wire.CALL_SEQUENCE:
                    sequence = number(reader.varint());
                    break;
                case Wire.CALL_ARGUMENT:
                    arguments++;
                    reader.skip(tag);
                    break;
                default:
                    reader.skip(tag);
            }
        }
        reader.over(frame.array(), from, length);
    }

    /** The client's number of the call. */
    public long id() {
        return id;
    }

    /** The procedure's handle: no handle that exists if it does not fit. */
    public int procedure() {
        return procedure < 0 || procedure > Integer.MAX_VALUE ? 0 : (int) procedure;
    }

    /** For how long the call may wait; 0: for ever. */
    public long timeoutMs() {
        return timeoutMs;
    }

    private static long number(long value) {
        if (value < 0) {
            throw new MalformedMessageException("a sequence number has more than 63 bits");
        }
        return value;
    }

    /** The client's number of the call, the same if it is made again; 0: none. */
    public long sequence() {
        return sequence;
    }

    /** The client knows what became of all its calls with lower numbers, as far as the frame has said so. */
    public long acknowledged() {
        return acknowledged;
    }

    /** The number of arguments. */
    public int arguments() {
        return arguments;
    }

    /** The next argument of the call; only so often as there are any. Valid until it is called again. */
    public ValueReader nextArgument() {
        while (true) {
            int tag = call.tag();
            if (tag == Wire.CALL_ARGUMENT) {
                value.read(call);
                return value;
            }
            call.skip(tag);
        }
    }
}
