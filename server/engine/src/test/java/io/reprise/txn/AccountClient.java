package io.reprise.txn;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.Work;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.agent.Agent;
import io.reprise.txn.initiator.ClientPort;
import java.util.List;

/** A client that keeps some transactions of random kinds under way until it has had so many. */
final class AccountClient implements Agent {
    private final ClientPort port;
    private final List<Work> kinds;
    private final int multiPercent;
    private final Randomness random;
    private final int accounts;
    private final Oracle oracle;
    private int toSubmit;
    private int toReceive;
    private Runnable whenDone = () -> {};
    private boolean done;

    AccountClient(
            ClientPort port,
            AccountWork.Journal journal,
            BucketMap buckets,
            int accounts,
            int multiPercent,
            int transactions,
            Randomness random,
            Oracle oracle) {
        this.port = port;
        this.multiPercent = multiPercent;
        this.random = random;
        this.accounts = accounts;
        this.oracle = oracle;
        kinds = List.of(
                new AccountWork.Single(journal),
                new AccountWork.Pair(journal),
                new AccountWork.SplitRead(journal, accounts, buckets),
                new AccountWork.SplitWrite(journal, accounts, buckets));
        toSubmit = transactions;
        toReceive = transactions;
    }

    @Override
    public String roleName() {
        return "client-" + port.site();
    }

    void whenDone(Runnable action) {
        whenDone = action;
    }

    boolean isDone() {
        return done;
    }

    @Override
    public int doWork(long nowNs) {
        int work = 0;
        for (Execution finished = port.poll(); finished != null; finished = port.poll()) {
            oracle.finished(finished);
            port.release(finished);
            toReceive--;
            work++;
        }
        while (toSubmit > 0 && random.nextInt(4) != 0) {
            Execution execution = port.acquire(kind(), toSubmit);
            if (execution == null) {
                break;
            }
            for (int i = 0; i < 3; i++) {
                execution.request().arguments().add((long) random.nextInt(accounts));
            }
            if (execution.work() instanceof AccountWork.Pair
                    && execution.request().arguments().word(0)
                            == execution.request().arguments().word(1)) {
                execution.request().arguments().clear();
                execution.request().arguments().add(0).add(1).add(2);
            }
            port.submit(execution);
            toSubmit--;
            work++;
        }
        if (toReceive == 0 && !done) {
            done = true;
            whenDone.run();
        }
        return work;
    }

    private Work kind() {
        if (random.nextInt(100) >= multiPercent) {
            return kinds.getFirst();
        }
        int choice = random.nextInt(10);
        return kinds.get(choice < 7 ? 1 : choice < 9 ? 2 : 3);
    }
}
