package io.reprise.session;

import io.reprise.catalog.ArrayText;
import io.reprise.procedure.ProcedureException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A parameter that is an array of one dimension, in the text or the binary format.
 *
 * @param elements its elements
 * @param oid the type of the elements; 0: unknown
 */
record ArrayParameter(List<RawParameter> elements, int oid) {
    private static final int MOST = 100_000;

    static ArrayParameter of(RawParameter raw) {
        if (raw.bytes() == null) {
            return new ArrayParameter(List.of(), 0);
        }
        return raw.binary() ? ofBinary(ByteBuffer.wrap(raw.bytes())) : ofText(raw.bytes());
    }

    private static ArrayParameter ofBinary(ByteBuffer in) {
        try {
            int dimensions = in.getInt();
            in.getInt();
            int oid = in.getInt();
            if (dimensions == 0) {
                return new ArrayParameter(List.of(), oid);
            }
            if (dimensions != 1) {
                throw SessionException.unsupported("arrays have one dimension here");
            }
            int count = in.getInt();
            in.getInt();
            if (count < 0 || count > MOST) {
                throw new SessionException(SqlStates.LIMIT_EXCEEDED, "an array has at most " + MOST + " elements");
            }
            List<RawParameter> elements = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int length = in.getInt();
                byte[] bytes = length < 0 ? null : new byte[Math.min(length, in.remaining() + 1)];
                if (bytes != null) {
                    in.get(bytes);
                }
                elements.add(new RawParameter(bytes, true));
            }
            return new ArrayParameter(elements, oid);
        } catch (BufferUnderflowException tooShort) {
            throw new SessionException("22P03", "incorrect binary data format in an array", "", 0);
        }
    }

    private static ArrayParameter ofText(byte[] bytes) {
        List<String> elements;
        try {
            elements = ArrayText.split(new String(bytes, StandardCharsets.UTF_8));
        } catch (ProcedureException malformed) {
            throw new SessionException(SqlStates.INVALID_TEXT, malformed.getMessage());
        }
        if (elements.size() > MOST) {
            throw new SessionException(SqlStates.LIMIT_EXCEEDED, "an array has at most " + MOST + " elements");
        }
        return new ArrayParameter(
                elements.stream()
                        .map(element -> new RawParameter(
                                element == null ? null : element.getBytes(StandardCharsets.UTF_8), false))
                        .toList(),
                0);
    }

    /** The number of elements in a statement: rounded up, so that few statements are planned. */
    int places() {
        int size = elements.size();
        return size <= 1 ? size : Integer.highestOneBit(size - 1) << 1;
    }

    /** The element at a place; the last one is repeated. */
    RawParameter at(int place) {
        return elements.isEmpty() ? new RawParameter(null, false) : elements.get(Math.min(place, elements.size() - 1));
    }
}
