package io.reprise.simulation.cluster;

import io.reprise.execution.BucketMap;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.storage.RowAccess;
import io.reprise.storage.TableStore;

/**
 * Changes accounts of one partition, past log and replication: the memo, and perhaps the balance. A record of data that writes the balance
 * leaves another row, a command comes to another balance.
 */
final class OtherValue extends EngineWork {
    /** In the place of an account: all of them. */
    static final long ALL = -1;

    private static final int BALANCE = 1;
    private static final int MEMO = 2;
    private static final long OTHER_BALANCE = 1_000_000;

    private static final int ACCOUNTS = 1;
    private static final int ID = 0;

    private final int partition;
    private final long account;
    private final boolean balanceToo;
    private int changed;

    OtherValue(int partition, long account, boolean balanceToo) {
        super("damage");
        this.partition = partition;
        this.account = account;
        this.balanceToo = balanceToo;
    }

    /** The number of rows that it has changed. */
    int changed() {
        return changed;
    }

    @Override
    public void route(Execution execution, BucketMap buckets) {
        execution.sendTo(partition);
    }

    @Override
    public void run(Partition at, Execution execution) {
        TableStore accounts = at.store().table(ACCOUNTS);
        RowAccess access = new RowAccess(at.store(), accounts);
        for (long row = accounts.first(); row != 0; row = accounts.next(row)) {
            if (account == ALL || access.read(row).get(ID).equals(account)) {
                access.update(row, 0, MEMO, RowAccess.Bytes.of("closed"));
                if (balanceToo) {
                    access.update(row, 0, BALANCE, OTHER_BALANCE);
                }
                changed++;
            }
        }
        at.store().commit();
    }

    @Override
    public void runLent(Partition at, Execution execution) {
        run(at, execution);
    }
}
