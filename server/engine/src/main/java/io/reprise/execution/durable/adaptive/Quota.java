package io.reprise.execution.durable.adaptive;

/**
 * The bytes that data records may add to the log, as a function of time. The budget of a period is spread evenly, or by the distribution of
 * the time of a failure.
 *
 * @param bytesPerSecond the budget, on average over a period
 * @param schedule the spread over a period
 * @param periodSeconds the length of a period
 * @param meanSeconds the expected time of a failure, within a period
 */
public record Quota(double bytesPerSecond, Schedule schedule, double periodSeconds, double meanSeconds) {
    /** The spread of a budget over a period. */
    public enum Schedule {
        /** The same at any time. */
        EVEN,
        /** Most at the beginning, by an exponential distribution. */
        EXPONENTIAL,
        /** Most around the mean, by a Poisson distribution: the paper's. */
        POISSON
    }

    /** An even quota. */
    public static Quota even(double bytesPerSecond) {
        return new Quota(bytesPerSecond, Schedule.EVEN, 180, 90);
    }

    /** The bytes that may have been added after so many seconds. */
    public double bytes(double seconds) {
        double budget = bytesPerSecond * periodSeconds;
        double periods = Math.floor(seconds / periodSeconds);
        double within = seconds - periods * periodSeconds;
        return budget
                * (periods
                        + switch (schedule) {
                            case EVEN -> within / periodSeconds;
                            case EXPONENTIAL ->
                                (1 - Math.exp(-within / meanSeconds)) / (1 - Math.exp(-periodSeconds / meanSeconds));
                            case POISSON -> poisson(within);
                        });
    }

    /** The probability that a failure comes within so many seconds. Sums logarithms, because the factors overflow. */
    private double poisson(double seconds) {
        double logarithm = -meanSeconds;
        double sum = Math.exp(logarithm);
        for (int i = 1; i <= (int) seconds; i++) {
            logarithm += Math.log(meanSeconds / i);
            sum += Math.exp(logarithm);
        }
        return Math.min(1, sum);
    }
}
