/**
 * Benchmarks of the paper "Adaptive Logging": recovery by closures, the choice of records, and the paper's figures. Partitions of one process
 * stand for its sites. Read {@link io.reprise.benchmark.adaptive.LostSite} first.
 */
package io.reprise.benchmark.adaptive;
