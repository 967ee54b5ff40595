package io.reprise.execution.durable.adaptive;

import io.reprise.footprint.FootprintChunk;
import io.reprise.runtime.agent.PublishedLong;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the footprints of a node and advises its choosers: it keeps the frequencies of writes to rows and the chains of commands behind
 * them, and publishes {@link LoggingTables} ten times a second. Owned by the footprint agent.
 *
 * <p>The threshold is a part of the best benefit. This part rises while the quota denies data records, and falls while it is not used up.
 */
public final class LoggingAdvisor {
    private static final long RENEW_NS = 100_000_000;
    private static final long MINUTE_NS = 60_000_000_000L;
    private static final int SAMPLE = 1 << 18;
    private static final double NS = 1e9;
    private static final double FIRST_PART = 0.01;
    private static final double LEAST_PART = 1e-9;
    private static final double STEP = 1.25;
    private static final double WEIGHT = 1 / 64.0;

    private final AdaptiveSettings settings;
    private final CostModel model;
    private final List<LoggingChooser> choosers = new ArrayList<>();
    private final PublishedLong renewals = new PublishedLong();
    private final PublishedLong snapshots = new PublishedLong();
    private LoggingTables tables = LoggingTables.EMPTY;

    private final WriterSample sample = new WriterSample(SAMPLE);
    private final int[] writes = new int[LoggingTables.CELLS];
    private final double[] homeChainNs = new double[TransactionClass.COUNT];
    private final double[] otherChainNs = new double[TransactionClass.COUNT];
    private final double[] commandNs = new double[TransactionClass.COUNT];
    private final double[] dataNs = new double[TransactionClass.COUNT];
    private final FootprintChunk.Visitor visitor = this::visit;
    private long[] written = new long[64];
    private int writtenCount;
    private double readChain;
    private long observed;
    private long writesObserved;
    private long snapshotsKnown;
    private long renewedNs = Long.MIN_VALUE;
    private long fadedNs;
    private long wantedBefore;
    private long deniedBefore;
    private long loggedBefore;
    private double part = FIRST_PART;

    /** An advisor with the node's costs. */
    public LoggingAdvisor(AdaptiveSettings settings, CostModel model) {
        this.settings = settings;
        this.model = model;
    }

    /** Adds the chooser of the next site; before any transaction runs. */
    public LoggingChooser chooser() {
        LoggingChooser chooser = new LoggingChooser(choosers.size(), settings, this);
        choosers.add(chooser);
        return chooser;
    }

    /** Any thread: the tables published last. */
    LoggingTables tables() {
        return renewals.get() == 0 ? LoggingTables.EMPTY : tables;
    }

    /** Any thread: the replay time of a record of rows with so many bytes. */
    double rowsNs(double bytes) {
        return model.dataNs(bytes);
    }

    /** The log writer: a snapshot began, so that a recovery needs nothing before it. */
    public void snapshotBegan(long transactionId) {
        snapshots.set(transactionId);
    }

    /** Takes a chunk of footprints into account. */
    public void observe(FootprintChunk chunk) {
        if (snapshots.get() != snapshotsKnown) {
            snapshotsKnown = snapshots.get();
            sample.clear();
        }
        while (chunk.nextTransaction()) {
            readChain = 0;
            writtenCount = 0;
            chunk.visit(visitor);
            account(
                    TransactionClass.of(chunk.version(), chunk.isDistributed()),
                    chunk.isElsewhere() ? otherChainNs : homeChainNs,
                    chunk.isData());
        }
    }

    private void visit(int table, long row, long reads, long writesPieces) {
        long hash = LoggingTables.hash(table, row);
        long key = WriterSample.key(hash);
        boolean sampled = sample.isSampled(key);
        if (sampled && reads != 0) {
            readChain = Math.max(readChain, sample.chain(key));
        }
        if (writesPieces != 0) {
            writes[LoggingTables.cell(hash)]++;
            writesObserved++;
            if (sampled) {
                if (writtenCount == written.length) {
                    written = Arrays.copyOf(written, 2 * writtenCount);
                }
                written[writtenCount++] = key;
            }
        }
    }

    private void account(int transactionClass, double[] chainNs, boolean data) {
        observed++;
        chainNs[transactionClass] += (readChain - chainNs[transactionClass]) * WEIGHT;
        double chain = data ? dataNs[transactionClass] : commandNs[transactionClass] + readChain;
        for (int i = 0; i < writtenCount; i++) {
            sample.put(written[i], (float) chain);
        }
    }

    /** Renews the tables if it is time. */
    public int doWork(long nowNs) {
        if (renewedNs != Long.MIN_VALUE && nowNs - renewedNs < RENEW_NS) {
            return 0;
        }
        double seconds = renewedNs == Long.MIN_VALUE ? 1 : (nowNs - renewedNs) / NS;
        if (renewedNs == Long.MIN_VALUE) {
            fadedNs = nowNs;
        }
        renewedNs = nowNs;
        renew(seconds);
        if (nowNs - fadedNs >= MINUTE_NS) {
            fadedNs = nowNs;
            fade();
        }
        return 1;
    }

    /** The distribution moves: accesses before the last minute count half. */
    private void fade() {
        for (int i = 0; i < writes.length; i++) {
            writes[i] >>>= 1;
        }
        observed >>>= 1;
        writesObserved >>>= 1;
    }

