/**
 * The membership service by Apache ZooKeeper. A cluster has these znodes below {@code /reprise/<cluster>}:
 *
 * <pre>
 *  config       {@link ClusterConfiguration}: what all nodes agree on; made once by the first node
 *  nodes/N      {@link Registration}: names and addresses of node N; stays
 *  live/N       the entry that node N announces; ephemeral, so it ends with the node's session
 *  map          the partition map; its znode version is the map's version
 *  operations   a folder for running operations
 * </pre>
 *
 * <p>{@link io.reprise.cluster.zookeeper.Coordination} opens the session and checks the configuration, before the engine
 * starts. {@link io.reprise.cluster.zookeeper.ZooKeeperMembership} then belongs to the node's coordination agent: callbacks
 * of ZooKeeper's threads only fill its queue, and {@code poll} takes them in. {@link
 * io.reprise.cluster.zookeeper.EmbeddedZooKeeper} is a server within a node or an arbiter.
 *
 * <p>Nothing here decides who leads. Safety rests on compare-and-set of the map alone; sessions matter to liveness.
 */
package io.reprise.cluster.zookeeper;
