package io.reprise.txn.initiator;

import io.reprise.execution.Partition;
import java.util.List;

/**
 * The number of transactions that an initiator may stamp ahead of a partition. A stamped transaction holds up every
 * multi-partition transaction that is stamped after it, and with it all its participants; but stamping one by one
 * costs an exchange of promises with the other sites for each. So the work that is stamped ahead should last for a
 * fixed short time: many short transactions, or a single long one. The length of one is measured at the partition on
 * the same site.
 *
 * <p>With a single partition no other one is held up, and the look-ahead is the largest. Owned by the site's thread.
 */
public final class Pace {
    private static final int WEIGHT = 16;

    private final Partition[] partitions;
    private final int most;
    private final long targetNs;
    private long lastNs;
    private long lastCount;
    private long averageNs;
    private int lookAhead;

    /**
     * A pace.
     *
     * @param partitions those of the same site
     * @param most the largest look-ahead
     * @param targetNs the time that the work stamped ahead should last
     */
    public Pace(List<Partition> partitions, int most, long targetNs) {
        this.partitions = partitions.toArray(Partition[]::new);
        this.most = most;
        this.targetNs = targetNs;
        lookAhead = most;
    }

    /** A duty cycle of the site begins. Cycles in which the partition ran nothing tell nothing. */
    void cycle(long nowNs) {
        long count = 0;
        for (Partition partition : partitions) {
            count += partition.committed() + partition.aborted();
        }
        long ran = count - lastCount;
        if (ran > 0) {
            long sampleNs = Math.max(1, (nowNs - lastNs) / ran);
            averageNs += (Math.min(sampleNs, 4 * averageNs + 1_000) - averageNs) / WEIGHT;
            lookAhead = Math.clamp(targetNs / Math.max(1, averageNs), 1, most);
            lastCount = count;
        }
        lastNs = nowNs;
    }

    /** The number that may be stamped ahead. */
    int lookAhead() {
        return lookAhead;
    }
}
