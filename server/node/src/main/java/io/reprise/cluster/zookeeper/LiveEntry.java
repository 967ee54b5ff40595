package io.reprise.cluster.zookeeper;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * A node's own entry among the live ones: an ephemeral znode that the present session owns. An entry of an earlier session
 * is replaced in one transaction, so the end of that session removes nothing.
 */
final class LiveEntry {
    private final CuratorFramework client;
    private final Requests requests;
    private final String path;
    private byte[] entry;
    private boolean written;

    LiveEntry(CuratorFramework client, Requests requests, String path) {
        this.client = client;
        this.requests = requests;
        this.path = path;
    }

    /** Whether the node has announced itself. */
    boolean isAnnounced() {
        return entry != null;
    }

    /** The content from now on, which the next {@link #write} writes. */
    void announce(byte[] newEntry) {
        entry = newEntry.clone();
        written = false;
    }

    /** The session has ended, and the entry with it. */
    void sessionEnds() {
        written = false;
    }

    /** Makes this session the owner of the entry. */
    void write() {
        byte[] content = entry;
        requests.ask(
                callback -> client.create()
                        .withMode(CreateMode.EPHEMERAL)
                        .inBackground(callback)
                        .forPath(path, content),
                event -> {
                    if (event.getResultCode() == Code.NODEEXISTS.intValue()) {
                        takeOver(content);
                    } else {
                        afterWrite(event, content);
                    }
                });
    }

    private void takeOver(byte[] content) {
        requests.read(path, found -> {
            if (found.getResultCode() != Code.OK.intValue()) {
                requests.later(this::write);
            } else if (found.getStat().getEphemeralOwner() == sessionId()) {
                requests.ask(
                        callback -> client.setData().inBackground(callback).forPath(path, content),
                        event -> afterWrite(event, content));
            } else {
                replace(found.getStat().getVersion(), content);
            }
        });
    }

    private void replace(int version, byte[] content) {
        requests.ask(
                callback -> client.transaction()
                        .inBackground(callback)
                        .forOperations(List.of(
                                client.transactionOp()
                                        .delete()
                                        .withVersion(version)
                                        .forPath(path),
                                client.transactionOp()
                                        .create()
                                        .withMode(CreateMode.EPHEMERAL)
                                        .forPath(path, content))),
                event -> afterWrite(event, content));
    }

    private void afterWrite(CuratorEvent event, byte[] content) {
        if (event.getResultCode() != Code.OK.intValue()) {
            requests.later(this::write);
        } else if (content == entry) {
            written = true;
        }
    }

    /** The entry is not there. If this session wrote one, it writes it again. */
    void isGone() {
        if (written) {
            written = false;
            write();
        }
    }

    /** Whether another session owns the entry that this one wrote. */
    boolean isTakenBy(long owner) {
        return written && owner != sessionId();
    }

    private long sessionId() {
        try {
            return client.getZookeeperClient().getZooKeeper().getSessionId();
        } catch (Exception e) {
            return 0;
        }
    }
}
