package io.reprise.execution.durable.adaptive;

import io.reprise.footprint.FootprintBuffer;
import io.reprise.id.Buckets;
import io.reprise.runtime.metric.Counter;

/**
 * Chooses the form of each transaction's log record at a site: a data record if its benefit for a recovery is large enough, and the quota
 * has bytes left. Owned by the site's thread; {@link #counts} may be read by any.
 *
 * <p>The choice has two levels. The class alone rules most transactions out. The rows that a candidate wrote then decide: rows that are soon
 * written again are not worth a data record. One transaction of a class in {@value #EXPLORE_EVERY} is logged as data all the same, because
 * its size has to be known.
 */
public final class LoggingChooser {
    private static final int EXPLORE_EVERY = 4096;
    private static final double RANDOM_RANGE = 1L << 53;

    private final int site;
    private final AdaptiveSettings settings;
    private final LoggingAdvisor advisor;
    private final Budget budget;
    private final ClassCounts[] counts = new ClassCounts[TransactionClass.COUNT];
    private final Counter spent = new Counter();
    private final Counter wanted = new Counter();
    private final Counter denied = new Counter();
    private LoggingTables tables = LoggingTables.EMPTY;

    LoggingChooser(int site, AdaptiveSettings settings, LoggingAdvisor advisor) {
        this.site = site;
        this.settings = settings;
        this.advisor = advisor;
        budget = new Budget(settings.quota());
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new ClassCounts();
        }
    }

    /** Whether the transaction is logged as data without a look at its rows. */
    public boolean isDataAtOnce(int version, boolean distributed, long id) {
        if (!mayBeData(distributed)) {
            return false;
        }
        if (!isByCost()) {
            return (Buckets.mix(version, id) >>> 11) / RANDOM_RANGE < settings.randomShare();
        }
        ClassCounts of = counts[TransactionClass.of(version, distributed)];
        return (of.commands.get() + of.data.get()) % EXPLORE_EVERY == 0;
    }

    private boolean isByCost() {
        return settings.choice() == AdaptiveSettings.Choice.COST
                || settings.choice() == AdaptiveSettings.Choice.COST_DISTRIBUTED;
    }

    private boolean mayBeData(boolean distributed) {
        return distributed
                || settings.choice() == AdaptiveSettings.Choice.COST
                || settings.choice() == AdaptiveSettings.Choice.RANDOM;
    }

    /** Whether the rows of the transaction have to be looked at. */
    public boolean isCandidate(int version, boolean distributed) {
        tables = advisor.tables();
        return !tables.isEmpty()
                && isByCost()
                && mayBeData(distributed)
                && tables.benefit(TransactionClass.of(version, distributed), 0) > tables.threshold();
    }

    /** The sum of the frequencies of the rows that were written behind a mark; see {@link FootprintBuffer#mark}. */
    public double frequency(FootprintBuffer footprint, int mark) {
        double sum = 0;
        int table = -1;
        for (int i = mark; i < footprint.end(); i++) {
            long word = footprint.word(i);
            if (word < 0) {
                table = footprint.hasPartitionedRows(word) ? footprint.tableOf(word) : -1;
            } else if (table >= 0) {
                sum += tables.frequency(table, word);
            }
        }
        return sum;
    }

    /** Whether a candidate is logged as data. */
    public boolean isData(int version, boolean distributed, double frequency, long nowNs) {
        int transactionClass = TransactionClass.of(version, distributed);
        if (tables.benefit(transactionClass, frequency) <= tables.threshold()) {
            return false;
        }
        wanted.add((long) tables.bytes(transactionClass));
        if (!budget.isOpen(nowNs, tables.share(site))) {
            denied.add((long) tables.bytes(transactionClass));
            return false;
        }
        return true;
    }

    /** A transaction was logged, with so many bytes. */
    public void logged(int version, boolean distributed, boolean data, long bytes, long executionNs) {
        ClassCounts of = counts[TransactionClass.of(version, distributed)];
        of.executionNs.add(executionNs);
        if (data) {
            of.data.increment();
            of.dataBytes.add(bytes);
            long commands = of.commands.get();
            long more = commands == 0 ? bytes : Math.max(0, bytes - of.commandBytes.get() / commands);
            budget.take((double) more);
            spent.add(more);
        } else {
            of.commands.increment();
            of.commandBytes.add(bytes);
        }
    }

    ClassCounts counts(int transactionClass) {
        return counts[transactionClass];
    }

    /** Any thread: the bytes that data records have added. */
    public long spent() {
        return spent.get();
    }

    long wanted() {
        return wanted.get();
    }

    long denied() {
        return denied.get();
    }
}
