package io.reprise.cluster.zookeeper;

import io.reprise.cluster.Levels;
import io.reprise.cluster.Membership.VersionedMap;
import io.reprise.cluster.PartitionMap;
import io.reprise.id.Buckets;
import io.reprise.id.DatabaseId;
import io.reprise.runtime.Secrets;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.data.Stat;

/**
 * A node's session with ZooKeeper before its engine starts: waits for contact, makes or checks the cluster's configuration,
 * and registers the node. Belongs to the thread that starts the node; {@link #membership} hands the session over.
 */
public final class Coordination implements AutoCloseable {
    private static final int LOOK_MS = 200;
    private static final byte[] NOTHING = {};

    private final CuratorFramework client;
    private final ZooKeeperSettings settings;
    private final String cluster;
    private final Znodes znodes;
    private final BooleanSupplier stopped;
    private boolean handedOver;

    private Coordination(ZooKeeperSettings settings, String cluster, BooleanSupplier stopped) {
        this.settings = settings;
        this.cluster = cluster;
        this.stopped = stopped;
        znodes = Znodes.of(cluster);
        client = ZooKeeperSession.begin(settings);
    }

    /**
     * Waits until there is contact.
     *
     * @param stopped whether the node was told to stop, which ends every wait
     */
    public static Coordination open(ZooKeeperSettings settings, String cluster, BooleanSupplier stopped) {
        Coordination opened = new Coordination(settings, cluster, stopped);
        try {
            opened.awaitContact();
            return opened;
        } catch (RuntimeException | Error failure) {
            opened.close();
            throw failure;
        }
    }

    /** The id of a new database. */
    private static DatabaseId newId(int buckets) {
        ByteBuffer random = ByteBuffer.wrap(Secrets.bytes(2 * Long.BYTES));
        return DatabaseId.of(random.getLong(), random.getLong(), new Buckets(buckets));
    }

