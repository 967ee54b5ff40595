package io.reprise.engine.replication;

import io.reprise.catalog.ProcedureDefinition;
import io.reprise.execution.Answers;
import io.reprise.execution.Execution;
import io.reprise.execution.durable.CommandRecorder;
import io.reprise.id.BucketSet;
import io.reprise.log.RecordBuilder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of a transaction over nodes that have ended at their home, with the answers that they got from elsewhere: the content of a
 * CALLS record, in the order of their ends. Owned by the home's thread.
 */
final class AnsweredCalls {
    private final CommandRecorder commands = new CommandRecorder();
    private final BucketSet atHome = new BucketSet();
    private final List<Call> calls = new ArrayList<>();

    private record Call(Execution execution, long id, int writeHash, int[] buckets, byte[] answers) {}

    /** Forgets all calls. */
    void clear() {
        calls.clear();
    }

    /** The number of calls. */
    int count() {
        return calls.size();
    }

    /**
     * Adds a call that has ended, unless a replay could not run it alone.
     *
     * @param home the partition that ran it
     * @param answers those from other partitions
     * @param writeHash of its changes at home
     */
    void add(Execution call, int home, Answers answers, int writeHash) {
        if (call.work().logging() == ProcedureDefinition.Logging.AS_CONFIGURED && answers.suffice(call)) {
            byte[] bytes = answers.segment().asSlice(0, answers.length()).toArray(ValueLayout.JAVA_BYTE);
            calls.add(new Call(call, call.id(), writeHash, bucketsAt(home, call), bytes));
        }
    }

    private int[] bucketsAt(int home, Execution call) {
        BucketSet all = call.buckets();
        if (all == null) {
            return new int[] {call.bucket()};
        }
        atHome.clear();
        for (int i = 0; i < all.size(); i++) {
            if (call.map().partition(all.get(i)) == home) {
                atHome.add(all.get(i));
            }
        }
        int[] buckets = new int[atHome.size()];
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] = atHome.get(i);
        }
        return buckets;
    }

    /** Writes all calls into a record with an id. */
    void writeTo(RecordBuilder record, long recordId) {
        for (Call each : calls) {
            record.putZigzag(each.id - recordId);
            record.putInt(each.writeHash);
            record.putVarint(each.buckets.length);
            for (int bucket : each.buckets) {
                record.putVarint(bucket);
            }
            record.putVarint(each.answers.length);
            record.putBytes(MemorySegment.ofArray(each.answers), 0, each.answers.length);
            record.putInt(0);
            long begin = record.payloadBytes();
            commands.record(each.execution.work(), each.execution.request(), record);
            int length = (int) (record.payloadBytes() - begin);
            record.memory().putInt(record.address() - length - Integer.BYTES, length);
        }
    }
}
