package io.reprise.client;

import com.google.protobuf.ByteString;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.CallWriter;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.SchemaPart;
import java.util.Arrays;

/**
 * The calls of a connection that wait to be sent, encoded in frames by partition. A frame grows while the network thread is busy. Each
 * partition has two writers, so that calls are encoded into one while the other is being sent.
 *
 * <p>Guarded by the connection's monitor. Only the frames that {@link #take} has set aside belong to the network thread.
 */
final class CallBatches {
    private static final int ANY = 0;
    private static final int FULL_FRAME_BYTES = 1 << 16;
    private static final int MAX_KEPT_BYTES = 1 << 20;
    private static final int FIRST_BYTES = 1 << 10;
    private static final int NO_FRAME = -1;

    /** An upper bound for the bytes of a call and its frame besides the arguments. */
    private static final int CALL_OVERHEAD_BYTES = 64;

    private final Sequences sequences;
    private final int maxFrameBytes;
    private final MessageWriter[] batches;
    private final MessageWriter[] taken;
    private final int[] frames;

    /** The batches with calls since the last {@link #take}, and those that it took. With many partitions they are few. */
    private final int[] begun;

    private final boolean[] isBegun;
    private final int[] takenBatches;
    private int begunCount;
    private int takenCount;

    /** Creates one batch for each partition, and one for calls without a known partition. Frames keep to the server's limit. */
    CallBatches(int partitions, int maxFrameBytes, Sequences sequences) {
        this.maxFrameBytes = maxFrameBytes;
        this.sequences = sequences;
        int count = partitions == 1 ? 1 : partitions + 1;
        batches = new MessageWriter[count];
        taken = new MessageWriter[count];
        frames = new int[count];
        begun = new int[count];
        isBegun = new boolean[count];
        takenBatches = new int[count];
        Arrays.fill(frames, NO_FRAME);
    }

    /** The writer of a batch; made on demand, because there may be thousands of partitions. */
    private MessageWriter writer(int batch) {
        if (batches[batch] == null) {
            batches[batch] = new MessageWriter(FIRST_BYTES);
        }
        if (!isBegun[batch]) {
            isBegun[batch] = true;
            begun[begunCount++] = batch;
        }
        return batches[batch];
    }

    /**
     * Appends a call. Without memory for it this throws, and removes what it has encoded: the next call must not follow on a part of it.
     *
     * @param batch the call's partition, from 1, or 0 where it is not known
     */
    void call(int batch, long id, int handle, int timeoutMs, long sequence, ArgumentWriter arguments) {
        MessageWriter to = writer(batch);
        if (frames[batch] != NO_FRAME && !canTake(to.length() - frames[batch] + arguments.length())) {
            endFrame(batch);
        }
        int frame = frames[batch];
        int before = to.length();
        try {
            if (frame == NO_FRAME) {
                frames[batch] = CallWriter.beginFrame(to, batch - 1, sequences.acknowledged());
            }
            CallWriter.call(to, id, handle, timeoutMs, sequence, arguments);
        } catch (RuntimeException | Error noMemory) {
            to.truncate(before);
            frames[batch] = frame;
            throw noMemory;
        }
        if (to.length() - frames[batch] >= FULL_FRAME_BYTES) {
            endFrame(batch);
        }
    }

    /** Whether a call with so many bytes of arguments fits in a frame. */
    boolean canTake(int bytes) {
        return bytes <= maxFrameBytes - CALL_OVERHEAD_BYTES;
    }

    /** Appends a statement in a frame of its own. Fails as a call does. */
    void statement(long id, String sql, ArgumentWriter arguments, int rows) {
        endFrame(ANY);
        MessageWriter to = writer(ANY);
        int before = to.length();
        try {
            int begin = to.beginFrame(Wire.STATEMENT);
            CallWriter.statement(to, id, sql, arguments, rows);
            to.endFrame(begin);
        } catch (RuntimeException | Error noMemory) {
            to.truncate(before);
            throw noMemory;
        }
    }

    /** Appends a change of the schema, in as many frames as it needs. Fails as a call does. */
    void change(long id, byte[] script, byte[] jar) {
        endFrame(ANY);
        MessageWriter to = writer(ANY);
        int before = to.length();
        try {
            int most = maxFrameBytes - CALL_OVERHEAD_BYTES;
            int total = script.length + jar.length;
            int at = 0;
            do {
                int end = Math.min(total, at + most);
                SchemaPart part = SchemaPart.newBuilder()
                        .setId(id)
                        .setScript(slice(script, at, end))
                        .setJar(slice(jar, at - script.length, end - script.length))
                        .setMore(end < total)
                        .build();
                int begin = to.beginFrame(Wire.SCHEMA_PART);
                to.raw(part.toByteArray());
                to.endFrame(begin);
                at = end;
            } while (at < total);
        } catch (RuntimeException | Error noMemory) {
            to.truncate(before);
            throw noMemory;
        }
    }

    /** The bytes between two positions, cut at the end. */
    private static ByteString slice(byte[] bytes, int from, int to) {
        int begin = Math.max(0, Math.min(from, bytes.length));
        return ByteString.copyFrom(bytes, begin, Math.max(begin, Math.min(to, bytes.length)) - begin);
    }

    private void endFrame(int batch) {
        if (frames[batch] != NO_FRAME) {
            batches[batch].endFrame(frames[batch]);
            frames[batch] = NO_FRAME;
        }
    }

    /** Sets the gathered calls aside for sending. The calls of the last time have been sent. */
    void take() {
        takenCount = 0;
        for (int i = 0; i < begunCount; i++) {
            int batch = begun[i];
            endFrame(batch);
            isBegun[batch] = false;
            MessageWriter full = batches[batch];
            if (full.length() > 0) {
                batches[batch] = taken[batch];
                taken[batch] = full;
                takenBatches[takenCount++] = batch;
            }
        }
        begunCount = 0;
    }

    /** Sends the frames that were set aside. Called by the network thread, without the monitor. */
    void sendTaken(FrameSender sender) {
        for (int i = 0; i < takenCount; i++) {
            int batch = takenBatches[i];
            MessageWriter full = taken[batch];
            sender.write(full);
            if (full.capacity() > MAX_KEPT_BYTES) {
                taken[batch] = null;
            } else {
                full.clear();
            }
        }
        if (takenCount > 0) {
            sender.flush();
        }
    }
}
