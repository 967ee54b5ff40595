package io.reprise.wire;

/** Goes through the replies of a frame. Reused; one thread's at a time. */
public final class ReplyReader {
    /** The outcome of a call. */
    public enum Outcome {
        NOTHING,
        VALUE,
        TABLE,
        FAILURE
    }

    private final MessageReader frame = new MessageReader();
    private final MessageReader inner = new MessageReader();
    private final ValueReader value = new ValueReader();
    private Outcome outcome = Outcome.NOTHING;
    private long id;
    private int from;
    private int length;
    private int load;

    /** Begins before the first reply of a frame. */
    public void over(byte[] bytes, int start, int count) {
        frame.over(bytes, start, count);
        load = 0;
    }

    /** Moves to the next reply; false when there is none. */
    public boolean next() {
        while (frame.hasMore()) {
            int tag = frame.tag();
            if (tag == Wire.REPLIES_REPLY) {
                read();
                return true;
            }
            if (tag == Wire.REPLIES_LOAD) {
                long said = frame.varint();
                load = said < 0 ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, said);
            } else {
                frame.skip(tag);
            }
        }
        return false;
    }

    /**
     * The queueing delay of calls at the server, in hundredths of its target; 0: less than half of it. It is taken
     * from the part of the frame read so far.
     */
    public int load() {
        return load;
    }

    private void read() {
        id = 0;
        outcome = Outcome.NOTHING;
        int outer = frame.enter();
        while (frame.hasMore()) {
            int tag = frame.tag();
            switch (tag) {
                case Wire.REPLY_ID:
                    id = frame.varint();
                    break;
                case Wire.REPLY_VALUE:
                    outcome = Outcome.VALUE;
                    value.read(frame);
                    break;
                case Wire.REPLY_TABLE:
                    stretch(Outcome.TABLE);
                    break;
                case Wire.REPLY_FAILURE:
                    stretch(Outcome.FAILURE);
                    break;
                default:
                    frame.skip(tag);
            }
        }
        frame.leave(outer);
    }

    private void stretch(Outcome newOutcome) {
        outcome = newOutcome;
        length = frame.length();
        from = frame.position();
        frame.move(from + length, frame.limit());
    }

    /** The client's number of the call. */
    public long id() {
        return id;
    }

    /** The outcome of the call. */
    public Outcome outcome() {
        return outcome;
    }

    /** VALUE. */
    public ValueReader value() {
        return value;
    }

    /** TABLE, as objects of its own. */
    public WireTable table() {
        return WireTable.read(inner.over(frame.array(), from, length));
    }

    /** FAILURE. */
    public WireFailure failure() {
        return WireFailure.read(inner.over(frame.array(), from, length));
    }
}