    private void awaitContact() {
        try {
            while (!ZooKeeperSession.awaitContact(client, LOOK_MS)) {
                refuseWhenStopped();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for ZooKeeper at " + settings.servers(), e);
        }
        refuseWhenStopped();
    }

    private void refuseWhenStopped() {
        if (stopped.getAsBoolean()) {
            throw new IllegalStateException("the node was told to stop before it was ready");
        }
    }

    /**
     * The cluster's configuration, which the first node makes. A node with data of a cluster waits until ZooKeeper holds it.
     *
     * @param wish the settings of this node
     * @param knownId the id of the cluster that this node's data belong to; empty if they belong to none yet
     * @param waiting is told why the node waits
     */
    public ClusterConfiguration configuration(
            ClusterConfiguration wish, Optional<String> knownId, Consumer<String> waiting) {
        Optional<ClusterConfiguration> found = withContact(this::read);
        if (found.isEmpty()) {
            if (knownId.isPresent()) {
                found = awaitConfiguration(knownId.get(), waiting);
            } else {
                withContact(() -> create(wish.withId(newId(wish.buckets()).toString()), List.of()));
                found = withContact(this::read);
            }
        }
        ClusterConfiguration cluster = found.orElseThrow(() -> new IllegalStateException(
                "cluster '" + this.cluster + "' was removed from ZooKeeper while this node started; start it again"));
        if (knownId.isPresent() && !knownId.get().equals(cluster.id())) {
            throw new IllegalStateException("this node's data belong to another cluster named '" + this.cluster
                    + "', with id " + knownId.get() + "; ZooKeeper at " + settings.servers() + " holds the one with id "
                    + cluster.id() + ". Check cluster.zookeeper, or give the node another data directory");
        }
        cluster.contradiction(wish).ifPresent(why -> {
            throw new IllegalStateException(why);
        });
        return cluster;
    }

    private Optional<ClusterConfiguration> awaitConfiguration(String knownId, Consumer<String> waiting) {
        waiting.accept(
                "ZooKeeper at " + settings.servers() + " does not hold cluster '" + cluster + "' with id " + knownId
                        + ", to which this node's data belong; check cluster.zookeeper, or run \"reprise cluster recover\" if"
                        + " ZooKeeper has lost its data");
        Optional<ClusterConfiguration> found = Optional.empty();
        while (found.isEmpty()) {
            refuseWhenStopped();
            pause();
            found = withContact(this::read);
        }
        return found;
    }

    // ---- A lost map

    /**
     * Makes the cluster's znodes anew, with a map that stands for the lost one, unless that was done before. Refuses if ZooKeeper holds
     * the map, or another cluster of the name. Returns the version of the empty map, which {@link #endRecovery} replaces.
     */
    public int beginRecovery(ClusterConfiguration lost) {
        withContact(() -> create(lost, List.of(client.transactionOp().setData().forPath(znodes.map(), NOTHING))));
        ClusterConfiguration found = withContact(this::read)
                .orElseThrow(() -> new IllegalStateException(
                        "cluster '" + cluster + "' was removed from ZooKeeper meanwhile; run the command again"));
        if (!found.id().equals(lost.id())) {
            throw new IllegalStateException("ZooKeeper at " + settings.servers() + " holds another cluster named '"
                    + cluster + "', with id " + found.id() + " instead of " + lost.id()
                    + ": a node with an empty data directory has made it. Stop that node, delete " + znodes.root()
                    + " in ZooKeeper, then run the command again");
        }
        found.contradiction(lost).ifPresent(why -> {
            throw new IllegalStateException(why);
        });
        VersionedMap map = map();
        if (map.version() == 0 || map.content().length > 0) {
            throw new IllegalStateException("ZooKeeper at " + settings.servers() + " holds cluster '" + cluster
                    + "' and its map; there is nothing to recover");
        }
        return map.version();
    }

    /** The map as ZooKeeper holds it. */
    public VersionedMap map() {
        return withContact(() -> {
            Stat stat = new Stat();
            byte[] content = client.getData().storingStatIn(stat).forPath(znodes.map());
            return new VersionedMap(stat.getVersion(), content);
        });
    }

    /** The entries of the nodes that run. */
    public SortedMap<Integer, byte[]> live() {
        return withContact(() -> {
            SortedMap<Integer, byte[]> all = new TreeMap<>();
            for (String name : client.getChildren().forPath(znodes.live())) {
                OptionalInt number = Znodes.number(name);
                if (number.isPresent()) {
                    entry(number.getAsInt()).ifPresent(found -> all.put(number.getAsInt(), found));
                }
            }
            return all;
        });
    }

    private Optional<byte[]> entry(int node) throws Exception {
        try {
            return Optional.of(client.getData().forPath(znodes.live(node)));
        } catch (NoNodeException none) {
            return Optional.empty();
        }
    }

    /**
     * Puts a new map in the place of the lost one, and a record of the operation beside it. After a lost answer a repetition finds the map.
     * Refuses if another map was made meanwhile: nodes may serve by it.
     *
     * @param lostVersion the version that {@link #beginRecovery} returned
     * @param record the operation in words
     */
    public void endRecovery(int lostVersion, byte[] content, String record) {
        withContact(() -> {
            while (!isRecovered(lostVersion, content)) {
                try {
                    replaceLost(lostVersion, content, record);
                } catch (BadVersionException changed) {
                    // The next look tells whether this attempt or another recovery has changed the map.
                    continue;
                }
            }
            return content;
        });
    }

    private boolean isRecovered(int lostVersion, byte[] content) {
        VersionedMap found = map();
        if (Arrays.equals(found.content(), content)) {
            return true;
        }
        if (found.version() != lostVersion || found.content().length > 0) {
            throw new IllegalStateException("ZooKeeper at " + settings.servers() + " holds another map of cluster '"
                    + cluster + "', which was made since this recovery began; nothing was changed. Look at the nodes by"
                    + " \"reprise cluster status\"");
        }
        return false;
    }

    private void replaceLost(int lostVersion, byte[] content, String record) throws Exception {
        client.transaction()
                .forOperations(List.of(
                        client.transactionOp()
                                .setData()
                                .withVersion(lostVersion)
                                .forPath(znodes.map(), content),
                        client.transactionOp()
                                .create()
                                .withMode(CreateMode.PERSISTENT_SEQUENTIAL)
                                .forPath(znodes.operations() + "/recover-", record.getBytes(StandardCharsets.UTF_8))));
    }

    /** Refuses to start a node that does not speak the cluster's level. */
    public void requireLevel(Levels spoken) {
        PartitionMap.requireLevel(map().content(), spoken);
    }

    /**
     * Registers this node. A running node of the same number but another data directory is a mistake in a configuration; its
     * session is waited for once, because a killed node's session outlives it.
     */
    public void register(Registration own) {
        Optional<Registration> before = withContact(() -> registration(own.node()));
        if (before.isPresent() && !before.get().instance().equals(own.instance())) {
            awaitEndOf(before.get());
        }
        withContact(() -> {
            try {
                client.create().forPath(znodes.node(own.node()), own.encode());
            } catch (NodeExistsException exists) {
                client.setData().forPath(znodes.node(own.node()), own.encode());
            }
            return own;
        });
    }

    private void awaitEndOf(Registration other) {
        long looks = settings.sessionTimeout().toMillis() * 2 / LOOK_MS;
        for (long i = 0; i < looks; i++) {
            if (withContact(() -> client.checkExists().forPath(znodes.live(other.node()))) == null) {
                return;
            }
            refuseWhenStopped();
            pause();
        }
        throw new IllegalStateException("node " + other.node() + " of cluster '" + cluster
                + "' is running already, with another data directory, at " + other.peer()
                + "; give this node its own cluster.node, or stop the other one");
    }

    private static void pause() {
        LockSupport.parkNanos(LOOK_MS * 1_000_000L);
    }

    /** The registered nodes by number, running or not. */
    public SortedMap<Integer, Registration> registrations() {
        return withContact(() -> {
            SortedMap<Integer, Registration> all = new TreeMap<>();
            for (String name : client.getChildren().forPath(znodes.nodes())) {
                OptionalInt number = Znodes.number(name);
                if (number.isPresent()) {
                    registration(number.getAsInt()).ifPresent(found -> all.put(found.node(), found));
                }
            }
            return all;
        });
    }

    private Optional<Registration> registration(int node) throws Exception {
        try {
            return Optional.of(Registration.decode(node, client.getData().forPath(znodes.node(node))));
        } catch (NoNodeException none) {
            return Optional.empty();
        }
    }

    private Optional<ClusterConfiguration> read() throws Exception {
        try {
            return Optional.of(ClusterConfiguration.decode(client.getData().forPath(znodes.config())));
        } catch (NoNodeException none) {
            return Optional.empty();
        }
    }

    /** Makes all znodes of the cluster at once, and does more in the same step, unless another node has. */
    private Stat create(ClusterConfiguration first, List<CuratorOp> more) throws Exception {
        for (String parent : List.of(Znodes.ALL, znodes.root())) {
            try {
                client.create().forPath(parent, NOTHING);
            } catch (NodeExistsException exists) {
                continue;
            }
        }
        try {
            List<CuratorOp> all = new ArrayList<>(List.of(
                    create(znodes.config(), first.encode()),
                    create(znodes.nodes(), NOTHING),
                    create(znodes.live(), NOTHING),
                    create(znodes.map(), NOTHING),
                    create(znodes.operations(), NOTHING)));
            all.addAll(more);
            client.transaction().forOperations(all);
        } catch (NodeExistsException exists) {
            return null;
        }
        return null;
    }

    private CuratorOp create(String path, byte[] content) throws Exception {
        return client.transactionOp().create().forPath(path, content);
    }

    private interface Step<T> {
        T run() throws Exception;
    }

    /** Runs a step that may be repeated, until it has an answer. */
    private <T> T withContact(Step<T> step) {
        while (true) {
            awaitContact();
            try {
                return step.run();
            } catch (KeeperException.ConnectionLossException
                    | KeeperException.SessionExpiredException
                    | KeeperException.OperationTimeoutException passing) {
                refuseWhenStopped();
                pause();
            } catch (KeeperException.NoAuthException denied) {
                throw new IllegalStateException(
                        "ZooKeeper at " + settings.servers() + " denies access to " + znodes.root()
                                + "; check the credentials and ACLs of the cluster",
                        denied);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("ZooKeeper at " + settings.servers() + " rejects a request: " + e, e);
            }
        }
    }

    /**
     * The membership of a node, which owns the session from now on.
     *
     * @param failure is told why the node can't go on
     */
    public ZooKeeperMembership membership(ClusterConfiguration configuration, int node, Consumer<String> failure) {
        handedOver = true;
        return new ZooKeeperMembership(client, settings.servers(), configuration, node, failure);
    }

    @Override
    public void close() {
        if (!handedOver) {
            client.close();
        }
    }
}
