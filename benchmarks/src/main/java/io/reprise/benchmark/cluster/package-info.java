/**
 * Benchmarks of clusters: ZooKeeper and nodes run as processes on this machine, and clients in this process drive them.
 * Processor time is that of all these processes. Begin with {@link io.reprise.benchmark.cluster.ClusterBenchmarks}.
 */
package io.reprise.benchmark.cluster;
