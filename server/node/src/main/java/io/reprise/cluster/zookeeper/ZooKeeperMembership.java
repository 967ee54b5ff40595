package io.reprise.cluster.zookeeper;

import io.reprise.cluster.Membership;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.framework.api.CuratorListener;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's view of its cluster in ZooKeeper. ZooKeeper's threads put their news into a queue; the owning agent takes them in
 * by {@link #poll}, and everything else happens on its thread.
 *
 * <pre>
 *  SUSPENDED -> CONNECTED      contact, and the configuration is that of this cluster
 *  CONNECTED -> SUSPENDED      contact has ended; open changes become UNKNOWN
 *  any       -> LOST           the session has ended with an entry of this node
 *  LOST      -> SUSPENDED      by {@link #announce}
 * </pre>
 *
 * <p>One recursive watch covers the cluster's znodes. Each contact adds it again and reads everything anew, because events
 * are lost with contact. Results carry the number of the contact that asked for them, and those of an earlier one are dropped.
 *
 * <p>The node fails, by the handler given, if ZooKeeper holds another cluster under this one's name, or another process
 * announces this node's number.
 */
public final class ZooKeeperMembership implements Membership, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.cluster");

    private final CuratorFramework client;
    private final Znodes znodes;
    private final ClusterConfiguration configuration;
    private final String servers;
    private final int node;
    private final Consumer<String> failure;

    private final Requests requests;
    private final LiveEntry own;
    private final Watcher watcher = this::watched;
    private final CuratorListener listener = (from, event) -> heard(event);
    private final List<MapChange> open = new ArrayList<>();

    private boolean verified;
    private boolean lost;
    private boolean failed;
    private boolean wasConnected;
    private int configVersion;

    /** The creation of the configuration; null before it was read. */
    private Created created;

    private VersionedMap map;
    private SortedMap<Integer, byte[]> live = new TreeMap<>();
    private final SortedMap<Integer, Registration> registrations = new TreeMap<>();
    private volatile Seen seen = new Seen(Session.SUSPENDED, null, new TreeMap<>(), new TreeMap<>());

    ZooKeeperMembership(
            CuratorFramework client,
            String servers,
            ClusterConfiguration configuration,
            int node,
            Consumer<String> failure) {
        this.client = client;
        this.servers = servers;
        this.configuration = configuration;
        this.node = node;
        this.failure = failure;
        znodes = Znodes.of(configuration.cluster());
        requests = new Requests(client);
        own = new LiveEntry(client, requests, znodes.live(node));
        client.getCuratorListenable().addListener(listener);
        if (client.getZookeeperClient().isConnected()) {
            requests.add(this::contactBegins);
        }
    }

    /**
     * The view at a moment, for observers on other threads.
     *
     * @param map null before the first is known
     */
    public record Seen(
            Session session,
            VersionedMap map,
            SortedMap<Integer, byte[]> live,
            SortedMap<Integer, Registration> registrations) {}

    /** The last published view. Any thread. */
    public Seen seen() {
        return seen;
    }

    /** The creation of a znode. A ZooKeeper that has lost its data makes it at another time. */
    private record Created(long transaction, long timeMs) {
        boolean isOf(Stat stat) {
            return stat.getCzxid() == transaction && stat.getCtime() == timeMs;
        }
    }

    /** A change whose outcome the agent sets. */
    private static final class MapChange implements Change {
        private Outcome outcome = Outcome.PENDING;

        @Override
        public Outcome outcome() {
            return outcome;
        }
    }

    @Override
    public int poll(long nowNs) {
        int work = requests.run(nowNs);
        if (work > 0) {
            seen = new Seen(session(), map, new TreeMap<>(live), new TreeMap<>(registrations));
        }
        return work;
    }

    @Override
    public Session session() {
        if (lost) {
            return Session.LOST;
        }
        return verified ? Session.CONNECTED : Session.SUSPENDED;
    }

    @Override
    public VersionedMap map() {
        return map;
    }

    @Override
    public SortedMap<Integer, byte[]> live() {
        return Collections.unmodifiableSortedMap(live);
    }

    // ---- Contact

    /** On a thread of ZooKeeper. */
    private void heard(CuratorEvent event) {
        if (event.getType() != CuratorEventType.WATCHED
                || event.getWatchedEvent().getType() != EventType.None) {
            return;
        }
        KeeperState state = event.getWatchedEvent().getState();
        switch (state) {
            case SyncConnected -> requests.add(this::contactBegins);
            case Disconnected -> requests.add(this::contactEnds);
            case Expired -> requests.add(this::sessionEnds);
            case AuthFailed ->
                requests.add(() -> fail("ZooKeeper at " + servers + " rejects this node's credentials; check them"));
            default -> {
                // The node asks for no other state.
            }
        }
    }

    private void contactBegins() {
        if (failed) {
            return;
        }
        requests.contactChanges();
        verified = false;
        verify();
    }

    private void contactEnds() {
        requests.contactChanges();
        if (verified) {
            LOG.warn(
                    "No contact with ZooKeeper at {}. Calls go on; failures of nodes are not handled until there is contact.",
                    servers);
        }
        verified = false;
        open.forEach(change -> change.outcome = Change.Outcome.UNKNOWN);
        open.clear();
    }

    private void sessionEnds() {
        contactEnds();
        own.sessionEnds();
        if (own.isAnnounced() && !lost) {
            lost = true;
            LOG.warn("The session with ZooKeeper at {} has ended. The node announces itself again.", servers);
        }
    }

    private void fail(String problem) {
        if (!failed) {
            failed = true;
            contactEnds();
            failure.accept(problem);
        }
    }

    // ---- Reading

    private void verify() {
        requests.read(znodes.config(), event -> {
            switch (Code.get(event.getResultCode())) {
                case OK -> verified(event);
                case NONODE ->
                    fail("ZooKeeper at " + servers + " does not hold cluster '" + configuration.cluster()
                            + "' any more; restore ZooKeeper's data or run \"reprise cluster recover\", and start the node"
                            + " again");
                default -> requests.later(this::verify);
            }
        });
    }

    private void verified(CuratorEvent event) {
        ClusterConfiguration found;
        try {
            found = ClusterConfiguration.decode(event.getData());
        } catch (IllegalStateException unreadable) {
            fail(unreadable.getMessage());
            return;
        }
        if (!found.id().equals(configuration.id())) {
            fail("ZooKeeper at " + servers + " holds another cluster named '" + configuration.cluster() + "', with id "
                    + found.id() + " instead of " + configuration.id() + "; check cluster.zookeeper");
            return;
        }
        Stat stat = event.getStat();
        if (created != null && !created.isOf(stat)) {
            fail("ZooKeeper at " + servers + " has lost its data, and holds cluster '" + configuration.cluster()
                    + "' anew; start the node again");
            return;
        }
        created = new Created(stat.getCzxid(), stat.getCtime());
        configVersion = stat.getVersion();
        if (!verified) {
            verified = true;
            if (wasConnected) {
                LOG.info("Contact with ZooKeeper at {} again.", servers);
            }
            wasConnected = true;
            watch();
            readMap();
            readLive();
            readNodes();
            if (own.isAnnounced() && !lost) {
                own.write();
            }
        }
    }

    private void watch() {
        requests.ask(
                callback -> client.watchers()
                        .add()
                        .withMode(AddWatchMode.PERSISTENT_RECURSIVE)
                        .inBackground(callback)
                        .usingWatcher(watcher)
                        .forPath(znodes.root()),
                event -> {
                    if (event.getResultCode() != Code.OK.intValue()) {
                        requests.later(this::contactBegins);
                    }
                });
    }

    /** On a thread of ZooKeeper. */
    private void watched(WatchedEvent event) {
        String path = event.getPath();
        if (path == null) {
            return;
        }
        OptionalInt about = znodes.liveNode(path);
        if (about.isPresent()) {
            requests.add(() -> readLive(about.getAsInt()));
        } else if (path.startsWith(znodes.nodes())) {
            requests.add(this::readNodes);
        } else if (path.equals(znodes.map())) {
            requests.add(this::readMap);
        } else if (path.equals(znodes.config())) {
            requests.add(this::verify);
        }
    }

    private void readMap() {
        requests.read(znodes.map(), event -> {
            if (event.getResultCode() == Code.OK.intValue()) {
                takeMap(new VersionedMap(event.getStat().getVersion(), event.getData()));
            }
        });
    }

    private void readNodes() {
        requests.ask(callback -> client.getChildren().inBackground(callback).forPath(znodes.nodes()), event -> {
            if (event.getResultCode() == Code.OK.intValue()) {
                event.getChildren().stream()
                        .map(Znodes::number)
                        .flatMapToInt(OptionalInt::stream)
                        .forEach(this::readNode);
            }
        });
    }

    private void readNode(int number) {
        requests.read(znodes.node(number), event -> {
            if (event.getResultCode() == Code.OK.intValue()) {
                registrations.put(number, Registration.decode(number, event.getData()));
            }
        });
    }

    private void takeMap(VersionedMap found) {
        if (map == null || found.version() > map.version()) {
            map = found;
        }
    }

    private void readLive() {
        requests.ask(callback -> client.getChildren().inBackground(callback).forPath(znodes.live()), event -> {
            if (event.getResultCode() == Code.OK.intValue()) {
                SortedMap<Integer, byte[]> left = new TreeMap<>();
                for (String name : event.getChildren()) {
                    OptionalInt number = Znodes.number(name);
                    if (number.isPresent()) {
                        byte[] known = live.get(number.getAsInt());
                        if (known != null) {
                            left.put(number.getAsInt(), known);
                        }
                        readLive(number.getAsInt());
                    }
                }
                live = left;
            }
        });
    }

    private void readLive(int number) {
        requests.read(znodes.live(number), event -> {
            switch (Code.get(event.getResultCode())) {
                case OK -> {
                    live.put(number, event.getData());
                    if (number == node) {
                        checkOwner(event.getStat().getEphemeralOwner());
                    }
                }
                case NONODE -> {
                    live.remove(number);
                    if (number == node) {
                        own.isGone();
                    }
                }
                default -> {
                    // Without contact: the next contact reads everything.
                }
            }
        });
    }

    private void checkOwner(long owner) {
        if (own.isTakenBy(owner)) {
            own.sessionEnds();
            fail("another process has announced itself as node " + node + " of cluster '" + configuration.cluster()
                    + "'; a data directory must not be copied to a second node: give each node its own cluster.node");
        }
    }

    // ---- Writing

    @Override
    public void announce(byte[] newEntry) {
        own.announce(newEntry);
        lost = false;
        if (verified) {
            own.write();
        }
    }

    @Override
    public Change replace(int expectedVersion, byte[] content) {
        MapChange change = new MapChange();
        if (!verified) {
            change.outcome = Change.Outcome.UNKNOWN;
            return change;
        }
        open.add(change);
        byte[] copy = content.clone();
        requests.ask(
                callback -> client.transaction()
                        .inBackground(callback)
                        .forOperations(List.of(check(), set(expectedVersion, copy))),
                event -> resolve(change, event, expectedVersion, copy));
        return change;
    }

    private CuratorOp check() throws Exception {
        return client.transactionOp().check().withVersion(configVersion).forPath(znodes.config());
    }

    private CuratorOp set(int expectedVersion, byte[] content) throws Exception {
        return client.transactionOp().setData().withVersion(expectedVersion).forPath(znodes.map(), content);
    }

    private void resolve(MapChange change, CuratorEvent event, int expectedVersion, byte[] content) {
        open.remove(change);
        switch (Code.get(event.getResultCode())) {
            case OK -> {
                change.outcome = Change.Outcome.DONE;
                takeMap(new VersionedMap(expectedVersion + 1, content));
            }
            case BADVERSION -> {
                change.outcome = Change.Outcome.CONFLICT;
                verify();
                readMap();
            }
            default -> change.outcome = Change.Outcome.UNKNOWN;
        }
    }

    /** Ends the session; the node's entry is gone when this returns, unless there is no contact. */
    @Override
    public void close() {
        client.getCuratorListenable().removeListener(listener);
        client.close();
    }
}
