package io.reprise.execution.durable;

import io.reprise.execution.Execution;
import io.reprise.execution.ReplyTarget;
import io.reprise.execution.Request;
import io.reprise.execution.Work;
import io.reprise.record.command.CommandReader;
import io.reprise.record.command.CommandWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * Requests as bytes for other nodes. One thread's.
 *
 * <pre>
 *  u8 client | u8 sequence | u8 acknowledged | u8 largest result | u1 0 | command
 *                                                                | u1 1 | composed work
 * </pre>
 *
 * All numbers are big-endian; the command is as in a COMMAND record.
 */
public final class RequestCodec {
    private static final int HEADER = 4 * Long.BYTES + 1;
    private static final byte COMMAND = 0;
    private static final byte COMPOSED = 1;

    private final CommandWriter writer = new CommandWriter();
    private final CommandReader reader = new CommandReader();

    /** The request of an execution. */
    public byte[] encode(Execution execution) {
        Work work = execution.work();
        Request request = execution.request();
        byte[] composed = work.composed();
        if (composed == null) {
            writeCommand(work, request);
        }
        int length = composed == null ? Math.toIntExact(writer.length()) : composed.length;
        byte[] bytes = new byte[HEADER + length];
        ByteBuffer.wrap(bytes)
                .putLong(request.client())
                .putLong(request.sequence())
                .putLong(request.acknowledged())
                .putLong(request.largestResult())
                .put(composed == null ? COMMAND : COMPOSED);
        if (composed == null) {
            MemorySegment.copy(writer.segment(), ValueLayout.JAVA_BYTE, 0, bytes, HEADER, length);
        } else {
            System.arraycopy(composed, 0, bytes, HEADER, length);
        }
        return bytes;
    }

    private void writeCommand(Work work, Request request) {
        if (work.version() == Work.NO_VERSION) {
            writer.beginStatement(work.name());
        } else {
            writer.begin(work.version());
        }
        CommandArguments.write(request.arguments(), writer);
    }

    /**
     * Prepares an execution with an encoded request.
     *
     * @param schema has the work; null, if a procedure is not known
     */
    public void decode(ByteBuffer in, CommandSchema schema, ReplyTarget replyTo, Execution execution) {
        long client = in.getLong();
        long sequence = in.getLong();
        long acknowledged = in.getLong();
        long largestResult = in.getLong();
        Work work;
        if (in.get() == COMPOSED) {
            byte[] content = new byte[in.remaining()];
            in.get(content);
            work = schema.composed(content);
            execution.request().arguments().clear();
        } else {
            work = command(in, schema, execution);
        }
        execution.prepare(work, replyTo, 0);
        execution.request().once(client, sequence, acknowledged);
        execution.request().limitResult(largestResult);
    }

    private Work command(ByteBuffer in, CommandSchema schema, Execution execution) {
        reader.over(MemorySegment.ofArray(in.array()), in.arrayOffset() + in.position(), in.remaining());
        Work work = reader.versionId() == Work.NO_VERSION
                ? schema.statement(reader.statement())
                : schema.procedure(Math.toIntExact(reader.versionId()));
        if (work == null) {
            throw new IllegalStateException("this node does not have version " + reader.versionId()
                    + " of a procedure that another node calls");
        }
        CommandArguments.read(reader, execution.request().arguments());
        return work;
    }
}
