/**
 * Benchmarks of nodes as processes of their own, as their operators meet them. Begin with {@link
 * io.reprise.benchmark.node.NodeBenchmarks}.
 */
package io.reprise.benchmark.node;