    private void renew(double seconds) {
        LoggingTables.Costs[] costs = new LoggingTables.Costs[TransactionClass.COUNT];
        double allNs = 0;
        double allDataBytes = 0;
        long all = 0;
        long allData = 0;
        for (int i = 0; i < TransactionClass.COUNT; i++) {
            Sums of = new Sums(i);
            commandNs[i] = model.commandNs(of.averageNs());
            dataNs[i] = model.dataNs(of.averageDataBytes());
            costs[i] = new LoggingTables.Costs(
                    homeChainNs[i],
                    otherChainNs[i],
                    dataNs[i],
                    of.added(of.data, of.averageDataBytes()),
                    model.dataNs(Math.max(0, of.averageBoundaryBytes() - of.averageCommandBytes())),
                    of.added(of.boundaries, of.averageBoundaryBytes()));
            allNs += of.executionNs;
            allDataBytes += of.dataBytes;
            all += of.records();
            allData += of.data;
        }
        double averageCommandNs = model.commandNs(all == 0 ? 0 : allNs / all);
        double averageBytes = allData == 0 ? 1 : allDataBytes / allData;
        float[] frequencies = new float[LoggingTables.CELLS];
        for (int i = 0; i < frequencies.length; i++) {
            frequencies[i] = observed == 0 ? 0 : (float) writes[i] / observed;
        }
        double transactions = (all - loggedBefore) / seconds * settings.quota().meanSeconds();
        loggedBefore = all;
        double best = CostModel.bestBenefit(
                transactions,
                averageCommandNs,
                observed == 0 ? 0 : (double) writesObserved / observed,
                model.dataNs(averageBytes),
                averageBytes);
        double[] shares = shares();
        tables = new LoggingTables(costs, frequencies, averageCommandNs, Math.max(0, part * best), shares);
        renewals.set(renewals.get() + 1);
    }

    /** The sites' shares of the quota, by the bytes that they wanted; and the part of the best benefit that keeps it. */
    private double[] shares() {
        double[] shares = new double[choosers.size()];
        long wanted = 0;
        long denied = 0;
        for (int i = 0; i < shares.length; i++) {
            wanted += choosers.get(i).wanted();
            denied += choosers.get(i).denied();
        }
        for (int i = 0; i < shares.length; i++) {
            shares[i] = (1.0 + choosers.get(i).wanted()) / (shares.length + wanted);
        }
        if (denied > deniedBefore && 10 * (denied - deniedBefore) > wanted - wantedBefore) {
            part = Math.min(1, part * STEP);
        } else if (denied == deniedBefore) {
            part = Math.max(LEAST_PART, part / STEP);
        }
        wantedBefore = wanted;
        deniedBefore = denied;
        return shares;
    }

    /** A class's counts over all sites. */
    private final class Sums {
        private long commands;
        private long commandBytes;
        private long data;
        private long dataBytes;
        private long boundaries;
        private long boundaryBytes;
        private long executionNs;

        Sums(int transactionClass) {
            for (LoggingChooser chooser : choosers) {
                ClassCounts of = chooser.counts(transactionClass);
                commands += of.commands.get();
                commandBytes += of.commandBytes.get();
                data += of.data.get();
                dataBytes += of.dataBytes.get();
                boundaries += of.boundaries.get();
                boundaryBytes += of.boundaryBytes.get();
                executionNs += of.executionNs.get();
            }
        }

        long records() {
            return commands + data + boundaries;
        }

        double averageNs() {
            return records() == 0 ? 0 : (double) executionNs / records();
        }

        double averageBoundaryBytes() {
            return boundaries == 0 ? 0 : (double) boundaryBytes / boundaries;
        }

        /** The bytes that a form adds to a command. Nothing is known of its size before its first record. */
        double added(long counted, double averageBytes) {
            return counted == 0 ? LoggingTables.Costs.UNKNOWN : Math.max(1, averageBytes - averageCommandBytes());
        }

        /** The benefit of rows instead of calls over nodes with their answers, which leave no commands. */
        double rowsBenefit(LoggingTables by, int transactionClass) {
            double more = Math.max(1, averageDataBytes() - averageBoundaryBytes());
            return by.rowsBenefit(transactionClass, 0, rowsNs(averageDataBytes()), more);
        }

        double averageDataBytes() {
            return data == 0 ? 0 : (double) dataBytes / data;
        }

        double averageCommandBytes() {
            return commands == 0 ? 0 : (double) commandBytes / commands;
        }
    }

    /** Any thread: the costs and counts of a procedure's version, of transactions with one partition or with several. */
    public LoggingStats stats(int version, boolean distributed) {
        int transactionClass = TransactionClass.of(version, distributed);
        Sums of = new Sums(transactionClass);
        LoggingTables now = tables();
        boolean known = !now.isEmpty() && of.data > 0;
        boolean overNodes = distributed && of.commands == 0 && of.boundaries > 0;
        boolean cuts = !now.isEmpty() && of.boundaries > 0 && !overNodes;
        return new LoggingStats(
                of.commands,
                of.data,
                of.boundaries,
                of.averageCommandBytes(),
                of.averageDataBytes(),
                of.averageBoundaryBytes(),
                model.commandNs(of.averageNs()),
                known ? now.costs(transactionClass).chainNs() : 0,
                known ? overNodes ? of.rowsBenefit(now, transactionClass) : now.dataBenefit(transactionClass, 0) : 0,
                cuts ? now.boundaryBenefit(transactionClass, 0) : 0,
                now.threshold());
    }

    /** Any thread: the bytes that data records have added. */
    public long spent() {
        long spent = 0;
        for (LoggingChooser chooser : choosers) {
            spent += chooser.spent();
        }
        return spent;
    }
}
