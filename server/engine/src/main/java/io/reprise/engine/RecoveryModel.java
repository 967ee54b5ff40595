package io.reprise.engine;

import java.util.Arrays;

/**
 * The expected time of a recovery as a linear function of its work. The constants are learnt from measured recoveries by recursive least
 * squares: errors count relative to the time, and older recoveries fade. Before the first one the constants are those of a usual machine.
 * Confined to one thread.
 */
final class RecoveryModel {
    /** A fixed part, a million rows, a million commands, a million data records, a gigabyte of log: seconds. */
    private static final double[] USUAL = {0.02, 0.4, 4, 0.6, 1};

    private static final int TERMS = 5;
    private static final double MILLION = 1e6;
    private static final double GIGABYTE = 1e9;
    private static final double NS = 1e9;

    /** The relative error of a measurement. */
    private static final double NOISE = 0.1;

    /** Shorter recoveries are mostly noise. */
    private static final double LEAST_SECONDS = 0.05;

    /** The share of the first uncertainty that comes back with each recovery. */
    private static final double FADING = 0.02;

    private final double[] seconds;
    private final double[][] covariance;
    private long measured;

    /**
     * The work of a recovery.
     *
     * @param rows of the snapshot
     * @param commands to run again
     * @param dataRecords to store again
     * @param logBytes of log that are read
     */
    record Work(long rows, long commands, long dataRecords, long logBytes) {
        private double[] terms() {
            return new double[] {
                1, rows / MILLION, commands / MILLION, dataRecords / MILLION, logBytes / GIGABYTE,
            };
        }
    }

    /** The constants of a usual machine. */
    RecoveryModel() {
        seconds = USUAL.clone();
        covariance = new double[TERMS][TERMS];
        for (int i = 0; i < TERMS; i++) {
            covariance[i][i] = variance(i);
        }
    }

    private static double variance(int term) {
        return 4 * USUAL[term] * USUAL[term];
    }

    /** The expected time. */
    long expectedNs(Work work) {
        return (long) (NS * Math.max(0, dot(seconds, work.terms())));
    }

    /** The number of recoveries that it has learnt from. */
    long measured() {
        return measured;
    }

    /** Learns from a recovery. */
    void learn(Work work, long tookNs) {
        double[] terms = work.terms();
        double took = tookNs / NS;
        double noise = NOISE * Math.max(LEAST_SECONDS, took);
        for (int i = 0; i < TERMS; i++) {
            covariance[i][i] = Math.min(variance(i), covariance[i][i] + FADING * variance(i));
        }
        double[] gain = new double[TERMS];
        for (int i = 0; i < TERMS; i++) {
            gain[i] = dot(covariance[i], terms);
        }
        double spread = dot(gain, terms) + noise * noise;
        double error = took - dot(seconds, terms);
        double[] before = gain.clone();
        for (int i = 0; i < TERMS; i++) {
            gain[i] /= spread;
            seconds[i] = Math.max(0, seconds[i] + gain[i] * error);
        }
        for (int i = 0; i < TERMS; i++) {
            for (int j = 0; j < TERMS; j++) {
                covariance[i][j] -= gain[i] * before[j];
            }
        }
        measured++;
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
    static RecoveryModel decode(double... numbers) {
        RecoveryModel model = new RecoveryModel();
        if (numbers.length != 1 + TERMS + TERMS * TERMS
                || !Arrays.stream(numbers).allMatch(Double::isFinite)
                || Arrays.stream(numbers, 0, 1 + TERMS).anyMatch(number -> number < 0)) {
            return model;
        }
        model.measured = (long) numbers[0];
        System.arraycopy(numbers, 1, model.seconds, 0, TERMS);
        for (int i = 0; i < TERMS; i++) {
            System.arraycopy(numbers, 1 + TERMS + i * TERMS, model.covariance[i], 0, TERMS);
        }
        return model;
    }
}
