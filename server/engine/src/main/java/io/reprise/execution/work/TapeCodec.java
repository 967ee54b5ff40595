package io.reprise.execution.work;

import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.execution.durable.CommandArguments;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.record.command.CommandReader;
import io.reprise.record.command.CommandWriter;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Tapes, and the answers to them, as bytes for other nodes.
 *
 * <pre>
 *  tape:     u1 preview | u8 time | u8 key | u4 entries
 *  entry:    u1 kind | u4 savepoint                                  a step between savepoints
 *            u1 kind | u4 length | command | u1 told | answer        a statement with its arguments, as in a COMMAND record
 *  answer:   u1 1 + error, or 0 | u8 count | u8 hash                 only if told
 *  answers:  u4 conflict | u4 failed | of each statement: u1 none (0), failure (1), count (2) or rows (3) | content
 * </pre>
 *
 * All numbers are big-endian.
 */
public final class TapeCodec {
    private static final TapeEntry.Kind[] KINDS = TapeEntry.Kind.values();
    private static final ErrorCode[] ERRORS = ErrorCode.values();
    private static final int NONE = 0;
    private static final int FAILURE = 1;
    private static final int COUNT = 2;
    private static final int ROWS = 3;

    private TapeCodec() {}

    /** Writes or reads a part. */
    private interface Part {
        void run() throws IOException;
    }

    static byte[] encode(TapeWork tape) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        unchecked(() -> {
            out.writeBoolean(tape.isPreview());
            out.writeLong(tape.nowMicros());
            out.writeLong(tape.key());
            out.writeInt(tape.entries().size());
            CommandWriter writer = new CommandWriter();
            for (TapeEntry entry : tape.entries()) {
                write(entry, writer, out);
            }
        });
        return bytes.toByteArray();
    }

    private static void write(TapeEntry entry, CommandWriter writer, DataOutputStream out) throws IOException {
        out.writeByte(entry.kind.ordinal());
        if (entry.kind != TapeEntry.Kind.STATEMENT) {
            out.writeInt(entry.savepoint);
            return;
        }
        writer.beginStatement(entry.work.name());
        CommandArguments.write(entry.arguments, writer);
        byte[] command = writer.segment().asSlice(0, writer.length()).toArray(ValueLayout.JAVA_BYTE);
        out.writeInt(command.length);
        out.write(command);
        out.writeBoolean(entry.isTold());
        if (entry.isTold()) {
            out.writeByte(
                    entry.expected.error() == null
                            ? 0
                            : 1 + entry.expected.error().ordinal());
            out.writeLong(entry.expected.count());
            out.writeLong(entry.expected.hash());
        }
    }

    /** The tape of {@link TapeWork#composed}, with statements as this node plans them. */
    public static TapeWork decode(byte[] content, Function<String, Work> statements) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
        List<TapeEntry> entries = new ArrayList<>();
        TapeWork[] tape = new TapeWork[1];
        unchecked(() -> {
            boolean preview = in.readBoolean();
            long nowMicros = in.readLong();
            long key = in.readLong();
            for (int left = in.readInt(); left > 0; left--) {
                entries.add(read(in, statements));
            }
            tape[0] = new TapeWork(entries, preview, nowMicros, key);
        });
        return tape[0];
    }

    private static TapeEntry read(DataInputStream in, Function<String, Work> statements) throws IOException {
        TapeEntry.Kind kind = KINDS[in.readByte()];
        if (kind != TapeEntry.Kind.STATEMENT) {
            int number = in.readInt();
            return kind == TapeEntry.Kind.SAVEPOINT ? TapeEntry.savepoint(number) : TapeEntry.rollbackTo(number);
        }
        byte[] command = in.readNBytes(in.readInt());
        CommandReader reader = new CommandReader();
        reader.over(MemorySegment.ofArray(command), 0, command.length);
        StatementWork work = (StatementWork) statements.apply(reader.statement());
        Arguments arguments = new Arguments();
        CommandArguments.read(reader, arguments);
        TapeAnswer told = null;
        if (in.readBoolean()) {
            int error = in.readByte();
            told = new TapeAnswer(error == 0 ? null : ERRORS[error - 1], in.readLong(), in.readLong());
        }
        return new TapeEntry(kind, 0, work, arguments, told);
    }

    static byte[] encodeAnswers(TapeWork tape) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        unchecked(() -> {
            out.writeInt(tape.conflict());
            out.writeInt(tape.failed());
            for (TapeEntry entry : tape.entries()) {
                if (entry.kind == TapeEntry.Kind.STATEMENT) {
                    writeAnswer(entry, out);
                }
            }
        });
        return bytes.toByteArray();
    }

    private static void writeAnswer(TapeEntry entry, DataOutputStream out) throws IOException {
        if (!entry.ran()) {
            out.writeByte(NONE);
        } else if (entry.error() != null) {
            out.writeByte(FAILURE);
            out.writeByte(entry.error().ordinal());
            out.writeUTF(shortened(entry.message()));
            write(entry.subject(), out);
        } else if (entry.rows() == null) {
            out.writeByte(COUNT);
            out.writeLong(entry.count());
        } else {
            byte[] rows = RowCodec.encodeWithColumns(entry.rows());
            out.writeByte(ROWS);
            out.writeInt(rows.length);
            out.write(rows);
        }
    }

    /** A message that {@link DataOutputStream#writeUTF} can write. */
    private static String shortened(String message) {
        String text = String.valueOf(message);
        return text.length() > Short.MAX_VALUE / 2 ? text.substring(0, Short.MAX_VALUE / 2) : text;
    }

    static void decodeAnswers(byte[] answers, TapeWork tape) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(answers));
        unchecked(() -> {
            tape.ended(in.readInt(), in.readInt());
            for (TapeEntry entry : tape.entries()) {
                if (entry.kind == TapeEntry.Kind.STATEMENT) {
                    readAnswer(entry, in);
                }
            }
        });
    }

    private static void readAnswer(TapeEntry entry, DataInputStream in) throws IOException {
        switch (in.readByte()) {
            case FAILURE -> entry.failed(ERRORS[in.readByte()], in.readUTF(), readSubject(in));
            case COUNT -> entry.counted(in.readLong());
            case ROWS -> {
                HeapRows rows = new HeapRows();
                RowCodec.decodeWithColumns(ByteBuffer.wrap(in.readNBytes(in.readInt())), rows);
                entry.found(rows);
            }
            default -> {}
        }
    }

    /** Writes the subject of a failure; null, if it has none. */
    public static void write(ErrorSubject subject, DataOutputStream out) throws IOException {
        out.writeBoolean(subject != null);
        if (subject != null) {
            out.writeByte(subject.kind().ordinal());
            out.writeUTF(subject.table());
            out.writeUTF(subject.column());
            out.writeUTF(subject.constraint());
        }
    }

    /** Reads what {@link #write} wrote. */
    public static ErrorSubject readSubject(DataInputStream in) throws IOException {
        return in.readBoolean()
                ? new ErrorSubject(ErrorSubject.Kind.values()[in.readByte()], in.readUTF(), in.readUTF(), in.readUTF())
                : null;
    }

    private static void unchecked(Part part) {
        try {
            part.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
