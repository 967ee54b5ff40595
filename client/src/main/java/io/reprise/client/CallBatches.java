package io.reprise.client;

import com.google.protobuf.ByteString;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.CallWriter;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.SchemaPart;
import java.util.Arrays;

/**
 * Calls that wait to be written, encoded behind each other in frames by partition: frames grow while the network
 * thread is busy. There are two writers for each partition, so that calls are encoded into one while the other is
 * being written.
 *
 * <p>Guarded by the connection's monitor, except for the frames that {@link #take} has set aside: those are the
 * network thread's.
 */
final class CallBatches {
    private static final int ANY = 0;
    private static final int FULL_FRAME_BYTES = 1 << 16;
    private static final int MAX_KEPT_BYTES = 1 << 20;
    private static final int FIRST_BYTES = 1 << 10;
    private static final int NO_FRAME = -1;

    /** More than a call, and the frame that it is alone in, have besides its arguments. */
    private static final int CALL_OVERHEAD_BYTES = 64;

    private final Sequences sequences;
    private final int maxFrameBytes;
    private final MessageWriter[] batches;
    private final MessageWriter[] taken;
    private final int[] frames;

    /** The batches with calls since the last {@link #take}, and those that it took: with many partitions, few of all. */
    private final int[] begun;

    private final boolean[] isBegun;
    private final int[] takenBatches;
    private int begunCount;
    private int takenCount;

    /** Batches for so many partitions, and for calls whose partition isn't known, in frames that the server takes. */
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
     * Appends a call. If there is no memory for it this throws, and nothing of it stays: the next one would follow on a part of it.
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

    /** Appends a statement, in a frame of its own; the same holds. */
    void statement(long id, String sql, ArgumentWriter arguments) {
        endFrame(ANY);
        MessageWriter to = writer(ANY);
        int before = to.length();
        try {
            int begin = to.beginFrame(Wire.STATEMENT);
            CallWriter.statement(to, id, sql, arguments);
            to.endFrame(begin);
        } catch (RuntimeException | Error noMemory) {
            to.truncate(before);
            throw noMemory;
        }
    }

    /** Appends a change of the schema, in as many frames as it takes; the same holds. */
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

    /** The bytes between two positions, as far as there are any. */
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

    /** Sets the gathered calls aside; the ones set aside before have been sent. */
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

    /** The network thread, without the monitor: sends what was set aside. */
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
