package io.reprise.engine;

import io.reprise.recovery.run.LogRun;
import io.reprise.snapshot.file.TableContents;
import java.util.List;

/**
 * The records of runs that a recovery would take behind a snapshot. A run within which the snapshot lies counts by its bytes. Immutable.
 *
 * @param count the number of runs
 * @param commands to run again
 * @param data records to apply
 * @param loggedCommands commands of the log that they were made of
 * @param loggedData data records of that
 * @param shared records of several buckets or of none
 * @param byBucket records of each bucket alone
 * @param single the sum of these
 * @param end the position up to which they go
 */
record RunsBehind(
        int count,
        double commands,
        double data,
        double loggedCommands,
        double loggedData,
        double shared,
        double[] byBucket,
        double single,
        long end) {
    /**
     * Adds runs up.
     *
     * @param chain runs in log order
     * @param position of the snapshot in the log
     * @param dataOnly whether the first one with commands ends them
     */
    static RunsBehind of(List<LogRun> chain, long position, boolean dataOnly, int buckets) {
        Sum sum = new Sum(position, buckets);
        for (LogRun run : chain) {
            if (run.end() <= sum.end) {
                continue;
            }
            if (run.begin() > sum.end || run.unfit() >= sum.end || dataOnly && !run.isData()) {
                break;
            }
            sum.add(run);
        }
        return new RunsBehind(
                sum.count,
                sum.commands,
                sum.data,
                sum.loggedCommands,
                sum.loggedData,
                sum.shared,
                sum.byBucket,
                sum.single,
                sum.end);
    }

    /** The same with another run behind them. Its records are shared by buckets as often as the others. */
    RunsBehind withOne(double moreCommands, double moreData) {
        double records = commands + data;
        double sharedOfOne = records == 0 ? 0 : shared / records * (moreCommands + moreData);
        return new RunsBehind(
                count + 1,
                commands + moreCommands,
                data + moreData,
                loggedCommands,
                loggedData,
                shared + sharedOfOne,
                byBucket,
                single,
                end);
    }

    /** A bucket's share of the records. */
    double share(int bucket) {
        return single == 0 ? 1.0 / byBucket.length : byBucket[bucket] / single;
    }

    /** The sum so far. */
    private static final class Sum {
        private final double[] byBucket;
        private int count;
        private double commands;
        private double data;
        private double loggedCommands;
        private double loggedData;
        private double shared;
        private double single;
        private long end;

        Sum(long position, int buckets) {
            end = position;
            byBucket = new double[buckets];
        }

        void add(LogRun run) {
            double share = (double) (run.end() - Math.max(run.begin(), end)) / (run.end() - run.begin());
            count++;
            commands += share * run.commands();
            data += share * (run.records() - run.commands());
            loggedCommands += share * (run.commands() + run.images());
            loggedData += share * (run.records() - run.commands() - run.images());
            for (TableContents table : run.manifest().tables()) {
                if (table.replicated()) {
                    shared += share * table.totalRows();
                    continue;
                }
                single += share * table.totalRows();
                for (int bucket = 0; bucket < byBucket.length; bucket++) {
                    byBucket[bucket] += share * table.rows(bucket);
                }
            }
            end = run.end();
        }
    }
}
