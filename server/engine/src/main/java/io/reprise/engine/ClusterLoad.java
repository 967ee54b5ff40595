package io.reprise.engine;

import java.util.List;

/**
 * The load of a cluster's buckets over nodes.
 *
 * @param nodes the nodes whose load is known, in order
 * @param buckets by bucket, about how many transactions of the last seconds it had at these nodes
 */
public record ClusterLoad(List<Integer> nodes, long[] buckets) {}
