package io.reprise.execution.durable;

import io.reprise.execution.durable.adaptive.LoggingAdvisor;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.footprint.FootprintChunk;
import io.reprise.footprint.FootprintEncoder;
import io.reprise.log.LogAdmission;
import io.reprise.log.LogRecordTooLargeException;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.metric.Counter;
import io.reprise.storage.PartitionStore;
import java.lang.foreign.MemorySegment;

/**
 * Encodes the footprints of all partitions and logs them through a ring of its own. No transaction waits for it: while the log has no
 * room, or the disk is full, footprints are dropped, and their transactions count as coarse.
 *
 * <p>A record stands near the commands of its transactions, mostly behind them. Its transaction id is that of its last transaction.
 */
public final class FootprintAgent implements Agent {
    private static final int NO_BUCKET = -1;

    private final FootprintBuffer[] buffers;
    private final int[] partitions;
    private final PartitionLog log;
    private final LogAdmission admission;
    private final FootprintEncoder encoder = new FootprintEncoder();
    /** Null unless the logging is adaptive. */
    private final LoggingAdvisor advisor;

    private final Counter records = new Counter();
    private final Counter bytes = new Counter();
    private final Counter footprints = new Counter();

    /** Chunks whose records are durable, or were dropped. */
    private final PublishedLong settled = new PublishedLong();

    private long handled;
    private long due;
    private long duePosition;

    /**
     * An agent.
     *
     * @param stores of the node's partitions, which collect footprints
     * @param log a ring of the log's writer for this agent alone
     * @param advisor of adaptive logging, or null
     */
    public FootprintAgent(PartitionStore[] stores, PartitionLog log, LogAdmission admission, LoggingAdvisor advisor) {
        this.log = log;
        this.advisor = advisor;
        this.admission = admission;
        buffers = new FootprintBuffer[stores.length];
        partitions = new int[stores.length];
        for (int i = 0; i < stores.length; i++) {
            buffers[i] = stores[i].footprint();
            partitions[i] = stores[i].options().partition();
        }
    }

    @Override
    public String roleName() {
        return "footprints";
    }

    @Override
    public int doWork(long nowNs) {
        int count = advisor == null ? 0 : advisor.doWork(nowNs);
        for (int i = 0; i < buffers.length; i++) {
            count += drain(i);
        }
        log.wakeWriter(nowNs);
        settle();
        return count;
    }

    private void settle() {
        if (due == settled.get()) {
            due = handled;
            duePosition = log.position();
        }
        if (due != settled.get() && log.durable() >= duePosition) {
            settled.set(due);
        }
    }

    private int drain(int partition) {
        int count = 0;
        while (!admission.isOpen() || log.hasRoom()) {
            FootprintChunk chunk = buffers[partition].poll();
            if (chunk == null) {
                break;
            }
            if (advisor != null) {
                advisor.observe(chunk);
            }
            if (admission.isOpen()) {
                write(partition, chunk);
            }
            buffers[partition].giveBack(chunk);
            handled++;
            count++;
        }
        return count;
    }

    private void write(int partition, FootprintChunk chunk) {
        int length = encoder.encode(partitions[partition], chunk);
        if (encoder.footprints() == 0) {
            return;
        }
        RecordBuilder record = log.begin(RecordKind.FOOTPRINT, chunk.lastTransaction(), NO_BUCKET, 0);
        try {
            record.putBytes(MemorySegment.ofArray(encoder.bytes()), 0, length);
            record.end();
        } catch (LogRecordTooLargeException tooLarge) {
            // The setting allows only smaller records; these transactions count as coarse.
            return;
        }
        records.increment();
        bytes.add(length);
        footprints.add(encoder.footprints());
    }

    /** The sites have ended: logs what is left in the buffers. */
    @Override
    public void onClose() {
        for (int i = 0; i < buffers.length; i++) {
            buffers[i].passOn();
            drain(i);
        }
    }

    /** Any thread: the number of chunks that will not reach the log any more, or are durable there. */
    public long settled() {
        return settled.get();
    }

    /** Any thread: the number of records so far. */
    public long records() {
        return records.get();
    }

    /** Any thread: their payloads' bytes. */
    public long bytes() {
        return bytes.get();
    }

    /** Any thread: the footprints in them. */
    public long footprints() {
        return footprints.get();
    }
}
