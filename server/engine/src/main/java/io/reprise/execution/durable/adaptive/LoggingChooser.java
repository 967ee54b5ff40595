package io.reprise.execution.durable.adaptive;

import io.reprise.footprint.FootprintBuffer;
import io.reprise.footprint.FootprintChunk;
import io.reprise.id.Buckets;
import io.reprise.runtime.metric.Counter;
import java.util.function.DoubleSupplier;

/**
 * Chooses the form of each transaction's log record at a site: a data record or a boundary record if its benefit for a recovery is large
 * enough, and the quota has bytes left. Owned by the site's thread; {@link #counts} may be read by any.
 *
 * <p>The choice has two levels. The class alone rules most transactions out. The rows that a candidate wrote then decide: rows that are soon
 * written again are not worth a data record. One transaction of a class in {@value #EXPLORE_EVERY} is logged in each other form all the same,
 * because its size has to be known.
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
    private double frequency;
    private final FootprintChunk.Visitor adding =
            (table, row, reads, writes) -> frequency += tables.frequency(table, row);

    LoggingChooser(int site, AdaptiveSettings settings, LoggingAdvisor advisor) {
        this.site = site;
        this.settings = settings;
        this.advisor = advisor;
        budget = new Budget(settings.quota());
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new ClassCounts();
        }
    }

    /**
     * The form that is chosen without a look at the rows; null if they decide, see {@link #isCandidate}.
     *
     * @param cuts whether a boundary record is possible
     */
    public LoggedForm atOnce(int version, boolean distributed, boolean cuts, long id) {
        if (!mayBeData(distributed)) {
            return LoggedForm.COMMAND;
        }
        if (!isByCost()) {
            return byChance(Buckets.mix(version, id), cuts);
        }
        long before = counts[TransactionClass.of(version, distributed)].records() % EXPLORE_EVERY;
        if (before == 0) {
            return LoggedForm.DATA;
        }
        return before == 1 && mayCut(cuts) ? LoggedForm.BOUNDARY : null;
    }

    /** The experiments' rules have the paper's two forms only. */
    private boolean mayCut(boolean cuts) {
        return cuts
                && (settings.choice() == AdaptiveSettings.Choice.COST
                        || settings.choice() == AdaptiveSettings.Choice.RANDOM);
    }

    private LoggedForm byChance(long drawn, boolean cuts) {
        if (!isDrawn(drawn)) {
            return LoggedForm.COMMAND;
        }
        boolean half = (drawn & 1) == 0;
        return half && mayCut(cuts) ? LoggedForm.BOUNDARY : LoggedForm.DATA;
    }

    private boolean isDrawn(long drawn) {
        return (drawn >>> 11) / RANDOM_RANGE < settings.randomShare();
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

    /** Whether the rows of the transaction have to be looked at; otherwise it is a command. */
    public boolean isCandidate(int version, boolean distributed, boolean cuts) {
        tables = advisor.tables();
        return !tables.isEmpty()
                && tables.best(TransactionClass.of(version, distributed), mayCut(cuts), 0, 0) != LoggedForm.COMMAND;
    }

    /** The sum of the frequencies of the rows that were written behind a mark; see {@link FootprintBuffer#mark}. */
    public double frequency(FootprintBuffer footprint, int mark) {
        frequency = 0;
        if (!tables.isEmpty()) {
            footprint.visit(mark, adding);
        }
        return frequency;
    }

    /**
     * The form of a candidate.
     *
     * @param frequency of the rows that it wrote
     * @param frequencyElsewhere of those among them that are not at home
     */
    public LoggedForm choose(
            int version, boolean distributed, boolean cuts, double frequency, double frequencyElsewhere, long nowNs) {
        int transactionClass = TransactionClass.of(version, distributed);
        LoggedForm form = tables.best(transactionClass, mayCut(cuts), frequency, frequencyElsewhere);
        if (form == LoggedForm.COMMAND) {
            return form;
        }
        long bytes = (long) tables.costs(transactionClass).bytes(form);
        return isGranted(bytes, nowNs) ? form : LoggedForm.COMMAND;
    }

    private boolean isGranted(long bytes, long nowNs) {
        wanted.add(bytes);
        boolean open = budget.isOpen(nowNs, tables.share(site));
        denied.add(open ? 0 : bytes);
        return open;
    }

    /**
     * Whether the rows of a part at home are logged, of a transaction over nodes. Otherwise its calls are, with the answers that they got from elsewhere. The
     * sizes of both forms are known, and no other node's records depend on the choice.
     *
     * @param frequencyOf asked for the frequency of the rows that the part wrote, if the choice depends on it
     */
    public boolean prefersRows(
            int version, long id, long callBytes, long rowBytes, DoubleSupplier frequencyOf, long nowNs) {
        long more = rowBytes - callBytes;
        if (more <= 0) {
            return true;
        }
        if (!isByCost()) {
            return isDrawn(Buckets.mix(version, id));
        }
        tables = advisor.tables();
        if (tables.isEmpty()) {
            return false;
        }
        double moreBytes = more;
        double benefit = tables.rowsBenefit(
                TransactionClass.of(version, true),
                frequencyOf.getAsDouble(),
                advisor.rowsNs((double) rowBytes),
                moreBytes);
        return CostModel.surplus(benefit, tables.threshold(), moreBytes) > 0 && isGranted(more, nowNs);
    }

    /**
     * The part at home of a transaction over nodes was logged.
     *
     * @param more the bytes that it takes more than calls with their answers would
     */
    public void loggedPart(int version, boolean rows, long bytes, long more, long executionNs) {
        ClassCounts of = counts[TransactionClass.of(version, true)];
        of.executionNs.add(executionNs);
        (rows ? of.data : of.boundaries).increment();
        (rows ? of.dataBytes : of.boundaryBytes).add(bytes);
        if (rows) {
            spend(more);
        }
    }

    /** A transaction was logged, with so many bytes. */
    public void logged(int version, boolean distributed, LoggedForm form, long bytes, long executionNs) {
        ClassCounts of = counts[TransactionClass.of(version, distributed)];
        of.executionNs.add(executionNs);
        switch (form) {
            case COMMAND -> {
                of.commands.increment();
                of.commandBytes.add(bytes);
            }
            case DATA -> {
                of.data.increment();
                of.dataBytes.add(bytes);
                spend(of, bytes);
            }
            case BOUNDARY -> {
                of.boundaries.increment();
                of.boundaryBytes.add(bytes);
                spend(of, bytes);
            }
        }
    }

    private void spend(ClassCounts of, long bytes) {
        long commands = of.commands.get();
        spend(commands == 0 ? bytes : Math.max(0, bytes - of.commandBytes.get() / commands));
    }

    private void spend(long more) {
        budget.take((double) more);
        spent.add(more);
    }

    ClassCounts counts(int transactionClass) {
        return counts[transactionClass];
    }

    /** Any thread: the bytes that data records and boundary records have added. */
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
