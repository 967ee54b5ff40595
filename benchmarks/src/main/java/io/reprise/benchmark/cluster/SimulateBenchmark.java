package io.reprise.benchmark.cluster;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The speed of simulated clusters with faults. They are tests of the engine: {@code scripts/simulate} compiles and runs them. */
final class SimulateBenchmark implements Benchmark {
    private static final double NS_PER_SECOND = 1e9;
    private static final double SECONDS_PER_HOUR = 3600;

    @Override
    public String name() {
        return "simulate";
    }

    @Override
    public String description() {
        return "clusters of three to five engines with callers, an operator and faults, simulated on one thread";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("seeds_per_core_hour", "whole runs for an hour of processor time")
                        .atLeast(50_000),
                Key.of("simulated_s_per_s", "simulated seconds for a second of processor time")
                        .atLeast(300));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS, Option.WARM_UP);
    }

    @Override
    public Result run(Context context) throws IOException, InterruptedException {
        int seconds = context.option("seconds", context.quickOr(10, 20));
        int rounds = context.option("rounds", context.quickOr(1, 5));
        int warmUp = context.option("warmup", context.quickOr(20, 40));
        context.progress("Compiling the simulation, and running it ...");
        return result(
                output(List.of(
                        Path.of(System.getProperty("reprise.project", "."), "scripts", "simulate")
                                .toString(),
                        "--rate",
                        String.valueOf(warmUp),
                        String.valueOf(seconds),
                        String.valueOf(rounds))),
                rounds);
    }

    /** The rates that the program has printed. */
    private static Result result(String output, int rounds) {
        double[] seedsPerHour = new double[rounds];
        double[] simulated = new double[rounds];
        int round = 0;
        for (String line :
                output.lines().filter(each -> each.startsWith("rate ")).toList()) {
            String[] words = line.split(" ");
            double tookSeconds = Long.parseLong(words[2]) / NS_PER_SECOND;
            seedsPerHour[round] = Long.parseLong(words[1]) / tookSeconds * SECONDS_PER_HOUR;
            simulated[round++] = Long.parseLong(words[3]) / NS_PER_SECOND / tookSeconds;
        }
        return new Result()
                .put("seeds_per_core_hour", new Samples(seedsPerHour))
                .put("simulated_s_per_s", new Samples(simulated));
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(
                        command.getFirst() + " ended with code " + process.exitValue() + ":\n" + said);
            }
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
