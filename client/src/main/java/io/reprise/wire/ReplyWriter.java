package io.reprise.wire;

import java.nio.charset.StandardCharsets;

/** Writes replies into a frame of REPLIES. A reply is begun, given what came of the call, and ended. */
public final class ReplyWriter {
    private final MessageWriter to;
    private int reply;
    private int table;
    private int row;

    /** Writes into this. */
    public ReplyWriter(MessageWriter to) {
        this.to = to;
    }

    /** Writes the queueing delay, in hundredths of its target; 0: nothing. */
    public void load(int percent) {
        to.number(Wire.REPLIES_LOAD, percent);
    }

    /** Begins the reply to a call. */
    public void begin(long id) {
        reply = to.begin(Wire.REPLIES_REPLY);
        to.number(Wire.REPLY_ID, id);
    }

    /** Ends it. */
    public void end() {
        to.end(reply);
    }

    /** An integer was returned. */
    public void integer(long value) {
        ValueWriter.integer(to, Wire.REPLY_VALUE, value);
    }

    /** A boolean was returned. */
    public void bool(boolean value) {
        ValueWriter.bool(to, Wire.REPLY_VALUE, value);
    }

    /** A double was returned. */
    public void number(double value) {
        ValueWriter.number(to, Wire.REPLY_VALUE, value);
    }

    /** A string was returned, perhaps null. In place of half a surrogate pair, which is no character, is a question mark, as in what is stored. */
    public void text(String value) {
        if (value == null) {
            ValueWriter.nothing(to, Wire.REPLY_VALUE);
        } else {
            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
            ValueWriter.text(to, Wire.REPLY_VALUE, utf8, 0, utf8.length);
        }
    }

    /**
     * The transaction did not commit, or its result can't be told.
     *
     * @param notRun nothing was run for this reply: of an attempt that was made before it says nothing
     */
    public void failure(int code, String message, boolean retryIsSafe, boolean notRun) {
        int begin = to.begin(Wire.REPLY_FAILURE);
        to.number(Wire.FAILURE_CODE, code);
        to.text(Wire.FAILURE_MESSAGE, message);
        to.number(Wire.FAILURE_RETRY_IS_SAFE, retryIsSafe ? 1 : 0);
        if (notRun) {
            to.number(Wire.FAILURE_NOT_RUN, 1);
        }
        to.end(begin);
    }

    /** Rows were returned: columns first, then rows. */
    public void beginTable() {
        table = to.begin(Wire.REPLY_TABLE);
    }

    /** Columns that were encoded before, by {@link #column}. */
    public void columns(byte[] encoded) {
        to.raw(encoded);
    }

    /** A column. */
    public void column(String name, int type, int precision, int scale) {
        int begin = to.begin(Wire.TABLE_COLUMN);
        to.text(Wire.COLUMN_NAME, name);
        to.number(Wire.COLUMN_TYPE, type);
        to.number(Wire.COLUMN_PRECISION, precision);
        to.number(Wire.COLUMN_SCALE, scale);
        to.end(begin);
    }

    /** Begins a row. */
    public void beginRow() {
        row = to.begin(Wire.TABLE_ROW);
    }

    /** The next column of the row is NULL. */
    public void rowNull() {
        ValueWriter.nothing(to, Wire.ROW_VALUE);
    }

    /** The next column of the row. */
    public void rowInteger(long value) {
        ValueWriter.integer(to, Wire.ROW_VALUE, value);
    }

    /** The next column of the row. */
    public void rowNumber(double value) {
        ValueWriter.number(to, Wire.ROW_VALUE, value);
    }

    /** The next column of the row: so many bytes of the array, from one on. */
    public void rowText(byte[] utf8, int from, int length) {
        ValueWriter.text(to, Wire.ROW_VALUE, utf8, from, length);
    }

    /** The same of bytes that are no text. */
    public void rowBinary(byte[] value, int from, int length) {
        ValueWriter.binary(to, Wire.ROW_VALUE, value, from, length);
    }

    /** Ends the row. */
    public void endRow() {
        to.end(row);
    }

    /** Ends the rows. */
    public void endTable() {
        to.end(table);
    }
}
