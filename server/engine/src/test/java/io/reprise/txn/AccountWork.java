package io.reprise.txn;

import io.reprise.catalog.Table;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.Part;
import io.reprise.execution.Partition;
import io.reprise.execution.Scope;
import io.reprise.execution.Work;
import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.EventTrace;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.index.IndexKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Transactions over a table of accounts, written against storage directly, whose outcome depends on their order:
 * their computations do not commute, and whether they abort, after having written, depends on the data.
 */
abstract class AccountWork extends Work {
    private static final Table ACCOUNT = CatalogScript.load("CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY,"
                    + " balance BIGINT NOT NULL); PARTITION TABLE account ON COLUMN id;")
            .table("ACCOUNT")
            .orElseThrow();

    /** The transactions of each partition, in its order, told by those that ran them. */
    static final class Journal {
        final List<List<Long>> ids = new ArrayList<>();
        final EventTrace trace;

        Journal(int partitions, EventTrace trace) {
            this.trace = trace;
            for (int i = 0; i < partitions; i++) {
                ids.add(new ArrayList<>());
            }
        }

        void ran(Partition partition, Execution execution) {
            ids.get(partition.id()).add(execution.id());
            trace.event("ran", partition.id(), execution.id());
        }
    }

    final Journal journal;

    private AccountWork(String name, Journal journal) {
        super(name);
        this.journal = journal;
    }

    static PartitionStore store(int partition, BucketMap buckets, int accounts) {
        java.util.BitSet owned = new java.util.BitSet();
        for (int bucket : buckets.buckets(partition)) {
            owned.set(bucket);
        }
        PartitionStore store =
                new PartitionStore(new PartitionStore.Options(partition, 64 << 20, 1L << 30, Buckets.DEFAULT, owned));
        TableStore table = store.createTable(ACCOUNT);
        for (long id = 0; id < accounts; id++) {
            int bucket = Buckets.DEFAULT.of(id);
            if (buckets.partition(bucket) == partition) {
                long row = table.allocate();
                store.memory().putLong(row + table.layout().offset(0), id);
                store.memory().putLong(row + table.layout().offset(1), id);
                table.insert(row, bucket);
            }
        }
        store.commit();
        return store;
    }

    static long balance(PartitionStore store, long account) {
        TableStore table = store.table(ACCOUNT.id());
        return store.memory().getLong(row(table, account) + table.layout().offset(1));
    }

    private static long row(TableStore table, long account) {
        if (table.table().indexes().getFirst().kind() == io.reprise.catalog.Index.Kind.HASH) {
            IndexKey key = new IndexKey(table.hashIndex(0).layout());
            table.hashIndex(0).layout().put(key, 0, account);
            return table.hashIndex(0).find(key);
        }
        IndexKey key = new IndexKey(table.orderedIndex(0).layout());
        table.orderedIndex(0).layout().put(key, 0, account);
        return table.orderedIndex(0).find(key);
    }

    static void write(PartitionStore store, long account, long balance) {
        store.checkScope(Buckets.DEFAULT.of(account));
        TableStore table = store.table(ACCOUNT.id());
        long row = row(table, account);
        int offset = table.layout().offset(1);
        table.beginUpdate(row, offset, 8, 0);
        store.memory().putLong(row + offset, balance);
        table.endUpdate(row, 0);
    }

    /** A transaction's decision from the balances that it has read and written; the oracle does the same. */
    static long mix(long first, long second, long amount) {
        return first * 31 + second * 17 + amount;
    }

    static boolean aborts(long value) {
        return Math.floorMod(value, 7) == 0;
    }

