/**
 * The benchmarks and their runner. A {@link io.reprise.benchmark.Benchmark} is one class that {@link
 * io.reprise.benchmark.BenchmarkRunner#all()} lists; {@code scripts/bench NAME} runs it in a JVM of its own, prints
 * one line of {@code key=value} pairs and, on a full run, writes {@code benchmarks/results/NAME.md}. Micro benchmarks
 * (JMH) are in {@code micro}.
 *
 * <p>Threads: the runner and a benchmark's {@code run} are on the main thread; a benchmark stops everything that it
 * starts. Read {@link io.reprise.benchmark.Benchmark} first, then {@link io.reprise.benchmark.MachineBenchmark} as
 * the example.
 */
package io.reprise.benchmark;
