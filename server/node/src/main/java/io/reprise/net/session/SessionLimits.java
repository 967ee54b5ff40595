package io.reprise.net.session;

/**
 * Limits of sessions.
 *
 * @param maxFrameBytes the longest message of a client
 * @param maxResultBytes the longest result of a call; a longer one is rejected, though the transaction has committed
 * @param callsPerSite the most calls under way at each site; others wait in their connections
 * @param callsPerConnection the most calls of one connection under way at each site; others are rejected
 * @param framesPerSite the most reads with calls that wait for each site; others are rejected
 * @param unreadBytes a connection is not read while more than this waits for a site or is unread by its client
 * @param maxUnreadBytes a client that leaves more replies than this unread, and reads nothing for its patience, is disconnected
 * @param maxAllUnreadBytes the most bytes of replies that all clients together may leave unread. From half of it on, clients with
 *     unread replies get no more calls run; beyond it, the client with most of them is disconnected. Replies that wait for the
 *     log may take half as many, and calls under way a quarter
 * @param maxPartialBytes the most bytes of all messages that have not arrived as a whole
 */
public record SessionLimits(
        int maxFrameBytes,
        int maxResultBytes,
        int callsPerSite,
        int callsPerConnection,
        int framesPerSite,
        int unreadBytes,
        long maxUnreadBytes,
        long maxAllUnreadBytes,
        long maxPartialBytes) {
    /** Limits for most uses. */
    public static SessionLimits usual() {
        return new SessionLimits(
                1 << 20,
                16 << 20,
                1 << 14,
                1 << 13,
                1 << 15,
                1 << 20,
                64L << 20,
                Math.max(128L << 20, Runtime.getRuntime().maxMemory() / 4),
                256L << 20);
    }

    /** The same with other numbers of calls and frames. */
    public SessionLimits withCalls(int perSite, int perConnection, int frames) {
        return new SessionLimits(
                maxFrameBytes,
                maxResultBytes,
                perSite,
                perConnection,
                frames,
                unreadBytes,
                maxUnreadBytes,
                maxAllUnreadBytes,
                maxPartialBytes);
    }

    /** The same with other numbers of bytes. */
    public SessionLimits withBytes(int maxFrame, int maxResult, int unread, long maxUnread, long maxAllUnread) {
        return new SessionLimits(
                maxFrame,
                maxResult,
                callsPerSite,
                callsPerConnection,
                framesPerSite,
                unread,
                maxUnread,
                maxAllUnread,
                maxPartialBytes);
    }
}