    static ProcedureException abort(long value) {
        return new ProcedureException(ErrorCode.USER_ABORT, "aborted at " + value);
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public Scope scope() {
        return Scope.MULTI;
    }

    @Override
    public List<StatementFactory> statements() {
        return List.of();
    }

    @Override
    public void checkArguments(Execution execution) {}

    @Override
    public void bind(List<Partition> partitions) {}

    @Override
    public void route(Execution execution, BucketMap buckets) {
        execution.routeBy(buckets);
        for (int partition = 0; partition < buckets.partitions(); partition++) {
            execution.addParticipant(partition);
        }
    }

    @Override
    public void runLent(Partition at, Execution execution) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void run(Partition partition, Execution execution) {
        throw new UnsupportedOperationException();
    }

    /** Mixes one account: arguments account, amount. */
    static final class Single extends AccountWork {
        Single(Journal journal) {
            super("single", journal);
        }

        @Override
        public void route(Execution execution, BucketMap buckets) {
            execution.routeBy(buckets);
            int bucket = Buckets.DEFAULT.of(execution.request().arguments().word(0));
            execution.confineTo(bucket, buckets.partition(bucket));
        }

        @Override
        public void run(Partition partition, Execution execution) {
            journal.ran(partition, execution);
            long account = execution.request().arguments().word(0);
            long value = mix(
                    balance(partition.store(), account),
                    0,
                    execution.request().arguments().word(1));
            write(partition.store(), account, value);
            if (aborts(value)) {
                throw abort(value);
            }
            execution.outcome().result().integer(value);
        }
    }

    /** Mixes two accounts with each other: arguments account, account, amount. At home at the first, unless the amount is divisible by 4. */
    static final class Pair extends AccountWork {
        Pair(Journal journal) {
            super("pair", journal);
        }

        @Override
        public void route(Execution execution, BucketMap buckets) {
            execution.routeBy(buckets);
            for (int i = 0; i < 2; i++) {
                execution.addParticipant(buckets.partition(
                        Buckets.DEFAULT.of(execution.request().arguments().word(i))));
            }
            if (execution.request().arguments().word(2) % 4 != 0) {
                int bucket = Buckets.DEFAULT.of(execution.request().arguments().word(0));
                execution.runAt(buckets.partition(bucket), bucket);
            }
        }

        @Override
        public void run(Partition partition, Execution execution) {
            journal.ran(partition, execution);
            run(partition.store(), partition.store(), execution);
        }

        @Override
        public void runLent(Partition at, Execution execution) {
            for (int i = 0; i < at.lent().count(); i++) {
                journal.ran(at.lent().participant(i), execution);
            }
            PartitionStore first = holder(at, execution.request().arguments().word(0));
            PartitionStore second = holder(at, execution.request().arguments().word(1));
            int savepoint = at.lent().savepoint();
            write(first, execution.request().arguments().word(0), 42);
            write(second, execution.request().arguments().word(1), 43);
            at.lent().rollbackTo(savepoint);
            run(first, second, execution);
        }

        private static PartitionStore holder(Partition at, long account) {
            return at.lent().holderOf(Buckets.DEFAULT.of(account)).store();
        }

        private static void run(PartitionStore first, PartitionStore second, Execution execution) {
            long a = execution.request().arguments().word(0);
            long b = execution.request().arguments().word(1);
            long valueA = mix(
                    balance(first, a),
                    balance(second, b),
                    execution.request().arguments().word(2));
            write(first, a, valueA);
            long valueB = mix(balance(second, b), valueA, 1);
            write(second, b, valueB);
            if (aborts(valueB)) {
                throw abort(valueB);
            }
            execution.outcome().result().integer(valueA ^ valueB);
        }
    }

    /** Adds up all accounts, each partition its own. */
    static final class SplitRead extends AccountWork {
        private final int accounts;
        private final BucketMap buckets;

        SplitRead(Journal journal, int accounts, BucketMap buckets) {
            super("split read", journal);
            this.accounts = accounts;
            this.buckets = buckets;
        }

        @Override
        public boolean readOnly() {
            return true;
        }

        @Override
        public boolean splits() {
            return true;
        }

        @Override
        public void run(Partition partition, Execution execution) {
            journal.ran(partition, execution);
            execution.outcome().result().integer(sum(partition, accounts, buckets));
        }

        @Override
        public void runPart(Partition partition, Execution execution, Part part) {
            journal.ran(partition, execution);
            part.rows().start(COUNT);
            int row = part.rows().append();
            part.rows().words[row] = 0;
            part.rows().words[row + 1] = sum(partition, accounts, buckets);
        }

        @Override
        public void merge(Partition at, Execution execution) {
            execution.outcome().result().integer(sumOfParts(execution));
        }
    }

    private static final io.reprise.sql.compile.runtime.RowShape COUNT =
            io.reprise.sql.compile.runtime.RowShape.of(List.of(new io.reprise.sql.physical.PlanField(
                    "N", io.reprise.catalog.SqlType.of(io.reprise.catalog.SqlType.Kind.BIGINT), false)));

    private static long sumOfParts(Execution execution) {
        long sum = 0;
        for (int i = 0; i < execution.participantCount(); i++) {
            execution.part(i).rows().rewind();
            execution.part(i).rows().next();
            sum += execution.part(i).rows().longAt(0);
        }
        return sum;
    }

    static long sum(Partition partition, int accounts, BucketMap buckets) {
        long sum = 0;
        for (long account = 0; account < accounts; account++) {
            if (buckets.partition(Buckets.DEFAULT.of(account)) == partition.id()) {
                sum += balance(partition.store(), account);
            }
        }
        return sum;
    }

    /** Mixes all accounts with an amount, each partition its own; a partition refuses by the sum of its accounts. */
    static final class SplitWrite extends AccountWork {
        private final int accounts;
        private final BucketMap buckets;

        SplitWrite(Journal journal, int accounts, BucketMap buckets) {
            super("split write", journal);
            this.accounts = accounts;
            this.buckets = buckets;
        }

        @Override
        public boolean splits() {
            return true;
        }

        @Override
        public void run(Partition partition, Execution execution) {
            execution.outcome().result().integer(mixAll(partition, execution));
        }

        @Override
        public void runPart(Partition partition, Execution execution, Part part) {
            part.rows().start(COUNT);
            int row = part.rows().append();
            part.rows().words[row] = 0;
            part.rows().words[row + 1] = mixAll(partition, execution);
        }

        private long mixAll(Partition partition, Execution execution) {
            journal.ran(partition, execution);
            for (long account = 0; account < accounts; account++) {
                if (buckets.partition(Buckets.DEFAULT.of(account)) == partition.id()) {
                    long value = mix(
                            balance(partition.store(), account),
                            1,
                            execution.request().arguments().word(0));
                    write(partition.store(), account, value);
                }
            }
            long sum = sum(partition, accounts, buckets);
            if (aborts(sum)) {
                throw abort(sum);
            }
            return sum;
        }

        @Override
        public void merge(Partition at, Execution execution) {
            execution.outcome().result().integer(sumOfParts(execution));
        }
    }
}
