package io.reprise.cluster.zookeeper;

import java.time.Duration;

/**
 * The way to ZooKeeper.
 *
 * @param servers {@code host:port} of its servers, with commas between
 * @param sessionTimeout the time without contact after which ZooKeeper removes this node's live entry
 * @param security the protection of the traffic and of the znodes
 */
public record ZooKeeperSettings(String servers, Duration sessionTimeout, ZooKeeperSecurity security) {
    /** The usual time of {@link #sessionTimeout}. */
    public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

    /** Settings without protection. */
    public ZooKeeperSettings(String servers, Duration sessionTimeout) {
        this(servers, sessionTimeout, ZooKeeperSecurity.NONE);
    }

    /** The usual settings. */
    public static ZooKeeperSettings of(String servers) {
        return new ZooKeeperSettings(servers, SESSION_TIMEOUT);
    }
}
