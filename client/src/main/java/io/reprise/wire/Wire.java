package io.reprise.wire;

/**
 * The constants of the protocol: the frame header, kinds of frames, and the tags of messages that are written by hand.
 *
 * <pre>
 * frame    length (4 bytes, big endian, of what follows) | kind (1 byte) | message
 * </pre>
 */
public final class Wire {
    /** The version of the protocol. */
    public static final int VERSION = 1;

    /** The default port of servers. */
    public static final int USUAL_PORT = 21212;

    /** The bytes of a frame's length. */
    public static final int LENGTH_BYTES = 4;

    /** Length and kind. */
    public static final int HEADER_BYTES = LENGTH_BYTES + 1;

    /** The longest first frame of a client, before the server has announced its limit. */
    public static final int MAX_FIRST_FRAME_BYTES = 4096;

    /** The first byte of a TLS handshake. No first frame begins with it, because its length would exceed the limit. */
    public static final byte TLS_HANDSHAKE = 0x16;

    // Kinds of frames. Numbers are never used again.
    public static final byte HELLO = 1;
    public static final byte WELCOME = 2;
    public static final byte GOODBYE = 3;
    public static final byte RESOLVE = 4;
    public static final byte RESOLVED = 5;
    public static final byte CALLS = 6;
    public static final byte REPLIES = 7;
    public static final byte STATEMENT = 8;
    public static final byte SCHEMA_PART = 9;
    public static final byte TOPOLOGY = 10;

    /** The most bytes of script and jar in a change of the schema. */
    public static final int MAX_CHANGE_BYTES = 64 << 20;

    // Encodings of fields.
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int DELIMITED = 2;
    static final int FIXED32 = 5;

    // Tags: the field's number and encoding.
    static final int CALLS_CALL = 1 << 3 | DELIMITED;
    static final int CALLS_PARTITION = 2 << 3 | VARINT;
    static final int CALLS_ACKNOWLEDGED = 3 << 3 | VARINT;
    static final int CALL_ID = 1 << 3 | VARINT;
    static final int CALL_PROCEDURE = 2 << 3 | VARINT;
    static final int CALL_ARGUMENT = 3 << 3 | DELIMITED;
    static final int CALL_TIMEOUT_MS = 4 << 3 | VARINT;
    static final int CALL_SEQUENCE = 5 << 3 | VARINT;

    static final int STATEMENT_ID = 1 << 3 | VARINT;
    static final int STATEMENT_SQL = 2 << 3 | DELIMITED;
    static final int STATEMENT_ARGUMENT = 3 << 3 | DELIMITED;
    static final int STATEMENT_ROWS = 4 << 3 | VARINT;

    static final int VALUE_INTEGER = 1 << 3 | VARINT;
    static final int VALUE_NUMBER = 2 << 3 | FIXED64;
    static final int VALUE_BOOLEAN = 3 << 3 | VARINT;
    static final int VALUE_TEXT = 4 << 3 | DELIMITED;
    static final int VALUE_BINARY = 5 << 3 | DELIMITED;
    static final int VALUE_DECIMAL = 6 << 3 | DELIMITED;
    static final int VALUE_INTS = 7 << 3 | DELIMITED;
    static final int VALUE_LONGS = 8 << 3 | DELIMITED;
    static final int VALUE_NUMBERS = 9 << 3 | DELIMITED;
    static final int VALUE_TEXTS = 10 << 3 | DELIMITED;

    static final int DECIMAL_SCALE = 1 << 3 | VARINT;
    static final int DECIMAL_UNSCALED = 2 << 3 | DELIMITED;
    static final int ELEMENTS = 1 << 3 | DELIMITED;
    static final int INTEGER_ELEMENT = 1 << 3 | VARINT;
    static final int NUMBER_ELEMENT = 1 << 3 | FIXED64;

    static final int REPLIES_REPLY = 1 << 3 | DELIMITED;
    static final int REPLIES_LOAD = 2 << 3 | VARINT;
    static final int REPLY_ID = 1 << 3 | VARINT;
    static final int REPLY_VALUE = 2 << 3 | DELIMITED;
    static final int REPLY_TABLE = 3 << 3 | DELIMITED;
    static final int REPLY_FAILURE = 4 << 3 | DELIMITED;

    static final int TABLE_COLUMN = 1 << 3 | DELIMITED;
    static final int TABLE_ROW = 2 << 3 | DELIMITED;
    static final int COLUMN_NAME = 1 << 3 | DELIMITED;
    static final int COLUMN_TYPE = 2 << 3 | VARINT;
    static final int COLUMN_PRECISION = 3 << 3 | VARINT;
    static final int COLUMN_SCALE = 4 << 3 | VARINT;
    static final int ROW_VALUE = 1 << 3 | DELIMITED;

    static final int FAILURE_CODE = 1 << 3 | VARINT;
    static final int FAILURE_MESSAGE = 2 << 3 | DELIMITED;
    static final int FAILURE_RETRY_IS_SAFE = 3 << 3 | VARINT;
    static final int FAILURE_NOT_RUN = 4 << 3 | VARINT;

    /** The position of a row that is not committed among those of its request, from 0: the first column of the reply. */
    public static final String REJECTED_ROW = "ROW";

    /** The number of the failure's code: its second column. */
    public static final String REJECTED_CODE = "CODE";

    /** The reason: its third column. */
    public static final String REJECTED_MESSAGE = "MESSAGE";

    private Wire() {}
}
