package io.reprise.benchmark.durable;

import java.util.List;

/**
 * A sum of terms, each a feature times a coefficient, fitted by least squares.
 *
 * @param coefficients in the order of the features
 */
record LinearModel(double... coefficients) {
    /** Below it, features are so nearly proportional that no coefficients can be told. */
    private static final double SINGULAR = 1e-9;

    /**
     * Fits the coefficients.
     *
     * @param features of each point as many as there are coefficients
     * @param values of the points
     */
    static LinearModel fit(List<double[]> features, List<Double> values) {
        int terms = features.getFirst().length;
        double[] scales = scales(features, terms);
        double[][] equations = new double[terms][terms + 1];
        for (int point = 0; point < features.size(); point++) {
            for (int i = 0; i < terms; i++) {
                double x = features.get(point)[i] / scales[i];
                for (int j = 0; j < terms; j++) {
                    equations[i][j] += x * features.get(point)[j] / scales[j];
                }
                equations[i][terms] += x * values.get(point);
            }
        }
        solve(equations);
        double[] coefficients = new double[terms];
        for (int i = 0; i < terms; i++) {
            coefficients[i] = equations[i][terms] / scales[i];
        }
        return new LinearModel(coefficients);
    }

    /** The largest of each feature, so that all have the same weight in the elimination. */
    private static double[] scales(List<double[]> features, int terms) {
        double[] scales = new double[terms];
        for (double[] each : features) {
            for (int i = 0; i < terms; i++) {
                scales[i] = Math.max(scales[i], Math.abs(each[i]));
            }
        }
        for (int i = 0; i < terms; i++) {
            scales[i] = scales[i] == 0 ? 1 : scales[i];
        }
        return scales;
    }

    /** Gauss-Jordan elimination with the largest pivot. */
    private static void solve(double[][] equations) {
        int terms = equations.length;
        for (int column = 0; column < terms; column++) {
            int pivot = column;
            for (int row = column + 1; row < terms; row++) {
                if (Math.abs(equations[row][column]) > Math.abs(equations[pivot][column])) {
                    pivot = row;
                }
            }
            double[] swapped = equations[column];
            equations[column] = equations[pivot];
            equations[pivot] = swapped;
            if (Math.abs(equations[column][column]) < SINGULAR) {
                throw new IllegalArgumentException("the points can't tell feature " + column + " from the others");
            }
            for (int row = 0; row < terms; row++) {
                if (row != column) {
                    subtract(equations[row], equations[column], equations[row][column] / equations[column][column]);
                }
            }
        }
        for (int row = 0; row < terms; row++) {
            equations[row][terms] /= equations[row][row];
        }
    }

    private static void subtract(double[] from, double[] other, double times) {
        for (int i = 0; i < from.length; i++) {
            from[i] -= times * other[i];
        }
    }

    double predict(double... features) {
        double sum = 0;
        for (int i = 0; i < features.length; i++) {
            sum += coefficients[i] * features[i];
        }
        return sum;
    }

    /** The share of the variance that the model explains. */
    double explained(List<double[]> features, List<Double> values) {
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        double left = 0;
        double all = 0;
        for (int i = 0; i < values.size(); i++) {
            double error = values.get(i) - predict(features.get(i));
            left += error * error;
            all += (values.get(i) - mean) * (values.get(i) - mean);
        }
        return 1 - left / all;
    }
}
