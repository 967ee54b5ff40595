package io.reprise.net.postgres;

/**
 * A message of a client.
 *
 * @param kind its type byte
 * @param body its content
 */
record FrontendMessage(byte kind, byte[] body) {
    static final byte PARSE = 'P';
    static final byte BIND = 'B';
    static final byte DESCRIBE = 'D';
    static final byte EXECUTE = 'E';
    static final byte CLOSE = 'C';
    static final byte SYNC = 'S';
    static final byte FLUSH = 'H';
    static final byte QUERY = 'Q';
    static final byte TERMINATE = 'X';
    static final byte PASSWORD = 'p';
    static final byte FUNCTION_CALL = 'F';
    static final byte COPY_DATA = 'd';
    static final byte COPY_DONE = 'c';
    static final byte COPY_FAIL = 'f';

    private static final int OVERHEAD = 48;

    /** The memory that it takes, about. */
    int weight() {
        return body.length + OVERHEAD;
    }
}
