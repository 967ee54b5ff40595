/**
 * Benchmarks of nodes as processes of their own: what somebody meets who starts one. Begin with {@link
 * io.reprise.benchmark.node.NodeBenchmarks}.
 */
package io.reprise.benchmark.node;
