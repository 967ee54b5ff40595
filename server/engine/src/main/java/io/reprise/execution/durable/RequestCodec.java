package io.reprise.execution.durable;

import io.reprise.execution.Execution;
import io.reprise.execution.Request;
import io.reprise.execution.Work;
import io.reprise.record.command.CommandReader;
import io.reprise.record.command.CommandWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Requests as bytes for other nodes. One thread's.
 *
 * <pre>
 *  u8 client | u8 sequence | u8 acknowledged | u8 largest result | command
 * </pre>
 *
 * All numbers are big-endian; the command is as in a COMMAND record.
 */
public final class RequestCodec {
    private static final int HEADER = 4 * Long.BYTES;

    private final CommandWriter writer = new CommandWriter();
    private final CommandReader reader = new CommandReader();

    /** The request of an execution, behind so many bytes that the caller fills. */
    public byte[] encode(Execution execution, int behind) {
        Work work = execution.work();
        Request request = execution.request();
        if (work.version() == Work.NO_VERSION) {
            writer.beginStatement(work.name());
        } else {
            writer.begin(work.version());
        }
        CommandArguments.write(request.arguments(), writer);
        byte[] bytes = new byte[behind + HEADER + writer.length()];
        ByteBuffer.wrap(bytes)
                .position(behind)
                .putLong(request.client())
                .putLong(request.sequence())
                .putLong(request.acknowledged())
                .putLong(request.largestResult());
        MemorySegment.copy(writer.segment(), ValueLayout.JAVA_BYTE, 0, bytes, behind + HEADER, writer.length());
        return bytes;
    }

    /**
     * Prepares an execution with an encoded request and without a caller.
     *
     * @param procedures finds the version of a procedure by its number, or gives null
     * @param statements finds a statement that is no procedure
     */
    public void decode(
            ByteBuffer in, IntFunction<Work> procedures, Function<String, Work> statements, Execution execution) {
        long client = in.getLong();
        long sequence = in.getLong();
        long acknowledged = in.getLong();
        long largestResult = in.getLong();
        reader.over(MemorySegment.ofArray(in.array()), in.arrayOffset() + in.position(), in.remaining());
        Work work = reader.versionId() == Work.NO_VERSION
                ? statements.apply(reader.statement())
                : procedures.apply(Math.toIntExact(reader.versionId()));
        if (work == null) {
            throw new IllegalStateException("this node does not have version " + reader.versionId()
                    + " of a procedure that another node calls");
        }
        CommandArguments.read(reader, execution.request().arguments());
        execution.prepare(work, ended -> {}, 0);
        execution.request().once(client, sequence, acknowledged);
        execution.request().limitResult(largestResult);
    }
}
