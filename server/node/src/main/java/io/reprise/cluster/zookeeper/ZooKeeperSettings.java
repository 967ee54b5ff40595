package io.reprise.cluster.zookeeper;

import java.time.Duration;

/**
 * The way to ZooKeeper.
 *
 * @param servers {@code host:port} of its servers, with commas between
 * @param sessionTimeout the time without contact after which ZooKeeper removes this node's live entry
 */
public record ZooKeeperSettings(String servers, Duration sessionTimeout) {
    /** The usual time of {@link #sessionTimeout}. */
    public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

    /** The usual settings. */
    public static ZooKeeperSettings of(String servers) {
        return new ZooKeeperSettings(servers, SESSION_TIMEOUT);
    }
}
