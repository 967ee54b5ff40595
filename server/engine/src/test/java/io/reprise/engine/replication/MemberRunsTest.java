package io.reprise.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.cluster.transaction.Result;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.Part;
import io.reprise.execution.Partition;
import io.reprise.execution.Scope;
import io.reprise.execution.Work;
import io.reprise.execution.durable.RequestCodec;
import io.reprise.procedure.ErrorCode;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.storage.PartitionStore;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that run out of Java heap at a participant: they fail, and the partition goes on. */
final class MemberRunsTest {
    private static final long BATCH = 1L << 20;

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 24));
    private final Partition partition = Partition.over(List.of(store)).getFirst();

    @AfterEach
    void close() {
        store.close();
    }

    /** A work with no heap left for its part or its statements. */
    private static final class Greedy extends Work {
        private final boolean splits;

        Greedy(boolean splits) {
            super("Greedy");
            this.splits = splits;
        }

        @Override
        public boolean splits() {
            return splits;
        }

        @Override
        public boolean readOnly() {
            return true;
        }

        @Override
        public Scope scope() {
            return Scope.PARTITION;
        }

        @Override
        public List<StatementFactory> statements() {
            return List.of();
        }

        @Override
        public void checkArguments(Execution execution) {}

        @Override
        public void route(Execution execution, BucketMap buckets) {
            execution.sendTo(0);
        }

        @Override
        public void bind(List<Partition> partitions) {}

        @Override
        public void run(Partition at, Execution execution) {}

        @Override
        public void runLent(Partition at, Execution execution) {}

        @Override
        public void runPart(Partition at, Execution execution, Part part) {
            throw new OutOfMemoryError("Java heap space");
        }

        @Override
        public CompiledStatement statementAt(Partition at, int number) {
            throw new OutOfMemoryError("Java heap space");
        }
    }

    /** A schema whose only statement is a work. */
    private record Schema(Work work) implements StreamSchema {
        private static final BucketMap BUCKETS = BucketMap.dealt(1);

        @Override
        public Work procedure(int version) {
            return work;
        }

        @Override
        public Work statement(String text) {
            return work;
        }

        @Override
        public BucketMap buckets() {
            return BUCKETS;
        }

        @Override
        public Catalog catalog() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void check(Partition at, byte[] change, long transactionId) {}

        @Override
        public void committed(byte[] change, long transactionId) {}

        @Override
        public boolean isChangeDue() {
            return false;
        }

        @Override
        public long changed() {
            return 0;
        }

        @Override
        public byte[] whole() {
            return new byte[0];
        }

        @Override
        public long hash() {
            return 0;
        }

        @Override
        public void take(byte[] whole, long transactionId) {}
    }

    private MemberRuns runs(Work work) {
        store.begin(BATCH);
        OwnedBuckets owned = new OwnedBuckets(Schema.BUCKETS.bucketSet(0));
        return new MemberRuns(partition, new Schema(work), new LoadedRows(store.scope(), owned));
    }

    private static byte[] open(MemberRuns runs, Work work) {
        byte[] request = new RequestCodec().encode(new Execution().prepare(work, ended -> {}, 0));
        ByteBuffer in = ByteBuffer.allocate(Short.BYTES + Integer.BYTES + request.length)
                .putShort((short) 1)
                .putInt(request.length)
                .put(request)
                .flip();
        return runs.open(in, BATCH);
    }

    private static void assertRanOutOfHeap(byte[] results) {
        Result failed = MemberRuns.decode(results).getFirst();
        assertThat(failed.aborted()).isTrue();
        assertThat(MemberRuns.code(failed)).isEqualTo(ErrorCode.PROCEDURE_FAILURE);
        assertThat(MemberRuns.message(failed)).contains("ran out of Java heap");
    }

    @Test
    void shouldFailACallWhosePartRunsOutOfHeap() {
        Work work = new Greedy(true);

        assertRanOutOfHeap(open(runs(work), work));
    }

    @Test
    void shouldFailAStatementThatRunsOutOfHeap() {
        Work work = new Greedy(false);
        MemberRuns runs = runs(work);
        assertThat(MemberRuns.decode(open(runs, work)).getFirst().aborted()).isFalse();

        ByteBuffer statement = ByteBuffer.allocate(Short.BYTES + 2 * Integer.BYTES);

        assertRanOutOfHeap(runs.runStatements(statement));
        assertThat(runs.hasFailed()).isTrue();
    }
}
