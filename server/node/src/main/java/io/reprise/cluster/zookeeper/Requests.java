package io.reprise.cluster.zookeeper;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorEvent;

/**
 * Requests to ZooKeeper and the news of it, for one agent. ZooKeeper's threads only add to a queue; {@link #run} takes
 * everything in on the agent's thread.
 *
 * <p>A result belongs to the contact in which it was asked for. Results of an earlier contact are dropped.
 */
final class Requests {
    /** The pause before a step that ZooKeeper has rejected for a passing reason is tried again. */
    private static final long AGAIN_NS = 1_000_000_000;

    private final CuratorFramework client;
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();
    private int contact;
    private Runnable again;
    private long againNs;

    Requests(CuratorFramework client) {
        this.client = client;
    }

    /** Sends a request by Curator, which calls back. */
    interface Request {
        void send(BackgroundCallback callback) throws Exception;
    }

    /** Adds something for the agent to do. Any thread. */
    void add(Runnable step) {
        news.add(step);
    }

    /** Contact has begun or ended: earlier requests have no result any more. */
    void contactChanges() {
        contact++;
        again = null;
    }

    /** Sends a request; its result comes by the queue, unless contact ends before. */
    void ask(Request request, Consumer<CuratorEvent> taker) {
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

    /** Reads a znode. */
    void read(String path, Consumer<CuratorEvent> taker) {
        ask(callback -> client.getData().inBackground(callback).forPath(path), taker);
    }

    /** Takes a step after a pause, unless contact changes. */
    void later(Runnable step) {
        again = step;
        againNs = 0;
    }

    /** Takes in all news, and steps that are due. Returns how much there was. */
    int run(long nowNs) {
        int work = 0;
        for (Runnable next = news.poll(); next != null; next = news.poll()) {
            next.run();
            work++;
        }
        if (again != null && againNs == 0) {
            againNs = nowNs + AGAIN_NS;
        } else if (again != null && nowNs - againNs >= 0) {
            Runnable step = again;
            again = null;
            step.run();
            work++;
        }
        return work;
    }
}
