package io.reprise.cluster.zookeeper;

import io.reprise.cluster.Membership;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.framework.api.CuratorListener;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
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

    /** The pause before a step that ZooKeeper has rejected for a passing reason is tried again. */
    private static final long AGAIN_NS = 1_000_000_000;

    private final CuratorFramework client;
    private final Znodes znodes;
    private final ClusterConfiguration configuration;
    private final String servers;
    private final int node;
    private final Consumer<String> failure;

    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();
    private final Watcher watcher = this::watched;
    private final CuratorListener listener = (from, event) -> heard(event);
    private final List<MapChange> open = new ArrayList<>();

    private int contact;
    private boolean hasContact;
    private boolean verified;
    private boolean lost;
    private boolean failed;
    private boolean wasConnected;
    private int configVersion;

    private VersionedMap map;
    private SortedMap<Integer, byte[]> live = new TreeMap<>();

    private byte[] entry;
    private boolean written;
    private long againNs;
    private Runnable again;

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
        client.getCuratorListenable().addListener(listener);
        if (client.getZookeeperClient().isConnected()) {
            news.add(this::contactBegins);
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
        int work = 0;
        for (Runnable next = news.poll(); next != null; next = news.poll()) {
            next.run();
            work++;
        }
        if (again != null) {
            if (againNs == 0) {
                againNs = nowNs + AGAIN_NS;
            } else if (nowNs - againNs >= 0) {
                Runnable step = again;
                again = null;
                step.run();
                work++;
            }
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
            case SyncConnected -> news.add(this::contactBegins);
            case Disconnected -> news.add(this::contactEnds);
            case Expired -> news.add(this::sessionEnds);
            case AuthFailed ->
                news.add(() -> fail("ZooKeeper at " + servers + " rejects this node's credentials; check them"));
            default -> {
                // The node asks for no other state.
            }
        }
    }

    private void contactBegins() {
        if (failed) {
            return;
        }
        contact++;
        hasContact = true;
        verified = false;
        again = null;
        verify();
    }

    private void contactEnds() {
        contact++;
        hasContact = false;
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
        written = false;
        if (entry != null && !lost) {
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

    private void later(Runnable step) {
        int asked = contact;
        againNs = 0;
        again = () -> {
            if (asked == contact) {
                step.run();
            }
        };
    }

    // ---- Reading

    private void verify() {
        read(znodes.config(), event -> {
            switch (Code.get(event.getResultCode())) {
                case OK -> verified(event);
                case NONODE ->
                    fail("ZooKeeper at " + servers + " does not hold cluster '" + configuration.cluster()
                            + "' any more; restore ZooKeeper's data, then start the node again");
                default -> later(this::verify);
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
        configVersion = event.getStat().getVersion();
        if (!verified) {
            verified = true;
            if (wasConnected) {
                LOG.info("Contact with ZooKeeper at {} again.", servers);
            }
            wasConnected = true;
            watch();
            readMap();
            readLive();
            if (entry != null && !lost) {
                writeEntry();
            }
        }
    }

    private void watch() {
        ask(
                callback -> client.watchers()
                        .add()
                        .withMode(AddWatchMode.PERSISTENT_RECURSIVE)
                        .inBackground(callback)
                        .usingWatcher(watcher)
                        .forPath(znodes.root()),
                event -> {
                    if (event.getResultCode() != Code.OK.intValue()) {
                        later(this::contactBegins);
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
            news.add(() -> readLive(about.getAsInt()));
        } else if (path.equals(znodes.map())) {
            news.add(this::readMap);
        } else if (path.equals(znodes.config())) {
            news.add(this::verify);
        }
    }

    private void readMap() {
        read(znodes.map(), event -> {
            if (event.getResultCode() == Code.OK.intValue()) {
                takeMap(new VersionedMap(event.getStat().getVersion(), event.getData()));
            }
        });
    }

    private void takeMap(VersionedMap found) {
        if (map == null || found.version() > map.version()) {
            map = found;
        }
    }

    private void readLive() {
        ask(callback -> client.getChildren().inBackground(callback).forPath(znodes.live()), event -> {
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
        read(znodes.live(number), event -> {
            switch (Code.get(event.getResultCode())) {
                case OK -> {
                    live.put(number, event.getData());
                    if (number == node) {
                        ownEntry(event.getStat().getEphemeralOwner());
                    }
                }
                case NONODE -> {
                    live.remove(number);
                    if (number == node && written) {
                        written = false;
                        writeEntry();
                    }
                }
                default -> {
                    // Without contact: the next contact reads everything.
                }
            }
        });
    }

    private void ownEntry(long owner) {
        if (written && owner != sessionId()) {
            written = false;
            fail("another process has announced itself as node " + node + " of cluster '" + configuration.cluster()
                    + "'; a data directory must not be copied to a second node: give each node its own cluster.node");
        }
    }

    private void read(String path, Consumer<CuratorEvent> taker) {
        ask(callback -> client.getData().inBackground(callback).forPath(path), taker);
    }

    // ---- Writing

    @Override
    public void announce(byte[] newEntry) {
        entry = newEntry.clone();
        written = false;
        lost = false;
        if (verified) {
            writeEntry();
        }
    }

    /** Makes this session the owner of the entry; an earlier session's is replaced, and its end then removes nothing. */
    private void writeEntry() {
        byte[] content = entry;
        String path = znodes.live(node);
        ask(
                callback -> client.create()
                        .withMode(CreateMode.EPHEMERAL)
                        .inBackground(callback)
                        .forPath(path, content),
                event -> {
                    switch (Code.get(event.getResultCode())) {
                        case OK -> written(content);
                        case NODEEXISTS -> takeOverEntry();
                        default -> later(this::writeEntry);
                    }
                });
    }

    private void takeOverEntry() {
        byte[] content = entry;
        String path = znodes.live(node);
        read(path, found -> {
            if (found.getResultCode() != Code.OK.intValue()) {
                later(this::writeEntry);
            } else if (found.getStat().getEphemeralOwner() == sessionId()) {
                ask(
                        callback -> client.setData().inBackground(callback).forPath(path, content),
                        event -> afterWrite(event, content));
            } else {
                ask(
                        callback -> client.transaction()
                                .inBackground(callback)
                                .forOperations(List.of(
                                        client.transactionOp()
                                                .delete()
                                                .withVersion(found.getStat().getVersion())
                                                .forPath(path),
                                        client.transactionOp()
                                                .create()
                                                .withMode(CreateMode.EPHEMERAL)
                                                .forPath(path, content))),
                        event -> afterWrite(event, content));
            }
        });
    }

    private void afterWrite(CuratorEvent event, byte[] content) {
        if (event.getResultCode() == Code.OK.intValue()) {
            written(content);
        } else {
            later(this::writeEntry);
        }
    }

    private void written(byte[] content) {
        if (content == entry) {
            written = true;
            live.put(node, content);
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
        ask(
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

    // ---- Requests

    private interface Request {
        void send(BackgroundCallback callback) throws Exception;
    }

    /** Sends a request; its result comes by the queue, unless contact ends before. */
    private void ask(Request request, Consumer<CuratorEvent> taker) {
        int asked = contact;
        try {
            request.send((from, event) -> news.add(() -> {
                if (asked == contact) {
                    taker.accept(event);
                }
            }));
        } catch (Exception e) {
            throw new IllegalStateException("ZooKeeper's client rejects a request: " + e, e);
        }
    }

    private long sessionId() {
        try {
            return client.getZookeeperClient().getZooKeeper().getSessionId();
        } catch (Exception e) {
            return 0;
        }
    }

    /** Ends the session; the node's entry is gone when this returns, unless there is no contact. */
    @Override
    public void close() {
        client.getCuratorListenable().removeListener(listener);
        client.close();
    }
}
