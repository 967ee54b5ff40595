package io.reprise.wire;

/** Writes frames of a client that carry calls. */
public final class CallWriter {
    private CallWriter() {}

    /**
     * Begins a frame of calls; {@link MessageWriter#endFrame} ends it. Returns what that needs.
     *
     * @param partition the partition that all calls of the frame need, or -1
     * @param acknowledged the client knows what became of all its calls with lower sequence numbers
     */
    public static int beginFrame(MessageWriter to, int partition, long acknowledged) {
        int begin = to.beginFrame(Wire.CALLS);
        to.number(Wire.CALLS_PARTITION, partition + 1L);
        to.number(Wire.CALLS_ACKNOWLEDGED, acknowledged);
        return begin;
    }

    /**
     * Appends a call to a frame of CALLS that has been begun.
     *
     * @param sequence the client's number of the call, the same if it is made again; 0: none
     */
    public static void call(
            MessageWriter to, long id, int procedure, int timeoutMs, long sequence, ArgumentWriter arguments) {
        int begin = to.begin(Wire.CALLS_CALL);
        to.number(Wire.CALL_ID, id);
        to.number(Wire.CALL_PROCEDURE, procedure);
        to.number(Wire.CALL_TIMEOUT_MS, timeoutMs);
        to.number(Wire.CALL_SEQUENCE, sequence);
        to.append(arguments.bytes(), 0);
        to.end(begin);
    }

    /**
     * Appends a call that was received to a frame of CALLS that has been begun, for another server.
     *
     * @param received the part of a received frame that has this call alone
     * @param procedure the other server's number of the procedure
     * @param timeoutMs the rest of the call's time; 0: any
     */
    public static void again(MessageWriter to, byte[] received, int procedure, int timeoutMs) {
        MessageReader in = new MessageReader().over(received, 0, received.length);
        while (in.hasMore()) {
            int tag = in.tag();
            if (tag != Wire.CALLS_CALL) {
                in.skip(tag);
                continue;
            }
            int outer = in.enter();
            int begin = to.begin(Wire.CALLS_CALL);
            to.number(Wire.CALL_PROCEDURE, procedure);
            to.number(Wire.CALL_TIMEOUT_MS, timeoutMs);
            copyOtherFields(in, to);
            to.end(begin);
            in.leave(outer);
        }
    }

    private static void copyOtherFields(MessageReader in, MessageWriter to) {
        while (in.hasMore()) {
            int from = in.position();
            int tag = in.tag();
            in.skip(tag);
            if (tag != Wire.CALL_PROCEDURE && tag != Wire.CALL_TIMEOUT_MS) {
                to.raw(in.array(), from, in.position() - from);
            }
        }
    }

    /**
     * Writes a statement into a frame of STATEMENT that has been begun.
     *
     * @param rows the number of rows whose arguments they are, one after the other; 0: the statement is run once
     */
    public static void statement(MessageWriter to, long id, String sql, ArgumentWriter arguments, int rows) {
        to.number(Wire.STATEMENT_ID, id);
        to.text(Wire.STATEMENT_SQL, sql);
        to.number(Wire.STATEMENT_ROWS, rows);
        to.append(arguments.bytes(), 0);
    }
}
