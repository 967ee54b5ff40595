package io.reprise.access;

import io.reprise.runtime.LogText;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of administrative acts: a line for each tells the user, the address, the act and its end. Its logger is {@code
 * io.reprise.audit}. Any thread.
 */
public final class AuditLog {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.audit");
    private static final int MOST_OF_ACT = 1000;

    private AuditLog() {}

    /**
     * An act has ended.
     *
     * @param user empty: there was no login
     * @param end "done", or the reason why it was not
     */
    public static void act(String user, InetSocketAddress from, String act, String end) {
        LOG.info(
                "{} from {}: {}: {}",
                user.isEmpty() ? "without a login" : "user " + LogText.of(user),
                from.getAddress().getHostAddress(),
                LogText.of(act, MOST_OF_ACT),
                LogText.of(end));
    }
}
