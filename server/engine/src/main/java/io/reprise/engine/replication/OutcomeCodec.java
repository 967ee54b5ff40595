package io.reprise.engine.replication;

import io.reprise.execution.Execution;
import io.reprise.execution.Outcome;
import io.reprise.execution.Result;
import io.reprise.execution.work.TapeCodec;
import io.reprise.procedure.ErrorCode;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.RowCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Outcomes of executions as bytes for the node that passed them on.
 *
 * <pre>
 *  failure:  u1 1 | u1 code | u1 flags | text | subject     flags: 1 stale, 2 repeatable
 *  result:   u1 0 | u1 kind | word, text or rows
 *  then:     u4 length | answers of a composed work
 * </pre>
 *
 * All numbers are big-endian; a text is u4 bytes and UTF-8.
 */
final class OutcomeCodec {
    /** The most bytes of an outcome; a frame between nodes has some more. */
    private static final int MOST_BYTES = 48 << 20;

    private static final ErrorCode[] CODES = ErrorCode.values();
    private static final int STALE = 1;
    private static final int REPEATABLE = 2;

    private OutcomeCodec() {}

    static byte[] encode(Execution ended) {
        byte[] bytes = encodeAny(ended);
        if (bytes.length > MOST_BYTES) {
            ended.outcome()
                    .fail(
                            ErrorCode.RESULT_TOO_LARGE,
                            "the result has " + bytes.length + " bytes, and nodes pass on " + MOST_BYTES
                                    + " at most; ask the leader's node, or for fewer rows");
            return encodeFailure(ended);
        }
        return bytes;
    }

    private static byte[] encodeAny(Execution ended) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            if (ended.outcome().succeeded()) {
                writeResult(ended.outcome().result(), out);
            } else {
                writeFailure(ended.outcome(), out);
            }
            boolean answers = ended.work() != null && ended.work().composed() != null;
            write(answers ? ended.work().answers() : new byte[0], out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] encodeFailure(Execution ended) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            writeFailure(ended.outcome(), out);
            write(new byte[0], out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void writeFailure(Outcome outcome, DataOutputStream out) throws IOException {
        out.writeByte(1);
        out.writeByte(outcome.error().ordinal());
        // A call that was routed wrongly is passed on again by its node.
        boolean isStale = outcome.stale() && outcome.error() != ErrorCode.PARTITION_UNAVAILABLE;
        out.writeByte((isStale ? STALE : 0) | (outcome.repeatable() ? REPEATABLE : 0));
        write(String.valueOf(outcome.message()).getBytes(StandardCharsets.UTF_8), out);
        TapeCodec.write(outcome.subject(), out);
    }

    private static void writeResult(Result result, DataOutputStream out) throws IOException {
        out.writeByte(0);
        out.writeByte(result.kind().ordinal());
        switch (result.kind()) {
            case NOTHING -> {}
            case INTEGER, BOOLEAN, DOUBLE -> out.writeLong(result.word());
            case STRING -> {
                out.writeBoolean(result.string() != null);
                if (result.string() != null) {
                    write(result.string().getBytes(StandardCharsets.UTF_8), out);
                }
            }
            case ROWS -> write(RowCodec.encodeWithColumns((RowBuffer) result.rows()), out);
        }
    }

    /** Gives an execution the outcome that another node has sent. */
    static void decode(byte[] encoded, Execution into) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded));
        try {
            if (in.readByte() == 0) {
                readResult(in, into.outcome().result());
            } else {
                readFailure(in, into);
            }
            byte[] answers = read(in);
            boolean isWhole = answers.length == 0 || into.work().takeAnswers(answers);
            if (!isWhole && into.outcome().succeeded()) {
                into.outcome()
                        .fail(
                                ErrorCode.RESULT_LOST,
                                "the transaction committed, but its answers were lost when a leader changed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readFailure(DataInputStream in, Execution into) throws IOException {
        ErrorCode code = CODES[in.readByte()];
        int flags = in.readByte();
        String message = new String(read(in), StandardCharsets.UTF_8);
        if ((flags & STALE) != 0) {
            into.outcome().failStale(message);
        } else if ((flags & REPEATABLE) != 0) {
            into.outcome().failUnknown(into.request(), message);
        } else {
            into.outcome().fail(code, message, TapeCodec.readSubject(in));
            return;
        }
        TapeCodec.readSubject(in);
    }

    private static void readResult(DataInputStream in, Result result) throws IOException {
        switch (Result.Kind.of(in.readByte())) {
            case NOTHING -> result.nothing();
            case INTEGER -> result.integer(in.readLong());
            case BOOLEAN -> result.bool(in.readLong() != 0);
            case DOUBLE -> result.number(Double.longBitsToDouble(in.readLong()));
            case STRING -> result.string(in.readBoolean() ? new String(read(in), StandardCharsets.UTF_8) : null);
            case ROWS -> {
                HeapRows rows = new HeapRows();
                RowCodec.decodeWithColumns(ByteBuffer.wrap(read(in)), rows);
                result.rows(rows);
            }
        }
    }

    /** The error of an outcome, or null. */
    static ErrorCode error(byte[] encoded) {
        return encoded[0] == 0 ? null : CODES[encoded[1]];
    }

    /** Whether the outcome is unknown, and a call with a number may be made again. */
    static boolean isRepeatable(byte[] encoded) {
        return encoded[0] != 0 && (encoded[2] & REPEATABLE) != 0;
    }

    private static void write(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] read(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }
}
