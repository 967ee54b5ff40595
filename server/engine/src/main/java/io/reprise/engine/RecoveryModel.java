package io.reprise.engine;

import java.util.Arrays;
import java.util.List;

/**
 * The expected time of a part of a recovery as a linear function of its work. The constants are learnt from measured recoveries by recursive least
 * squares: errors count relative to the time, and older recoveries fade. Before the first one the constants are those of a usual machine.
 * Immutable.
 */
final class RecoveryModel {
    /** The parts of recoveries that have models of their own. */
    enum Part {
        /** A recovery that loads and replays everything before it opens. */
        WHOLE(0.05, 0.02, 0.4, 4, 0.6, 1, 1),
        /** The opening of one that loads on demand: replicated tables, runs, and the scan of the log behind them. */
        FIRST(0.05, 0.02, 0.4, 0.5, 0.5, 0.5, 1),
        /** The loading of one bucket, and of those in its closure. */
        BUCKET(0.002, 0.002, 1, 6, 2, 1, 0.5),
        /** The loading of all buckets while calls run. */
        ALL(0.05, 0.02, 1, 6, 2, 1, 1);

        private final double leastSeconds;
        private final double[] usual;

        /** Shorter times are mostly noise. Seconds: a fixed part, a million rows, commands and data records, a gigabyte of log, a thousand runs. */
        Part(double leastSeconds, double... usual) {
            this.leastSeconds = leastSeconds;
            this.usual = usual;
        }
    }

    /** Measured work. */
    record Sample(RecoveryWork work, long tookNs) {}

    static final int TERMS = 6;
    private static final double THOUSAND = 1e3;
    private static final double MILLION = 1e6;
    private static final double GIGABYTE = 1e9;
    private static final double NS = 1e9;

    /** The relative error of a measurement. */
    private static final double NOISE = 0.1;

    /** The share of the first uncertainty that comes back with each recovery. */
    private static final double FADING = 0.02;

    private final Part part;
    private final double[] seconds;
    private final double[][] covariance;
    private final long measured;

    /** The constants of a usual machine. */
    RecoveryModel(Part part) {
        this(part, part.usual.clone(), new double[TERMS][TERMS], 0);
        for (int i = 0; i < TERMS; i++) {
            covariance[i][i] = variance(i);
        }
    }

    private RecoveryModel(Part part, double[] seconds, double[][] covariance, long measured) {
        this.part = part;
        this.seconds = seconds;
        this.covariance = covariance;
        this.measured = measured;
    }

    private static double[] terms(RecoveryWork work) {
        return new double[] {
            1,
            work.rows() / MILLION,
            work.commands() / MILLION,
            work.dataRecords() / MILLION,
            work.logBytes() / GIGABYTE,
            work.runs() / THOUSAND
        };
    }

    private double variance(int term) {
        return 4 * part.usual[term] * part.usual[term];
    }

    /** The expected time. */
    long expectedNs(RecoveryWork work) {
        return (long) (NS * Math.max(0, dot(seconds, terms(work))));
    }

    /** The number of recoveries that it has learnt from. */
    long measured() {
        return measured;
    }

    /** The same, with what a recovery has shown. */
    RecoveryModel learn(List<Sample> samples) {
        double[] learnt = seconds.clone();
        double[][] uncertain = new double[TERMS][];
        for (int i = 0; i < TERMS; i++) {
            uncertain[i] = covariance[i].clone();
            uncertain[i][i] = Math.min(variance(i), uncertain[i][i] + FADING * variance(i));
        }
        samples.forEach(sample -> learn(sample, learnt, uncertain));
        return new RecoveryModel(part, learnt, uncertain, measured + 1);
    }

    private void learn(Sample sample, double[] learnt, double[][] uncertain) {
        double[] terms = terms(sample.work());
        double took = sample.tookNs() / NS;
        double noise = NOISE * Math.max(part.leastSeconds, took);
        double[] gain = new double[TERMS];
        for (int i = 0; i < TERMS; i++) {
            gain[i] = dot(uncertain[i], terms);
        }
        double spread = dot(gain, terms) + noise * noise;
        double error = took - dot(learnt, terms);
        double[] before = gain.clone();
        for (int i = 0; i < TERMS; i++) {
            gain[i] /= spread;
            learnt[i] = Math.max(0, learnt[i] + gain[i] * error);
        }
        for (int i = 0; i < TERMS; i++) {
            for (int j = 0; j < TERMS; j++) {
                uncertain[i][j] -= gain[i] * before[j];
            }
        }
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /** The time to store a data record again without its bytes, in nanoseconds. */
    double recordNs() {
        return seconds[3] * NS / MILLION;
    }

    /** The time for each byte of log, in nanoseconds. */
    double byteNs() {
        return seconds[4] * NS / GIGABYTE;
    }

    /** All that it knows, as numbers. */
    double[] encode() {
        double[] numbers = new double[1 + TERMS + TERMS * TERMS];
        numbers[0] = measured;
        System.arraycopy(seconds, 0, numbers, 1, TERMS);
        for (int i = 0; i < TERMS; i++) {
            System.arraycopy(covariance[i], 0, numbers, 1 + TERMS + i * TERMS, TERMS);
        }
        return numbers;
    }

    /** Knows what {@link #encode} gave; a model of a usual machine if the numbers make no sense. */
    static RecoveryModel decode(Part part, double... numbers) {
        if (numbers.length != 1 + TERMS + TERMS * TERMS
                || !Arrays.stream(numbers).allMatch(Double::isFinite)
                || Arrays.stream(numbers, 0, 1 + TERMS).anyMatch(number -> number < 0)) {
            return new RecoveryModel(part);
        }
        double[][] covariance = new double[TERMS][];
        for (int i = 0; i < TERMS; i++) {
            int at = 1 + TERMS + i * TERMS;
            covariance[i] = Arrays.copyOfRange(numbers, at, at + TERMS);
        }
        return new RecoveryModel(part, Arrays.copyOfRange(numbers, 1, 1 + TERMS), covariance, (long) numbers[0]);
    }
}
