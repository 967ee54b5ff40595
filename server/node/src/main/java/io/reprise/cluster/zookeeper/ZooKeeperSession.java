package io.reprise.cluster.zookeeper;

import java.util.concurrent.TimeUnit;
import org.apache.curator.RetryPolicy;
import org.apache.curator.RetrySleeper;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;

/** Makes clients of ZooKeeper. Curator keeps the connection, renews ended sessions, and never repeats a request. */
final class ZooKeeperSession {
    private static final int CONNECT_MS = 1_000;

    /** The longest wait for Curator's threads at the end. */
    private static final int CLOSE_MS = 1_000;

    /**
     * A request that lost its answer is not sent again: a second compare-and-set would report a conflict with the first.
     */
    private static final class Never implements RetryPolicy {
        @Override
        public boolean allowRetry(int retryCount, long elapsedTimeMs, RetrySleeper sleeper) {
            return false;
        }
    }

    static {
        // A map of 4,096 partitions has up to a megabyte, ZooKeeper's limit by default.
        if (System.getProperty("jute.maxbuffer") == null) {
            System.setProperty("jute.maxbuffer", String.valueOf(4 << 20));
        }
        System.setProperty("curator-dont-log-connection-problems", "true");
    }

    private ZooKeeperSession() {}

    static void prepare() {
        // The static initialiser has done it.
    }

    static CuratorFramework begin(ZooKeeperSettings settings) {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .ensembleProvider(new FixedEnsembleProvider(settings.servers(), false))
                .ensembleTracker(false)
                .sessionTimeoutMs((int) settings.sessionTimeout().toMillis())
                .connectionTimeoutMs(CONNECT_MS)
                .maxCloseWaitMs(CLOSE_MS)
                .waitForShutdownTimeoutMs(CLOSE_MS)
                .retryPolicy(new Never());
        settings.security().apply(builder);
        CuratorFramework client = builder.build();
        client.start();
        return client;
    }

    /** Whether there is contact within this time. */
    static boolean awaitContact(CuratorFramework client, int ms) throws InterruptedException {
        return client.blockUntilConnected(ms, TimeUnit.MILLISECONDS);
    }
}
