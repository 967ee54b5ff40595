package io.reprise.net.postgres;

import io.reprise.session.SessionException;
import io.reprise.session.SqlStates;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A reader of a message's body. Throws a protocol violation where it ends too early. */
final class BodyReader {
    private final byte[] body;
    private int at;

    BodyReader(byte[] body) {
        this.body = body;
    }

    private static SessionException malformed() {
        return new SessionException(SqlStates.PROTOCOL_VIOLATION, "invalid message format");
    }

    private void need(int bytes) {
        if (bytes < 0 || body.length - at < bytes) {
            throw malformed();
        }
    }

    byte int8() {
        need(1);
        return body[at++];
    }

    int int16() {
        need(2);
        int value = (body[at] & 0xFF) << 8 | body[at + 1] & 0xFF;
        at += 2;
        return value;
    }

    int int32() {
        need(4);
        int value = (body[at] & 0xFF) << 24
                | (body[at + 1] & 0xFF) << 16
                | (body[at + 2] & 0xFF) << 8
                | body[at + 3] & 0xFF;
        at += 4;
        return value;
    }

    /** A string that ends with a zero byte. */
    String string() {
        int end = at;
        while (end < body.length && body[end] != 0) {
            end++;
        }
        if (end == body.length) {
            throw malformed();
        }
        String value = new String(body, at, end - at, StandardCharsets.UTF_8);
        at = end + 1;
        return value;
    }

    byte[] bytes(int length) {
        need(length);
        byte[] value = Arrays.copyOfRange(body, at, at + length);
        at += length;
        return value;
    }

    boolean hasMore() {
        return at < body.length;
    }

    /** Throws if something is left. */
    void end() {
        if (hasMore()) {
            throw malformed();
        }
    }
}
